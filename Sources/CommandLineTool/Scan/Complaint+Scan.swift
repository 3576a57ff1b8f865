import MediaChecks
import SystemCalls

extension Complaint {
    static func nothingToScan(_ message: String) -> Complaint {
        Complaint(
            "nothing_to_scan", message, remedy: "Name a folder with pictures, or an MP4 or MOV video.", exit: .refused)
    }

    /// Something that was named cannot be read.
    init(reading error: SystemError) {
        self.init(
            error.code == .notFound ? "no_such_file" : "file_unreadable",
            "A file that was named cannot be read: \(error.message).", remedy: error.remedy,
            exit: error.code == .permissionDenied ? .notPermitted : .notFound)
    }

    /// A file that was asked for cannot be written.
    init(writing error: SystemError) {
        self.init(
            error.code.rawValue, "A file that was asked for cannot be written: \(error.message).", remedy: error.remedy,
            exit: error.code == .alreadyExists || error.code == .notFound ? .cannotCreate : .inputOutput)
    }
}
