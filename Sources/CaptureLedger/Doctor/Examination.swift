import EventStorage
import SystemCalls

/// One look at a ledger; its aspects stand in files of their own.
final class Examination {
    typealias Finding = DoctorReport.Finding

    let ledger: Ledger
    /// Repairs what is safe to repair, as long as the database can be believed.
    var fixes: Bool
    private(set) var findings: [Finding] = []
    var files: LedgerFiles { ledger.files }

    init(_ ledger: Ledger, fixes: Bool) {
        self.ledger = ledger
        self.fixes = fixes
    }

    func add(_ code: String, _ severity: Finding.Severity, _ message: String, remedy: String, fixed: Bool = false) {
        findings.append(Finding(code: code, severity: severity, message: message, remedy: remedy, fixed: fixed))
    }

    func add(_ error: LedgerError, _ severity: Finding.Severity = .error) {
        add(error.code.rawValue, severity, error.message, remedy: error.remedy)
    }

    func add(_ finding: Finding) { findings.append(finding) }

    /// A look that fails is a finding, and the next one goes on.
    func look(_ body: () throws(LedgerError) -> Void) { do { try body() } catch { add(error) } }

    static let runWithFix = "Run `capture-ledger doctor --fix`."
}
