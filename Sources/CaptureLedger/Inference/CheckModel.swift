public import FoundationEssentials
import MediaChecks
import ReferenceModels
import Synchronization

/// The models of the check pipeline (S35).
public enum CheckModel: String, Sendable, CaseIterable {
    case passportDetector, glare, passportBlur, selfie

    public var fileName: String { role.fileName }

    /// The file that this user can read, or nil until one is installed. Looked for in ``folder``, in the folder that
    /// `CAPTURE_LEDGER_MODELS` names, in `models` and `../share/capture-ledger/models` beside the program, and in
    /// `Sources/ReferenceModels/Resources` of the source tree that the program was built in. A folder that is named is the only one
    /// looked in.
    public var url: URL? { ModelSearch().file(role).map { URL(filePath: $0) } }

    private static let named = Mutex<URL?>(nil)

    /// Where a host keeps its models; nil: searched for.
    public static var folder: URL? {
        get { named.withLock { $0 } }
        set { named.withLock { $0 = newValue } }
    }

    private var role: ModelRole {
        switch self {
        case .passportDetector: .passportDetector
        case .glare: .glare
        case .passportBlur: .passportBlur
        case .selfie: .selfieClassifier
        }
    }
}
