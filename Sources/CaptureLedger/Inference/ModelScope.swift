package import MediaChecks
import Synchronization

/// What checks run models through while they last: one for a capture, a scan or a whole run. May be shared by checks on several
/// threads; they wait for models, so no thread of the cooperative pool belongs in here.
package final class ModelScope: ModelSupply {
    private let room: ModelRoom
    private let isOpen = Mutex(true)

    init(_ room: ModelRoom) { self.room = room }

    deinit { close() }

    /// Calls on it are over. The models go with the room's last scope.
    package func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { room.leave() }
    }

    package func descriptor(_ role: ModelRole) throws(ModelFault) -> ModelDescriptor? {
        guard isOpen.withLock({ $0 }) else { throw ModelRoom.closed }
        return try room.descriptor(role)
    }

    package func run(_ role: ModelRole, _ input: FloatTensor, outputs: [Int]) throws(ModelFault) -> [FloatTensor] {
        guard isOpen.withLock({ $0 }) else { throw ModelRoom.closed }
        if let descriptor = try room.descriptor(role) { try Self.check(input, descriptor) }
        let model = try room.model(role)
        do throws(ModelFault) {
            let results = try model.run(input, outputs: outputs)
            guard results.count == outputs.count else {
                throw ModelFault(
                    .failed, message: "the model runner gave \(results.count) outputs of \(outputs.count)",
                    remedy: "Correct the model runner.")
            }
            return results
        } catch {
            if !model.isUsable { room.discard(role, model) }
            throw error
        }
    }

    private static func check(_ input: FloatTensor, _ descriptor: ModelDescriptor) throws(ModelFault) {
        let wanted = [1, descriptor.inputHeight, descriptor.inputWidth, 3]
        guard input.shape == wanted else {
            throw ModelFault(
                .wrongShape, message: "\(descriptor.model) takes \(wanted), not \(input.shape)",
                remedy: "Install the model and its descriptor anew, together.")
        }
    }
}

extension ModelRoom {
    /// Read once for as long as scopes are open.
    func descriptor(_ role: ModelRole) throws(ModelFault) -> ModelDescriptor? {
        if let known = withState({ $0.slots[role]?.descriptor }) { return known }
        guard let found = try search.descriptor(role) else { return nil }
        return withState { state in
            guard state.scopes > 0 else { return found }
            let kept = state.slots[role]?.descriptor ?? found
            state.slots[role, default: ModelSlot()].descriptor = kept
            return kept
        }
    }
}
