import EventCoding

extension Settings {
    /// Where tombstones are kept; a relative path is one in the ledger's folder.
    package func tombstonePath(in folder: String) -> String? {
        tombstones.map { Self.path($0, in: folder) }
    }

    static func path(_ path: String, in folder: String) -> String { path.hasPrefix("/") ? path : folder + "/" + path }
}

extension EncodedEvent {
    /// Whether the event names media that was sealed.
    var isCapture: Bool { type == EventType.pieceCaptured.code }

    /// Whether the event's private half may hold the hologram's transaction.
    var mayNameTransaction: Bool {
        type == EventType.sessionStarted.code || type == EventType.hologramTransactionBound.code
    }
}

extension CheckSettings {
    /// With every path as it is found from anywhere.
    package func resolved(in folder: String) -> CheckSettings {
        var settings = self
        settings.library = library.map { Settings.path($0, in: folder) }
        settings.models = models.map { Settings.path($0, in: folder) }
        settings.decoder = decoder.map { Settings.path($0, in: folder) }
        settings.policy = policy.map { Settings.path($0, in: folder) }
        return settings
    }
}
