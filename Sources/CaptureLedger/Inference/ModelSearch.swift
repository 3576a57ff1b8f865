import Cryptography
package import MediaChecks
import ReferenceModels
import SystemCalls

/// Finds models and what is said about them.
package struct ModelSearch: Sendable {
    private let folder: String?

    /// - Parameter folder: the only one to look in; nil: ``CheckModel/folder``, then as ``ReferenceModels/folders(_:environment:program:)``
    ///   says.
    package init(folder: String? = nil) { self.folder = folder }

    package var folders: [String] { ReferenceModels.folders(folder ?? CheckModel.folder?.path) }

    /// The model's file; nil until one is installed.
    package func file(_ role: ModelRole) -> String? { ReferenceModels.find(role.fileName, in: folders) }

    /// What is said about the model that ``file(_:)`` finds; nil until one is installed.
    ///
    /// - Throws: `bad_descriptor` where nothing, or nothing sensible, is said about it.
    package func descriptor(_ role: ModelRole) throws(ModelFault) -> ModelDescriptor? {
        guard let model = file(role) else { return nil }
        guard let path = ReferenceModels.find(role.descriptorName, in: [FileSystem.parent(of: model)] + folders) else {
            throw ModelFault(
                .badDescriptor, message: "there is no \(role.descriptorName) beside \(role.fileName)",
                remedy: "Put the file that describes the model beside it: docs/model-runners.md says what it holds.")
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileDescriptor(readingFile: path).readToEnd(limit: ModelDescriptor.sizeLimit)
        } catch {
            throw ModelFault(.badDescriptor, message: "\(role.descriptorName): \(error.message)", remedy: error.remedy)
        }
        let descriptor = try ModelDescriptor(json: bytes, named: role.descriptorName)
        guard descriptor.role == role, descriptor.model == role.fileName else {
            throw ModelFault(
                .badDescriptor,
                message:
                    "\(role.descriptorName) is about \(descriptor.role.rawValue), not about \(role.rawValue) in \(role.fileName)",
                remedy: "Put the descriptor that belongs to the model beside it.")
        }
        return descriptor
    }

    /// Compares the file's bytes with what the descriptor says of them.
    ///
    /// - Throws: `bad_descriptor` where they differ, `not_ready` where the file cannot be read.
    func verify(_ path: String, _ descriptor: ModelDescriptor) throws(ModelFault) {
        let digest: String
        do throws(SystemError) { digest = try Self.digest(ofFile: path) } catch {
            throw ModelFault(.notReady, message: "the model cannot be read: \(error.message)", remedy: error.remedy)
        }
        guard digest == descriptor.digest else {
            throw ModelFault(
                .badDescriptor, message: "\(descriptor.model) is not the file that its descriptor was written for",
                remedy: "Install the model and its descriptor anew, together.")
        }
    }

    private static func digest(ofFile path: String) throws(SystemError) -> String {
        let file = try FileDescriptor(readingFile: path)
        var digest = SHA256()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            var span = buffer.mutableSpan
            let count = try file.read(into: &span)
            if count == 0 { return digest.finish().hex }
            digest.update(buffer.span.extracting(0..<count))
        }
    }
}
