package import DeliveryMachine

extension DeliveryQueue {
    /// For tests that send nothing: no bytes are fixed.
    package func claim(_ quotas: [ClaimQuota], nowMilliseconds: Int64) throws(DeliveryFault) -> [ClaimedDelivery] {
        try claim(quotas, nowMilliseconds: nowMilliseconds) { _ in nil }
    }
}
