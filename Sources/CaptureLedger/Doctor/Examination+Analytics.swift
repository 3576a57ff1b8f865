import EventStorage
import SystemCalls

extension Examination {
    /// Whether analytics.sqlite speaks of this log. It holds nothing of its own: whatever is the matter with it, it is made anew, by the
    /// next report as well.
    func lookAtAnalytics() { look(lookAtAnalyticsFile) }

    private func lookAtAnalyticsFile() throws(LedgerError) {
        let log = try ledger.logEnd()
        let path = files.analytics
        do throws(AnalyticsFault) {
            let isImmutable = !FileSystem.isWritable(files.folder)
            guard let found = try AnalyticsStore.look(at: path, of: ledger, log, isImmutable: isImmutable) else {
                try mended(
                    "analytics_interrupted", .note, "A program ended while it changed analytics.sqlite.",
                    remedy: "Nothing: the next report puts it right.")
                return
            }
            if let complaint = found.complaint {
                try unusable(.damaged, because: complaint)
            } else if found.progress.position < log.position || found.progress.attemptNumber < log.attempt {
                try mended(
                    "analytics_behind", .note,
                    "analytics.sqlite is at position \(found.progress.position), and the log ends at \(log.position).",
                    remedy: "Nothing: the next report or sync brings it up to date.")
            }
        } catch {
            switch error {
            case .unusable(let reason):
                do throws(AnalyticsFault) { try unusable(reason, because: nil) } catch { try give(error) }
            default: try give(error)
            }
        }
    }

    /// Another program at it is no finding.
    private func give(_ fault: AnalyticsFault) throws(LedgerError) {
        if case .other(let error) = fault { throw error }
    }

    private func unusable(_ reason: AnalyticsUpdate.Reason, because complaint: String?) throws(AnalyticsFault) {
        let anew = "\(Self.runWithFix) Or make a report: it is made anew from the log, and nothing is lost."
        switch reason {
        case .missing:
            // who asks for no report needs none
            add(
                "analytics_missing", .note, "There is no analytics.sqlite.", remedy: "Nothing: the first report makes it.")
        case .damaged:
            try mended(
                "analytics_damaged", .warning, "analytics.sqlite is damaged\(complaint.map { ": \($0)" } ?? "").",
                remedy: anew, because: .damaged)
        case .foreign:
            try mended(
                "analytics_foreign", .warning, "What lies at analytics.sqlite is no file of this program.",
                remedy: "Move it away if somebody needs it. \(anew)")
        case .otherSchema:
            try mended(
                "analytics_other_schema", .note, "analytics.sqlite was made by another version, with other tables.",
                remedy: "Nothing: the next report makes it anew.")
        case .otherLedger:
            try mended("analytics_other_ledger", .warning, "analytics.sqlite speaks of another ledger.", remedy: anew)
        case .restored:
            try mended(
                "analytics_restored", .warning, "analytics.sqlite was made before the ledger was restored.", remedy: anew)
        case .ahead:
            try mended(
                "analytics_ahead", .warning,
                "analytics.sqlite holds what this log does not: an older copy of the ledger was put in its place.",
                remedy: anew)
        case .farBehind, .asked: break
        }
    }

    /// Adds the finding, and where repairs are wanted, brings the file to the end of the log first.
    private func mended(
        _ code: String, _ severity: Finding.Severity, _ message: String, remedy: String,
        because reason: AnalyticsUpdate.Reason? = nil
    ) throws(AnalyticsFault) {
        var isFixed = false
        if fixes {
            isFixed = try ledgerStep { () throws(LedgerError) in
                guard let store = try AnalyticsStore(ledger, try AnalyticsPlace(files), waits: false) else { return false }
                if let reason { _ = try store.rebuild(reason) } else { _ = try store.catchUp() }
                return true
            }
        }
        add(code, severity, message, remedy: remedy, fixed: isFixed)
    }
}
