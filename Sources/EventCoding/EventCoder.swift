package import SessionDomain

/// Between events and their stored form. What is written is pinned by golden files.
package enum EventCoder {
  /// - Parameter internConfiguration: keeps a configuration's canonical JSON and returns its digest in lower hex.
  package static func encode(
    _ event: SessionEvent, internConfiguration: (_ canonicalJSON: String) -> String
  ) -> EncodedEvent {
    fatalError("not written yet")
  }

  package static func encode(_ event: LedgerEvent) -> EncodedEvent { fatalError("not written yet") }

  /// - Parameter configuration: the canonical JSON of an interned configuration by its digest.
  /// - Returns: nil for an unknown type or a newer schema version, which is kept and skipped.
  package static func decode(
    _ stored: EncodedEvent, configuration: (_ digest: String) -> String?
  ) throws(CodingFailure) -> SessionEvent? { nil }

  /// The same with configurations that the caller has read before: sessions share them.
  package static func decode(
    _ stored: EncodedEvent, frozen: (_ digest: String) -> FrozenConfiguration?
  ) throws(CodingFailure) -> SessionEvent? { nil }

  package static func decodeLedgerEvent(_ stored: EncodedEvent) throws(CodingFailure)
    -> LedgerEvent?
  { nil }
}
