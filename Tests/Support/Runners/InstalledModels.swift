package import CaptureLedger
import Cryptography
import Foundation
package import MediaChecks

/// A folder of models with their descriptors, gone with the object. The models are a few bytes: a scripted runner knows them by name.
package final class InstalledModels: Sendable {
    package let folder: String
    package var search: ModelSearch { ModelSearch(folder: folder) }

    package init(_ roles: [ModelRole] = ModelRole.allCases, side: Int = 4) throws {
        folder = FileManager.default.temporaryDirectory.path + "/models-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for role in roles {
            let bytes = Array("a model for \(role.rawValue)".utf8)
            try write(role.fileName, bytes)
            try write(role.descriptorName, Array(Self.descriptor(role, side: side, of: bytes).utf8))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    package func path(_ role: ModelRole) -> String { folder + "/" + role.fileName }

    package func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: folder + "/" + name))
    }

    /// The usual descriptor of a model with these bytes.
    package static func descriptor(_ role: ModelRole, side: Int, of bytes: [UInt8]) -> String {
        let (layout, names) =
            switch role {
            case .passportDetector: ("yolov8", #"["page", "photo", "signature", "mrz", "finger", "other_document"]"#)
            case .glare: ("scores", #"["glare", "clear"]"#)
            case .passportBlur: ("scores", #"["blurred", "sharp"]"#)
            case .selfieClassifier: ("scores", #"["selfie", "glasses", "covered", "none"]"#)
            case .faceDetector: ("mediapipe_face_detection", "[]")
            case .faceMesh: ("mediapipe_face_mesh", "[]")
            }
        return """
            {"model": "\(role.fileName)", "role": "\(role.rawValue)",
             "input": {"width": \(side), "height": \(side), "scale": 0.00392156862745098, "offset": 0},
             "output": {"layout": "\(layout)"\(layout == "yolov8" ? #", "boxes_normalized": true"# : "")},
             "class_names": \(names), "licence": "Apache-2.0", "sha256": "\(SHA256.digest(of: bytes).hex)"}
            """
    }
}
