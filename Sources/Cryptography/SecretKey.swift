import COpenSSL

/// 32 secret bytes, overwritten when the last user lets go of them. They are never printed.
@safe package final class SecretKey: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
    package static let byteCount = 32

    // Written once, in an initializer, before anybody else can see it.
    private let memory: UnsafeMutableRawPointer

    init(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        unsafe memory = .allocate(byteCount: Self.byteCount, alignment: 16)
        unsafe fill(memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.byteCount))
    }

    /// Copies; the caller's bytes stay the caller's to clear. Nil unless there are 32.
    package convenience init?(copying bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        unsafe self.init { target in
            for index in bytes.indices { unsafe target[index] = bytes[index] }
        }
    }

    /// The same of bytes that lie somewhere else.
    package convenience init?(copying bytes: Span<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        unsafe self.init { target in
            for index in bytes.indices { unsafe target[index] = bytes[index] }
        }
    }

    deinit {
        unsafe OPENSSL_cleanse(memory, Self.byteCount)
        unsafe memory.deallocate()
    }

    func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        unsafe body(UnsafeRawBufferPointer(start: memory, count: Self.byteCount))
    }

    /// A copy, for the one place that writes a master key down. Clear it with `cleanse`.
    package func copyBytes() -> [UInt8] { unsafe withBytes { unsafe Array($0) } }

    package var description: String { "SecretKey" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Overwrites secret bytes in place.
package func cleanse(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
}
