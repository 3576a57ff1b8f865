/// How long the write-ahead log may become. What readers still need stays in it, and it begins anew only when nobody reads from it. Under a
/// reader without pauses that never comes about by itself: once the log is long, a commit waits for the statements that are under way,
/// and those that begin meanwhile read the database alone.
struct LogUpkeep: Sendable {
    enum Step: Equatable, Sendable {
        case nothing
        /// Moves what no reader needs any more into the database.
        case move
        /// Moves everything, and waits as long for readers.
        case beginAnew(waitingMilliseconds: Int)
    }

    /// Pages after which the writer moves them into the database: 16 MiB.
    var movingPages = 2048
    /// Pages after which it waits for readers: 32 MiB.
    var waitingPages = 4096
    /// Pages that are written between two attempts: 2 MiB.
    var pagesBetween = 256
    /// The same where waiting was in vain: 8 MiB.
    var pagesAfterWaiting = 1024
    /// A reader's statement takes a few milliseconds; one that takes longer must not hold up everybody's commits. Each time that was in
    /// vain it waits twice as long, up to eight times.
    var waitMilliseconds = 20

    private var nextAttempt = 0
    private var vainWaits = 0

    init() {}

    /// What is to be done behind a commit that left so many pages in the log.
    mutating func step(pages: Int) -> Step {
        if pages < movingPages {
            (nextAttempt, vainWaits) = (0, 0)
            return .nothing
        }
        guard pages >= nextAttempt else { return .nothing }
        nextAttempt = pages + pagesBetween
        return pages < waitingPages ? .move : .beginAnew(waitingMilliseconds: waitMilliseconds << min(vainWaits, 3))
    }

    /// A reader was still there when the time was over.
    mutating func waitedInVain() {
        nextAttempt += pagesAfterWaiting - pagesBetween
        vainWaits += 1
    }
}
