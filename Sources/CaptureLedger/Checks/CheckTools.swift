import FoundationEssentials
package import MediaChecks
package import MediaDecoding
import StructuredLog
import SystemCalls

/// What captures are checked with: found by what was said, then by the environment, then beside the program.
package struct CheckTools: Sendable {
    /// What was said; paths.
    package struct Places: Sendable {
        package var decoder: String?
        package var models: String?
        package var policy: String?

        package init() {}
    }

    package let places: Places
    package let runners: RunnerRegistry
    package let search: ModelSearch
    package var cropSide = CheckSettings().cropSide
    package var clock = LedgerClock.system
    package var log: @Sendable (String) -> Void = { _ in }
    /// Whether a locked-down decoder waits for the next picture: for programs that check more than one.
    package var keepsDecoder = false
    /// Whether somebody may still register a runner (S39).
    package var awaitsRunner = true

    package init(_ places: Places, runners: RunnerRegistry) {
        self.places = places
        self.runners = runners
        search = ModelSearch(folder: places.models)
    }

    package var decoderProgram: DecoderProgram? { DecoderProgram.find(option: places.decoder) }

    package var decoder: any PictureDecoder {
        guard let program = decoderProgram else { return MissingDecoder(named: places.decoder) }
        return DecoderClient(program: program, keepsSpare: keepsDecoder)
    }

    /// Models for as long as the room is kept; each check opens a scope of its own in it.
    package func room() -> ModelRoom {
        let logger = Logger(minimum: .warning, sink: LineSink(form: .json, writeLine: log), now: clock.nowMilliseconds)
        return ModelRoom(
            runners: runners, search: search, clock: clock,
            patienceMilliseconds: awaitsRunner || runners.runner != nil ? ModelRoom.usualPatience : 0,
            note: { role, fault in
                logger.warning(
                    "a model of the checks was not loaded",
                    [Field("model", role.rawValue), Field("code", fault.code.rawValue), Field("why", fault.message)])
            })
    }

    /// - Throws: `policy_unreadable`, and what is wrong in it.
    package func policy() throws(LedgerError) -> CheckPolicy {
        guard let path = places.policy else { return .standard }
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try FileDescriptor(readingFile: path).readToEnd(limit: 1 << 16) } catch {
            throw LedgerError(
                code: .init(rawValue: "policy_unreadable"), message: "The check policy cannot be read: \(error.message).",
                remedy: error.remedy)
        }
        do throws(PolicyProblem) { return try CheckPolicy(json5: bytes) } catch { throw LedgerError(error) }
    }

    /// - Throws: a policy that cannot be read.
    package func checker() throws(LedgerError) -> Checker {
        let room = room()
        return Checker(pictures: decoder, policy: try policy(), cropSide: cropSide) { room.open() }
    }
}

extension CheckTools {
    /// What settings name, for a program in which nobody else registers a runner.
    ///
    /// - Parameters:
    ///   - checks: with paths that are found from anywhere.
    ///   - make: the runner that they name.
    package init(
        _ checks: CheckSettings, runner make: @escaping @Sendable (CheckSettings) throws(LedgerError) -> any ModelRunner
    ) {
        var places = Places()
        (places.decoder, places.models, places.policy) = (checks.decoder, checks.models, checks.policy)
        self.init(places, runners: RunnerRegistry(NamedRunner(checks, make)))
        cropSide = checks.cropSide
        awaitsRunner = false
    }
}

/// Stands where there is no decoder.
private struct MissingDecoder: PictureDecoder {
    let named: String?

    func picture(_ source: any ByteSource, _ media: SniffedMedia) throws(DecodingRefusal) -> any OpenPicture { throw refusal }
    func video(_ source: any ByteSource, _ media: SniffedMedia) throws(DecodingRefusal) -> any OpenVideo { throw refusal }

    private var refusal: DecodingRefusal {
        DecodingRefusal(
            .unavailable, detail: "missing",
            message: named == nil ? "There is no \(DecoderProgram.name)." : "The decoder that was named is no program.",
            remedy:
                "Install \(DecoderProgram.name) beside the program or on the path, or name it with \(DecoderProgram.variable).")
    }
}
