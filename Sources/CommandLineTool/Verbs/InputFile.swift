import SystemCalls

/// A small file that an option names.
enum InputFile {
    private static let standardInput = FileDescriptor(owning: 0)

    /// - Parameter path: `-` is standard input.
    /// - Throws: a ``Complaint`` with exit code 66, or 65 for one that is too large or no text.
    static func bytes(_ path: String, limit: Int) throws(Complaint) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes =
                path == "-"
                ? try standardInput.readToEnd(limit: limit)
                : try FileDescriptor(opening: path, .read, followLinks: true).readToEnd(limit: limit)
        } catch {
            throw Complaint(
                error.code == .notFound ? "no_such_file" : "file_unreadable",
                "A file that was named cannot be read: \(error.message).",
                remedy: error.remedy, exit: error.code == .permissionDenied ? .notPermitted : .notFound)
        }
        guard bytes.count <= limit else {
            throw Complaint(
                "file_too_large", "A file that was named is larger than \(Words.bytes(Int64(limit))).",
                remedy: "Was another file meant?",
                exit: .refused)
        }
        return bytes
    }

    static func text(_ path: String, limit: Int) throws(Complaint) -> String {
        guard let text = String(validating: try bytes(path, limit: limit), as: UTF8.self) else {
            throw Complaint("not_text", "A file that was named is not UTF-8 text.", remedy: "Save it as UTF-8.", exit: .refused)
        }
        return text
    }
}
