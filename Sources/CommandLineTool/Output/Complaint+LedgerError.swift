import CaptureLedger

extension Complaint {
    init(_ problem: SettingsProblem) {
        self.init(problem.code.rawValue, problem.message, remedy: problem.remedy, exit: .configuration)
    }
}
