/// Where a verifier's answer holds what this product needs, as JSON Pointers (RFC 6901), so that an existing endpoint with
/// names of its own can be used without code. The defaults are the contract in `docs/verifier-api.yaml`.
package struct ResponseMapping: Hashable, Sendable {
    package var outcome = "/outcome"
    /// The text found at `outcome` → what it means.
    package var verifiedValues: [String] = ["verified"]
    package var rejectedValues: [String] = ["rejected"]
    package var failedValues: [String] = ["failed"]
    package var payload = "/payload"
    package var reason: String? = "/reason"
    package var staffReason = "/staff_reason"
    package var message = "/message"
    package var dropPieces = "/drop_pieces"
    /// Must name the capture that was sent, so that the answer is known to belong to it; nil where an endpoint has no such
    /// field.
    package var captureID: String? = "/capture_id"
    /// The status address in an answer with status 202 that has no `Location`.
    package var statusAddress = "/status_url"

    package init() {}
}
