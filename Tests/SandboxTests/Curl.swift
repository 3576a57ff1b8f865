import Foundation

/// One run of the real curl.
struct Curl {
    let exitCode: Int32
    let status: Int
    let headers: [String: String]
    let body: String

    /// - Parameter arguments: Everything but the options that fetch status, headers and body.
    @discardableResult
    init(_ arguments: [String], input: [UInt8]? = nil) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["curl", "-sS", "-i", "--noproxy", "*", "--max-time", "60"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        var file: URL?
        if let input {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("sandbox-\(UUID().uuidString)")
            try Data(input).write(to: url)
            process.arguments! += ["--data-binary", "@\(url.path)"]
            file = url
        }
        defer { if let file { try? FileManager.default.removeItem(at: file) } }
        try process.run()
        var text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        exitCode = process.terminationStatus
        // interim answers (100 Continue) come before the final one
        while text.hasPrefix("HTTP/1.1 1"), let end = text.range(of: "\r\n\r\n") { text.removeSubrange(..<end.upperBound) }
        guard let end = text.range(of: "\r\n\r\n") else {
            status = 0
            headers = [:]
            body = text
            return
        }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        headers = fields
        body = String(text[end.upperBound...])
    }
}
