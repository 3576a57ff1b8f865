import Cryptography
import SessionDomain
import Vault

extension EvidenceVerifier {
    func readMedia(_ entry: EvidenceReader.Entry) throws(EvidenceProblem) -> Digest {
        let digest = try reader.content { _ in }
        if verdict.isRedacted {
            verdict.add(.redactionBroken, in: entry.name, "It is redacted and holds media.")
        }
        guard let named = media[entry.name] else {
            verdict.add(.mediaWrong, in: entry.name, "No event of the session names it.")
            return digest
        }
        guard let commitmentKey else {
            verdict.add(
                .mediaWrong, in: entry.name, at: named.position,
                "The key that its commitment is made with is not here, so that nothing ties it to the event.")
            return digest
        }
        let commitment = SessionKey.commitment(of: digest, disclosed: commitmentKey)
        if entry.size != named.media.bytes || commitment.bytes != named.media.commitment.bytes {
            verdict.add(
                .mediaWrong, in: entry.name, at: named.position,
                named.media.isCrop ? "It is not the page that was cut out." : "It is not what the session took in.")
        } else {
            verdict.committedMedia += 1
        }
        return digest
    }

    /// Media may be missing only where an event says why it is gone, where the archive says that it was left out, or with all of it.
    func concludeMedia() {
        if verdict.isRedacted || verdict.isErased { return }
        for (name, named) in media.sorted(by: { $0.value.position < $1.value.position })
        where !seen.contains(name) && !purged.contains(named.capture) && !leftOut.contains(name.text) {
            verdict.add(.mediaMissing, in: name, at: named.position, "An event names it, and it is not here.")
        }
    }
}
