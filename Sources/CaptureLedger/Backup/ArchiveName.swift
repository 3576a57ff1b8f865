import SystemCalls
import Vault

/// The files that a backup may hold, and nothing else: a name is one of these or the archive is refused.
enum ArchiveName: Hashable {
    case settings
    case database
    /// Instead of the database in an increment: what came behind its base.
    case rows
    case keys
    case sealed(SealedKind, ObjectID)
    /// `sha256sum -c` reads it.
    case listing
    case manifest

    var text: String {
        switch self {
        case .settings: Settings.fileName
        case .database: "ledger.sqlite"
        case .rows: "rows.jsonl"
        case .keys: "keys/keys.sqlite"
        case .sealed(let kind, let id): Self.path(kind, id)
        case .listing: "SHA256SUMS"
        case .manifest: "manifest.json"
        }
    }

    init?(_ text: String) {
        for name in [Self.settings, .database, .rows, .keys, .listing, .manifest] where name.text == text {
            self = name
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let kind = SealedKind(rawValue: parts[0]), let id = ObjectID(fileName: parts[2]),
            Self.path(kind, id) == text
        else { return nil }
        self = .sealed(kind, id)
    }

    static func path(_ kind: SealedKind, _ id: ObjectID) -> String { "\(kind.rawValue)/\(id.text.suffix(2))/\(id.text)" }
}

extension LedgerFiles {
    func sealed(_ kind: SealedKind, _ id: ObjectID) -> String { folder + "/" + ArchiveName.path(kind, id) }
}
