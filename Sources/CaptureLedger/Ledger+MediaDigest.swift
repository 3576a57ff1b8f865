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
                code: .unreadable(error),
                message: "The file to look for cannot be read: \(error.message).", remedy: error.remedy)
        }
    }
}

extension LedgerError.Code {
    /// Why a client's file cannot be read: it is not there, not theirs to read, or not a file.
    static func unreadable(_ error: SystemError) -> LedgerError.Code {
        switch error.code {
        case .notFound: LedgerError.Code(rawValue: "no_such_file")
        case .permissionDenied: LedgerError.Code(rawValue: "permission_denied")
        default: LedgerError.Code(rawValue: "file_unreadable")
        }
    }
}
