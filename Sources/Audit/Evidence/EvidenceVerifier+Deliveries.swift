import Cryptography
import DeliveryMachine
import SessionDomain

extension EvidenceVerifier {
    func readDelivery(_ line: ArraySlice<UInt8>) {
        guard let json = try? JSONValue.parse(Array(line)), let id = json["delivery_id"]?.asString.flatMap({ UUID128($0) }),
            let attempts = json["attempts"]?.asArray
        else {
            verdict.add(.attemptUnreadable, in: .deliveries, "A line is no delivery.")
            return
        }
        for attempt in attempts { readAttempt(attempt, of: id) }
        if let digest = json["request"]?["frozen_sha256"]?.asString { requests[id] = digest }
    }

    private func readAttempt(_ json: JSONValue, of delivery: UUID128) {
        guard let record = json["row"]?.asString.flatMap({ Base64.decode($0) }).flatMap({ StoredAttempt(row: $0) }),
            let members = json.asMembers
        else {
            verdict.add(.attemptUnreadable, in: .deliveries, "A request of delivery \(delivery.text) cannot be read.")
            return
        }
        verdict.attempts += 1
        let digest = record.digest
        let told = JSONValue.members(members.filter { $0.key != "row" && $0.key != "digest" })
        if told != record.json || json["digest"]?.asString != digest.hex || record.deliveryID != delivery {
            verdict.add(
                .attemptDiffers, in: .deliveries,
                "What is shown of request \(record.number) of delivery \(delivery.text) is not what its stored bytes say.")
        }
        attemptDigests.insert(digest)
        if let id = record.evidenceID, let expected = record.evidenceDigest { answers[id] = expected }
    }

    func readRequest(_ bytes: [UInt8], _ id: UUID128) {
        if verdict.isRedacted {
            verdict.add(.redactionBroken, in: .request(id), "It is redacted and holds a request.")
        }
        guard let json = try? JSONValue.parse(bytes), let request = FrozenBody(json: json) else {
            verdict.add(.requestWrong, in: .request(id), "The request cannot be read.")
            return
        }
        if requests[id] != request.digest.hex {
            verdict.add(.requestWrong, in: .request(id), "It is not the request that was frozen for this delivery.")
        }
    }

    func readAnswer(_ entry: EvidenceReader.Entry, _ id: UUID128) throws(EvidenceProblem) -> Digest {
        let digest = try reader.content { _ in }
        if verdict.isRedacted {
            verdict.add(.redactionBroken, in: entry.name, "It is redacted and holds an answer.")
        }
        if answers[id] == digest {
            verdict.answers += 1
        } else {
            verdict.add(.answerWrong, in: entry.name, "It is not the answer that the request's row names.")
        }
        return digest
    }

    /// Every outcome rests on a request that is here, and every answer that was kept is here unless it is said why not.
    func concludeDeliveries() {
        for outcome in outcomes {
            if let digest = Digest(outcome.evidence.bytes), attemptDigests.contains(digest) {
                verdict.provenAttempts += 1
            } else {
                verdict.add(
                    .attemptMissing, in: .deliveries, at: outcome.position, "The request that the outcome rests on is not here."
                )
            }
        }
        if verdict.isRedacted || verdict.isErased { return }
        for id in answers.keys.sorted() {
            let name = EvidenceName.answer(id)
            if !seen.contains(name), !leftOut.contains(name.text) {
                verdict.add(.answerMissing, in: name, "A request's row names it, and it is not here.")
            }
        }
    }
}
