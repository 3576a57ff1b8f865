import MediaChecks
import MediaDecoding
import SessionDomain
import SystemCalls

extension Examination {
    /// What checks need outside the ledger.
    func lookAtChecks() {
        guard ledger.checks.isConfigured || ledger.settings.policy.checks ?? .off != .off else {
            add(
                "checks_off", .note, "No model runner is configured: captures are not checked.",
                remedy: "Set checks.runner in \(Settings.fileName), or register a runner before the ledger is opened.")
            return
        }
        for finding in ledger.checks.tools.findings() { add(finding) }
    }
}

extension Ledger {
    /// Says at once, and not when somebody stands before the camera, that a session's captures could not be checked.
    ///
    /// - Throws: what is missing.
    package func requireScanner(for configuration: CaptureConfiguration) throws(LedgerError) {
        let byPolicy = settings.policy.checks.flatMap { ChecksMode(rawValue: $0.rawValue) }
        guard (configuration.checks ?? byPolicy ?? (checks.isConfigured ? .required : .off)) == .required else { return }
        let showsPage = configuration.pieces.contains { $0 == .passportFront || $0 == .passportBack || $0 == .hologram }
        let findings = checks.tools.findings(starting: false, pages: showsPage)
        guard let missing = findings.first(where: { $0.severity == .error }) else { return }
        throw LedgerError(code: .init(rawValue: missing.code), message: missing.message, remedy: missing.remedy)
    }
}

extension CheckTools {
    /// What is missing, or not as it should be.
    ///
    /// - Parameters:
    ///   - starting: whether a decoder is started, to see what it is held by.
    ///   - pages: whether pages are to be judged, which needs models that a selfie does not.
    package func findings(starting: Bool = true, pages: Bool = true) -> [DoctorReport.Finding] {
        runnerFindings() + decoderFindings(starting) + modelFindings(pages) + policyFindings()
    }

    /// The same for what settings name by themselves, where nothing is checked yet.
    package func namedFindings(_ checks: CheckSettings) -> [DoctorReport.Finding] {
        (checks.decoder == nil ? [] : decoderFindings(false)) + (checks.models == nil ? [] : modelFindings(true))
            + (checks.policy == nil ? [] : policyFindings())
    }

    private func runnerFindings() -> [DoctorReport.Finding] {
        if let named = runners.runner as? NamedRunner, case .failure(let error) = named.made {
            return [.init("runner_missing", .error, "The model runner cannot be used: \(error.message)", error.remedy)]
        }
        if runners.runner != nil { return [] }
        return [
            .init(
                "runner_missing", .error, "There is no model runner: captures that must be checked fail as scanner_not_ready.",
                "Set checks.runner in \(Settings.fileName), or register a runner before the ledger is opened.")
        ]
    }

    private func decoderFindings(_ starting: Bool) -> [DoctorReport.Finding] {
        guard let program = decoderProgram else {
            return [
                .init(
                    "decoder_missing", .error, "The program \(DecoderProgram.name) was not found: captures stay unchecked.",
                    "Install it beside the program or on the path, or name it with checks.decoder or \(DecoderProgram.variable)."
                )
            ]
        }
        guard starting else { return [] }
        do throws(DecodingRefusal) {
            guard let missing = try DecoderClient(program: program, keepsSpare: false).protection().missing else { return [] }
            return [
                .init(
                    "decoder_unconfined", .warning, missing,
                    "Use a kernel with Landlock; without it pictures are still decoded.")
            ]
        } catch {
            return [
                .init(
                    "decoder_unusable", .error, "The program \(DecoderProgram.name) does not start: \(error.message)",
                    error.remedy)
            ]
        }
    }

    private func modelFindings(_ pages: Bool) -> [DoctorReport.Finding] {
        let ofPages: [ModelRole] = [.passportDetector, .glare, .passportBlur]
        return ModelRole.allCases.compactMap { role -> DoctorReport.Finding? in
            if !pages, ofPages.contains(role) { return nil }
            guard let path = search.file(role) else { return missing(role) }
            do throws(ModelFault) {
                guard let descriptor = try search.descriptor(role) else { return nil }
                try search.verify(path, descriptor)
                return nil
            } catch {
                return .init(
                    "model_damaged", .error, "The model \(role.fileName) cannot be used: \(error.message)", error.remedy)
            }
        }
    }

    /// A page cannot be judged without its three models. Faces can be measured by the client (S63), and nobody has to have a classifier.
    private func missing(_ role: ModelRole) -> DoctorReport.Finding {
        let file = "The model \(role.fileName) is not installed"
        let place = "Put it into one of: \(search.folders.joined(separator: ", ")); or name a folder with checks.models."
        switch role {
        case .passportDetector, .glare, .passportBlur:
            return .init("model_missing", .error, "\(file): passport pages cannot be checked.", place)
        case .faceDetector, .faceMesh:
            return .init("model_missing", .warning, "\(file): selfies are judged by what the client measured.", place)
        case .selfieClassifier:
            return .init(
                "model_missing", .note, "\(file): glasses and covered faces are not assessed.",
                "Install a classifier of your own under that name, with its descriptor beside it.")
        }
    }

    private func policyFindings() -> [DoctorReport.Finding] {
        do throws(LedgerError) {
            _ = try policy()
            return []
        } catch { return [.init(error.code.rawValue, .error, error.message, error.remedy)] }
    }
}

extension DoctorReport.Finding {
    fileprivate init(_ code: String, _ severity: Severity, _ message: String, _ remedy: String) {
        self.init(code: code, severity: severity, message: message.asSentence, remedy: remedy, fixed: false)
    }
}
