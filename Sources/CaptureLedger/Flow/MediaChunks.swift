public import FoundationEssentials
import Synchronization

/// An original, opened a chunk at a time. Each iteration opens it anew and records that in the ledger's `access.jsonl`.
public struct MediaChunks: AsyncSequence, Sendable {
    public typealias Element = Data
    public typealias Failure = LedgerError

    let result: CaptureResult
    let size: Int

    public func makeAsyncIterator() -> Iterator { Iterator(result: result, size: size) }

    public struct Iterator: AsyncIteratorProtocol {
        public typealias Element = Data
        public typealias Failure = LedgerError

        let result: CaptureResult
        let size: Int
        private var offset: Int64 = 0
        private var media: OpenedOnce?

        init(result: CaptureResult, size: Int) {
            self.result = result
            self.size = size
        }

        public mutating func next() async throws(LedgerError) -> Data? { try await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(LedgerError) -> Data? {
            let media = media ?? OpenedOnce(result)
            self.media = media
            let (start, size, ledger) = (offset, size, result.ledger)
            let chunk = try await ledger.hosting.work.run { () throws(LedgerError) in
                Data(try media.read(at: start, limit: size))
            }
            offset += Int64(chunk.count)
            return chunk.isEmpty ? nil : chunk
        }
    }
}

/// Opens an original at its first read; one read at a time.
private final class OpenedOnce: Sendable {
    private struct Opened: @unchecked Sendable {
        // Behind the mutex alone.
        let media: OpenedMedia
    }

    private let result: CaptureResult
    private let opened = Mutex<Opened?>(nil)

    init(_ result: CaptureResult) { self.result = result }

    func read(at offset: Int64, limit: Int) throws(LedgerError) -> ArraySlice<UInt8> {
        let answer = opened.withLock { opened -> Result<ArraySlice<UInt8>, LedgerError> in
            do throws(LedgerError) {
                let media =
                    if let opened { opened } else {
                        Opened(media: try result.ledger.openMedia(result.capture, of: result.session))
                    }
                opened = media
                return .success(try media.media.read(at: offset, limit: limit))
            } catch { return .failure(error) }
        }
        return try answer.get()
    }
}
