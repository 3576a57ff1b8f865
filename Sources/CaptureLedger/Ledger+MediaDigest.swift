import Cryptography
import SystemCalls

extension Ledger {
    /// SHA-256 of a file of any size, to look an original up with.
    package func mediaDigest(ofFile path: String) throws(LedgerError) -> [UInt8] {
        do throws(SystemError) {
            let file = try FileDescriptor(readingFile: path)
            var digest = SHA256()
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while true {
                var span = buffer.mutableSpan
                let count = try file.read(into: &span)
                if count == 0 { return digest.finish().bytes }
                digest.update(buffer.span.extracting(0..<count))
            }
        } catch {
            throw LedgerError(
                code: .init(rawValue: error.code == .notFound ? "no_such_file" : "file_unreadable"),
                message: "The file to look for cannot be read: \(error.message).", remedy: error.remedy)
        }
    }
}
