import SystemCalls

extension ObjectStore {
    /// A new file in staging, locked. What a crash left under the same name is replaced.
    ///
    /// - Throws: `would_block` when somebody is writing it.
    func makeStagingFile(_ kind: SealedKind, _ id: ObjectID) throws(SystemError) -> FileDescriptor {
        try withFolders(kind) { folders throws(SystemError) in
            while true {
                do throws(SystemError) {
                    return try makeFile(id, in: folders.staging)
                } catch {
                    guard error.code == .alreadyExists else { throw error }
                    try removeLeftover(id, in: folders.staging)
                }
            }
        }
    }

    private func removeLeftover(_ id: ObjectID, in staging: borrowing FileDescriptor) throws(SystemError) {
        do throws(SystemError) {
            let file = try staging.open(id.text, .read)
            guard try file.tryLock() else { throw SystemError(.wouldBlock, call: "flock", path: id.text) }
            try staging.remove(id.text)
        } catch {
            if error.code != .notFound { throw error }
        }
    }

    /// Moves a finished file to its place; the name is durable when it returns, and not there when it throws.
    func place(_ kind: SealedKind, _ id: ObjectID) throws(SystemError) {
        try withFolders(kind) { folders throws(SystemError) in
            let shard = try folders.all.openFolder(id.shard, creatingWith: access)
            try folders.staging.move(id.text, to: shard, as: id.text)
            do throws(SystemError) {
                try shard.synchronize()
            } catch {
                _ = try? shard.remove(id.text)
                throw error
            }
        }
    }

    /// A new file in its place, locked, for a small object that is written in one go. Nothing of it is durable.
    ///
    /// - Throws: `already_exists`.
    func makePlacedFile(_ kind: SealedKind, _ id: ObjectID) throws(SystemError) -> FileDescriptor {
        try withFolders(kind) { folders throws(SystemError) in
            let shard = try folders.all.openFolder(id.shard, creatingWith: access, durably: false)
            return try makeFile(id, in: shard)
        }
    }

    /// - Throws: `already_exists`.
    private func makeFile(_ id: ObjectID, in folder: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor {
        while true {
            let file = try folder.open(id.text, .createNew, mode: access.fileMode)
            try access.apply(to: file, mode: access.fileMode)
            // Whoever collects orphans can have locked and removed it before it was locked here.
            if try file.tryLock(), try file.status().links > 0 { return file }
        }
    }

    func synchronizeName(_ kind: SealedKind, _ id: ObjectID) throws(SystemError) {
        try withFolders(kind) { folders throws(SystemError) in
            try folders.all.openFolder(id.shard).synchronize()
            try folders.all.synchronize()
        }
    }

    /// More than this, of anybody's, and one call for the whole file system may take long.
    private static let mostUnwritten: Int64 = 8 << 20

    /// Through it everything that is written from now on can be made durable at once. It is told of all that could not be written
    /// meanwhile, whoever else asks. nil where the file system, or much that others wrote, speaks against it.
    func openWitness(_ kind: SealedKind) -> FileDescriptor? {
        guard let unwritten = FileSystem.unwrittenBytes, unwritten <= Self.mostUnwritten else { return nil }
        do {
            return try withFolders(kind) { folders throws(SystemError) -> FileDescriptor? in
                let witness = try folders.staging.open(".", .folder)
                guard witness.synchronizesWhole else { return nil }
                return consume witness
            }
        } catch {
            return nil
        }
    }

    /// Best effort: what stays behind is unlocked, and collected later.
    func removeStagingFile(_ kind: SealedKind, _ id: ObjectID) {
        _ = try? withFolders(kind) { folders throws(SystemError) in try folders.staging.remove(id.text) }
    }
}
