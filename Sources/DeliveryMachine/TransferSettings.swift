/// Limits and identity of the connection to a destination.
package struct TransferSettings: Hashable, Sendable {
    package var connectTimeoutMilliseconds = 10_000
    /// The low-speed limit alone may never fire, so a whole transfer has an end of its own.
    package var totalTimeoutMilliseconds = 600_000
    package var lowSpeedBytesPerSecond = 64
    package var lowSpeedSeconds = 60
    /// Sent to the destination a second at most, all its transfers together; nil sets no limit.
    package var bandwidthBytesPerSecond: Int?
    /// Counted on decoded bytes.
    package var answerLimitBytes = 1 << 20
    package var headerLimitBytes = 64 << 10
    /// A proxy's address; nil uses none, whatever the environment says.
    package var proxy: String?
    /// PEM file of the authorities to trust instead of the system's.
    package var authorityFile: String?
    package var clientCertificateFile: String?
    package var clientKeyFile: String?
    /// Private addresses that may be connected to, as literal addresses.
    package var allowedAddresses: [String] = []

    package init() {}
}
