import SystemCalls

extension Vault {
    /// A file that no event names: what a crash left between sealing and appending, or while sealing.
    package struct Orphan: Sendable, Equatable {
        package let kind: SealedKind
        package let id: ObjectID
        package let isStaged: Bool
        package let byteCount: Int64
    }

    /// Files that nobody writes and that `isKnown` does not know, and removes them durably when asked to. A file of a capture in
    /// flight is locked and left alone: it is asked for again once its lock is held here, when its event would be there.
    /// Files with names of another kind are left alone.
    ///
    /// - Parameter isKnown: whether an event names the object; it must see what was committed up to the moment of its call.
    package func orphans(
        removing: Bool = false, isKnown: (SealedKind, ObjectID) -> Bool
    ) throws(VaultError) -> [Orphan] {
        var orphans: [Orphan] = []
        do {
            for kind in SealedKind.allCases {
                try objects.withFolders(kind) { folders throws(SystemError) in
                    try collect(kind, in: folders.staging, isStaged: true, removing, { _ in false }, &orphans)
                    for name in try folders.all.names() where name.utf8.count == 2 {
                        let shard = try folders.all.openFolder(name)
                        try collect(kind, in: shard, isStaged: false, removing, { isKnown(kind, $0) }, &orphans)
                    }
                }
            }
        } catch {
            throw VaultError(error)
        }
        return orphans
    }

    private func collect(
        _ kind: SealedKind, in folder: borrowing FileDescriptor, isStaged: Bool, _ removing: Bool,
        _ isKnown: (ObjectID) -> Bool, _ orphans: inout [Orphan]
    ) throws(SystemError) {
        var wasRemoved = false
        for name in try folder.names() {
            guard let id = ObjectID(fileName: name), !isKnown(id) else { continue }
            do throws(SystemError) {
                let file = try folder.open(name, .read)
                guard try file.tryLock(), !isKnown(id) else { continue }
                let status = try file.status()
                // It was moved to its place, or removed, between the listing and the lock.
                guard status.kind == .file, status.links > 0, try folder.status(of: name) != nil else { continue }
                if removing { wasRemoved = try folder.remove(name) || wasRemoved }
                orphans.append(Orphan(kind: kind, id: id, isStaged: isStaged, byteCount: status.size))
            } catch {
                guard error.code == .notFound || error.code == .unexpectedKind else { throw error }
            }
        }
        if wasRemoved { try folder.synchronize() }
    }
}
