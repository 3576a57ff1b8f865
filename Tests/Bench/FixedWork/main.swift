// usage: fixed-work WORK EVENTS FOLDER
// One kind of work of Benchmarks/FixedWork, without the command line around it and without a task: what an instrument counts here is
// the work. `make check-instructions` calls it.
import Benchmarks
import CaptureLedger
import Glibc
import SystemCalls

let words = CommandLine.arguments
guard words.count == 4, let work = FixedWork(rawValue: words[1]), let events = Int(words[2]), events >= 0 else {
    StandardError.write("usage: fixed-work \(FixedWork.allCases.map(\.rawValue).joined(separator: "|")) EVENTS FOLDER")
    exit(64)
}
do throws(LedgerError) {
    try work.run(events: events, folder: words[3])
} catch {
    StandardError.write("fixed-work: \(error.message) \(error.remedy)")
    exit(1)
}
