import Foundation

/// The repository that this test was compiled from.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The Swift sources below a folder, paths relative to the repository, in order.
    static func swiftSources(below folder: String) throws -> [(path: String, text: String)] {
        let files =
            FileManager.default.enumerator(atPath: root.appending(path: folder).path)?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(".swift") }.sorted().map { ("\(folder)/\($0)", try text("\(folder)/\($0)")) }
    }

    static func folders(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            at: root.appending(path: folder), includingPropertiesForKeys: [.isDirectoryKey]
        ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }.map {
            "\(folder)/\($0.lastPathComponent)"
        }
    }
}
