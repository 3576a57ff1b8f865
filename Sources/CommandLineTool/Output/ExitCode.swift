/// How the tool ends. The numbers are those of `sysexits.h` and never change.
enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case usage = 64
    case refused = 65
    case notFound = 66
    case allPaused = 69
    case fault = 70
    case cannotCreate = 73
    case inputOutput = 74
    case workLeft = 75
    case notPermitted = 77
    case configuration = 78

    var meaning: String {
        switch self {
        case .done: "done"
        case .usage: "the command line is not understood; nothing was done"
        case .refused: "the data was refused: media, checks, a stale version, a command that the flow does not allow"
        case .notFound: "no such ledger, session, file or delivery"
        case .allPaused: "every destination is paused"
        case .fault: "a fault of this program"
        case .cannotCreate: "cannot create"
        case .inputOutput: "reading or writing failed, or the disk is full"
        case .workLeft: "work is left, or another run holds the lock"
        case .notPermitted: "not permitted"
        case .configuration: "the settings are wrong"
        }
    }
}
