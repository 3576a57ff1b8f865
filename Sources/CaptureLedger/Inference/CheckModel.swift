public import FoundationEssentials
import Synchronization
import SystemCalls

/// The models of the check pipeline (S35).
public enum CheckModel: String, Sendable, CaseIterable {
    case passportDetector, glare, passportBlur, selfie

    public var fileName: String {
        switch self {
        case .passportDetector: "passport_multi_class_detection.tflite"
        case .glare: "glare_model_fp16.tflite"
        case .passportBlur: "passport_blur_model.tflite"
        case .selfie: "selfie_model.tflite"
        }
    }

    /// The file that this user can read, or nil until one is installed. Looked for in ``folder``, in the folder that
    /// `CAPTURE_LEDGER_MODELS` names, in `models` and `share/capture-ledger/models` beside the program, and in `Models` of the source
    /// tree that the program was built in. A folder that is named is the only one looked in.
    public var url: URL? {
        for folder in Self.places() {
            let path = folder + "/" + fileName
            guard let status = try? FileStatus.of(path), status.kind == .file,
                (try? FileDescriptor(opening: path, .read, followLinks: true)) != nil
            else { continue }
            return URL(filePath: path)
        }
        return nil
    }

    private static let named = Mutex<URL?>(nil)

    /// Where a host keeps its models; nil: searched for.
    public static var folder: URL? {
        get { named.withLock { $0 } }
        set { named.withLock { $0 = newValue } }
    }

    private static func places() -> [String] {
        if let folder { return [folder.path] }
        if let folder = EnvironmentVariable.value(of: "CAPTURE_LEDGER_MODELS"), !folder.isEmpty { return [folder] }
        guard let program = try? FileSystem.ownProgram() else { return [] }
        let beside = FileSystem.parent(of: program)
        var places = [beside + "/models", FileSystem.parent(of: beside) + "/share/capture-ledger/models"]
        var above = beside
        while above != "/", above != "." {
            above = FileSystem.parent(of: above)
            if (try? FileStatus.of(above + "/Package.swift")) ?? nil != nil {
                places.append(above + "/Models")
                break
            }
        }
        return places
    }
}
