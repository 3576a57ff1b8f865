package import MediaChecks

extension LedgerError {
    package init(_ fault: ModelFault) {
        self.init(
            code: Code(rawValue: fault.code.rawValue), message: fault.message, remedy: fault.remedy,
            isRetryable: fault.code == .notReady)
    }
}
