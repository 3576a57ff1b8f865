// What a host's own verifiers ask.

extension SchemaFiles {
    package static var claimCandidatesOfSession: [UInt8] { PackageResources.claim_candidates_of_session_sql }
}
