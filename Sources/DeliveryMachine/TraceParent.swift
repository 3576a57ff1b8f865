package import SessionDomain

/// W3C Trace Context: one trace a delivery, one span an attempt. Both follow from what the delivery log holds, so an
/// endpoint's logs can be joined with it later.
package enum TraceParent {
    package static func text(_ delivery: DeliveryID, fence: Int64) -> String {
        var mixed = SeededGenerator(seed: delivery.uuid.low ^ UInt64(bitPattern: fence))
        let span = UUID128(high: mixed.next() | 1, low: 0).text.filter { $0 != "-" }.prefix(16)
        return "00-\(delivery.text.filter { $0 != "-" })-\(span)-01"
    }
}
