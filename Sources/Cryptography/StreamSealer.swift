/// Seals a plaintext that arrives in pieces of any size, in constant memory. The sealed bytes gather in a buffer of 256 KiB, which
/// the caller takes away with `drain` whenever `append` says so.
@safe package final class StreamSealer {
    private static let chunksInBuffer = 4

    private var cipher: AESGCM
    private let header: [UInt8]
    private var chunk: UInt32 = 0
    private var isFinished = false

    // The last chunk is marked, so a full chunk is kept back until it is known that more follows.
    private let pending: UnsafeMutableRawBufferPointer
    private var pendingCount = 0
    private let output: UnsafeMutableRawBufferPointer
    private var outputCount = 0

    /// - Parameters:
    ///   - key: the session's key; the stream's own is derived from it, `salt` and `info`.
    ///   - salt: 16 fresh random bytes.
    package init(key: SecretKey, salt: [UInt8], info: [UInt8]) {
        precondition(salt.count == StreamLayout.saltByteCount, "a stream's salt has 16 bytes")
        cipher = AESGCM(key: HKDF.key(from: key, salt: salt, info: info))
        header = StreamLayout.magic + salt
        unsafe pending = .allocate(byteCount: StreamLayout.chunkByteCount, alignment: 64)
        unsafe output = .allocate(
            byteCount: StreamLayout.headerByteCount + Self.chunksInBuffer * StreamLayout.sealedChunkByteCount, alignment: 64)
        unsafe output.copyBytes(from: header)
        outputCount = header.count
    }

    deinit {
        unsafe pending.initializeMemory(as: UInt8.self, repeating: 0)
        unsafe pending.deallocate()
        unsafe output.deallocate()
    }

    /// A whole stream whose plaintext fits into one chunk.
    package static func sealed(_ plain: [UInt8], key: SecretKey, salt: [UInt8], info: [UInt8]) -> [UInt8] {
        precondition(salt.count == StreamLayout.saltByteCount && plain.count <= StreamLayout.chunkByteCount)
        let header = StreamLayout.magic + salt
        var cipher = AESGCM(key: HKDF.key(from: key, salt: salt, info: info))
        var sealed = header
        sealed.reserveCapacity(header.count + plain.count + AESGCM.tagByteCount)
        cipher.seal(plain.span, nonce: Nonce(chunk: 0, isLast: true), aad: header.span, appendingTo: &sealed)
        return sealed
    }

    /// True when no further chunk fits: `drain` before going on.
    package var isFull: Bool { unsafe output.count - outputCount < StreamLayout.sealedChunkByteCount }

    /// Takes bytes until the buffer is full and returns how many of them it took.
    ///
    /// - Throws: `too_large` beyond 2³² chunks.
    package func append(_ plain: Span<UInt8>) throws(CryptographyError) -> Int {
        precondition(!isFinished, "the stream was finished")
        var done = 0
        while done < plain.count {
            if pendingCount == StreamLayout.chunkByteCount {
                if isFull { return done }
                try sealPending(isLast: false)
            }
            // A chunk that is whole and has bytes after it is sealed from where it is.
            while pendingCount == 0, plain.count - done > StreamLayout.chunkByteCount {
                if isFull { return done }
                try seal(plain.extracting(done..<done + StreamLayout.chunkByteCount), isLast: false)
                done += StreamLayout.chunkByteCount
            }
            let count = min(plain.count - done, StreamLayout.chunkByteCount - pendingCount)
            unsafe plain.withUnsafeBytes { plain in
                unsafe UnsafeMutableRawBufferPointer(rebasing: pending[pendingCount...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: plain[done..<done + count]))
            }
            pendingCount += count
            done += count
        }
        return done
    }

    /// Seals the last chunk. `drain` first when the buffer is full, and once more afterwards.
    package func finish() throws(CryptographyError) {
        precondition(!isFinished && !isFull, "drain a full buffer before the stream is finished")
        try sealPending(isLast: true)
        isFinished = true
    }

    /// Hands the sealed bytes to `sink`, which must be done with them when it returns, and empties the buffer.
    package func drain<Failure: Error>(to sink: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
        let bytes = unsafe UnsafeBufferPointer<UInt8>(
            start: output.baseAddress!.assumingMemoryBound(to: UInt8.self), count: outputCount)
        outputCount = 0
        try sink(unsafe bytes.span)
    }

    private func sealPending(isLast: Bool) throws(CryptographyError) {
        let bytes = unsafe UnsafeBufferPointer<UInt8>(
            start: pending.baseAddress!.assumingMemoryBound(to: UInt8.self), count: pendingCount)
        try seal(unsafe bytes.span, isLast: isLast)
        pendingCount = 0
    }

    private func seal(_ plain: Span<UInt8>, isLast: Bool) throws(CryptographyError) {
        let count = plain.count + AESGCM.tagByteCount
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: output[outputCount..<outputCount + count])
        let header = header
        unsafe plain.withUnsafeBytes { plain in
            unsafe cipher.seal(plain, nonce: Nonce(chunk: chunk, isLast: isLast), aad: header.span, into: target)
        }
        outputCount += count
        if !isLast {
            guard chunk < .max else { throw .tooLarge }
            chunk += 1
        }
    }
}
