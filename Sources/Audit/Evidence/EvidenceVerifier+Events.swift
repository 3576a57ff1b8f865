import Cryptography
import EventCoding
import SessionDomain

extension EvidenceVerifier {
    func readConfiguration(_ bytes: [UInt8]) {
        configurationDigest = SHA256.digest(of: bytes).hex
    }

    func readEvent(_ line: ArraySlice<UInt8>) {
        guard let json = try? JSONValue.parse(Array(line)), let shown = json.asMembers,
            let record = json["row"]?.asString.flatMap({ Base64.decode($0) }).flatMap({ EventRecord(row: $0) })
        else {
            verdict.add(.eventUnreadable, in: .events, "Line \(leaves.count + 1) is no event.")
            return
        }
        let position = record.position
        verdict.events += 1
        checkPlace(of: record)
        // What was derived from the stored bytes is derived again; a type that this version does not know keeps the name it was given.
        var told = shown.filter { !["row", "leaf", "private"].contains($0.key) }
        if record.type == nil {
            told = told.filter { $0.key != "type" } + [.init("type", .string(record.typeName))]
        }
        if JSONValue.members(told) != record.json {
            verdict.add(
                .eventDiffers, in: .events, at: position, "What is shown of the event is not what its stored bytes say.")
        }
        let leaf = record.leaf
        if json["leaf"]?.asString != leaf.hex {
            verdict.add(.eventDiffers, in: .events, at: position, "Its leaf hash is not that of its stored bytes.")
        }
        leaves.append((position, leaf))
        checkPrivateHalf(json["private"], of: record)
        take(record)
    }

    private func checkPlace(of record: EventRecord) {
        if let last = leaves.last, record.position <= last.position {
            verdict.add(.eventMissing, in: .events, at: record.position, "The events are not in their order.")
        }
        if record.session == verdict.session {
            if record.version != lastVersion + 1 {
                verdict.add(
                    .eventMissing, in: .events, at: record.position,
                    "Version \(record.version) of the session follows version \(lastVersion).")
            }
            lastVersion = record.version
        } else if record.session != verdict.ledger || record.facts["session"]?.asString != verdict.session?.text {
            verdict.add(.eventForeign, in: .events, at: record.position, "The event is not of this session.")
        }
    }

    private func checkPrivateHalf(_ json: JSONValue?, of record: EventRecord) {
        guard let half = PrivateHalf(json: json), half.agrees(with: record.sealed, session: record.session) else {
            verdict.add(
                .privateDiffers, in: .events, at: record.position,
                "What is shown of the private half is not what the stored bytes hold.")
            return
        }
        guard case .open = half else { return }
        verdict.openedPrivateHalves += 1
        if verdict.isRedacted {
            verdict.add(.redactionBroken, in: .events, at: record.position, "It is redacted and holds an opened private half.")
        }
    }

    /// Remembers what later entries are compared with.
    private func take(_ record: EventRecord) {
        for finding in record.findings {
            expectedFindings.update(finding.canonicalBytes)
            expectedFindings.update(byte: UInt8(ascii: "\n"))
        }
        if let capture = record.captureID {
            for media in [record.original, record.crop].compactMap(\.self) {
                self.media[.media(media)] = Named(media: media, capture: capture, position: record.position)
            }
        }
        if let evidence = record.evidence { outcomes.append(Outcome(position: record.position, evidence: evidence)) }
        switch record.type {
        case .sessionStarted:
            configuration = record.facts["configuration"]?.asString
            if let configuration, let found = configurationDigest, found != configuration {
                verdict.add(
                    .configurationWrong, in: .configuration, at: record.position,
                    "It is not the configuration that the session was begun with.")
            }
        case .mediaPurged: if let capture = record.captureID { purged.insert(capture) }
        case .sessionErased: verdict.isErased = true
        default: break
        }
    }
}
