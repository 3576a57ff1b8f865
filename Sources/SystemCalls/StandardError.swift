/// Descriptor 2 of this process.
package enum StandardError {
    /// Writes a line; one that cannot be written is lost.
    package static func write(_ line: String) { try? FileDescriptor.write(Array((line + "\n").utf8).span, to: 2) }
}
