import EventCoding
import EventStorage
package import MediaChecks
import SessionDomain

/// A check policy that judged something in this ledger: its name is on record, and its text is kept.
package struct RegisteredPolicy: Sendable {
    /// As findings name it: the version and what tells two policies of one version apart.
    package let version: String
    /// SHA-256 of its canonical text, lower hex.
    package let digest: String
    package let position: Int64
    package let registeredAtMilliseconds: Int64
    /// nil where its text is not kept, or this version cannot read it.
    package let policy: CheckPolicy?
}

extension WriteContext {
    /// Keeps a policy's text and puts its name on record the first time that it judges: what findings name can be read for ever. Its text
    /// is interned like a configuration, in the transaction of the event, so that it being there says that the event is.
    func register(_ policy: CheckPolicy) throws(LedgerError) {
        let text = policy.json.canonical
        let digest = Digests.sha256(Array(text.utf8))
        guard let words = Digest256(bytes: digest) else { return }
        let isKnown = try translated { () throws(StorageError) in try reader.configuration(Hex.text(digest)) != nil }
        if isKnown { return }
        try translated { () throws(StorageError) in try writer.intern(configuration: text, digest: digest) }
        try append(.policyRegistered(PolicyRegistered(policyVersion: policy.identity, digest: words)))
    }
}

extension Ledger {
    /// Every policy that judged something here, in the order in which they came into use.
    package func registeredPolicies() throws(LedgerError) -> [RegisteredPolicy] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var (found, texts): ([(PolicyRegistered, StoredEvent)], [RegisteredPolicy]) = ([], [])
                try context.events.forEachEvent(ofSession: 0) { (stored) throws(StorageError) in
                    guard stored.encoded.type == EventType.policyRegistered.code else { return true }
                    if case .policyRegistered(let event)? = try? EventCoder.decodeLedgerEvent(stored.encoded) {
                        found.append((event, stored))
                    }
                    return true
                }
                for (event, stored) in found {
                    let text = try context.events.configuration(event.digest.hex)
                    texts.append(
                        RegisteredPolicy(
                            version: event.policyVersion, digest: event.digest.hex, position: stored.position,
                            registeredAtMilliseconds: stored.recordedAtMilliseconds,
                            policy: text.flatMap { try? CheckPolicy(text: $0) }))
                }
                return texts
            }
        }
    }
}
