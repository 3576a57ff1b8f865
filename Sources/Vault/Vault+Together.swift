import Cryptography
import SystemCalls

extension Vault {
    /// A small object that is to be sealed.
    package struct NewObject: Sendable {
        let id: ObjectID
        let key: SessionKey
        let plain: [UInt8]

        package init(_ id: ObjectID, key: SessionKey, _ plain: [UInt8]) {
            self.id = id
            self.key = key
            self.plain = plain
        }
    }

    /// Seals small objects and makes them durable with one call for all of them, in place of two for each. The results, in the
    /// objects' order, are locked until they are let go of; of one that failed nothing is left.
    ///
    /// - Returns: nil, and nothing was done, where that call promises too little, or would wait for much that others wrote:
    ///   they are to be written one by one.
    package func write(_ kind: SealedKind, together new: [NewObject]) -> [Result<SealedObject, VaultError>]? {
        guard new.count > 1, new.allSatisfy({ $0.plain.count <= StreamLayout.chunkByteCount }),
            let witness = objects.openWitness(kind)
        else { return nil }
        return write(kind, new, through: witness)
    }

    /// - Parameter witness: opened before, on the vault's file system.
    func write(
        _ kind: SealedKind, _ new: [NewObject], through witness: borrowing FileDescriptor
    ) -> [Result<SealedObject, VaultError>] {
        let written = new.map { object in
            do throws(VaultError) { return Result<SealedObject, VaultError>.success(try write(kind, object)) } catch {
                return .failure(error)
            }
        }
        do throws(SystemError) {
            try witness.synchronizeFileSystem()
            return written
        } catch {
            // something was lost, perhaps nobody's here: each is asked by itself
            return written.map { result in result.flatMap { object in synchronized(object) } }
        }
    }

    private func write(_ kind: SealedKind, _ new: NewObject) throws(VaultError) -> SealedObject {
        try new.key.check()
        let sealed = StreamSealer.sealed(
            new.plain, key: new.key.secret, salt: SecureRandom.bytes(StreamLayout.saltByteCount), info: kind.info(new.id))
        do throws(SystemError) {
            let file = try objects.makePlacedFile(kind, new.id)
            do throws(SystemError) {
                try file.write(sealed)
            } catch {
                _ = try? objects.remove(kind, new.id)
                throw error
            }
            return SealedObject(
                kind: kind, id: new.id, plainByteCount: Int64(new.plain.count), plainDigest: SHA256.digest(of: new.plain),
                sealedByteCount: Int64(sealed.count), sealedDigest: SHA256.digest(of: sealed), file: file)
        } catch {
            throw error.code == .alreadyExists || error.code == .wouldBlock ? VaultError(.objectExists) : VaultError(error)
        }
    }

    private func synchronized(_ object: SealedObject) -> Result<SealedObject, VaultError> {
        do throws(SystemError) {
            try object.synchronize()
            try objects.synchronizeName(object.kind, object.id)
            return .success(object)
        } catch {
            _ = try? objects.remove(object.kind, object.id)
            return .failure(VaultError(error))
        }
    }
}
