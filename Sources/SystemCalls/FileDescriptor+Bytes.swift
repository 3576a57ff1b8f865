import Glibc

extension FileDescriptor {
    /// Writes all of it; see write(2). After an error an unknown part was written.
    package borrowing func write(_ bytes: Span<UInt8>) throws(SystemError) { try Self.write(bytes, to: number) }

    package borrowing func write(_ bytes: [UInt8]) throws(SystemError) { try write(bytes.span) }

    /// Writes all of it at `offset`, wherever the file stands; see pwrite(2).
    package borrowing func write(_ bytes: Span<UInt8>, at offset: Int64) throws(SystemError) {
        let failure = unsafe bytes.withUnsafeBytes { buffer -> Int32 in
            var done = 0
            while done < buffer.count {
                let count = unsafe pwrite(number, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + done)
                if count >= 0 { done += count } else if Glibc.errno != EINTR { return Glibc.errno }
            }
            return 0
        }
        if failure != 0 { throw SystemError(errno: failure, call: "pwrite") }
    }

    static func write(_ bytes: Span<UInt8>, to number: Int32) throws(SystemError) {
        let failure = unsafe bytes.withUnsafeBytes { buffer -> Int32 in
            var done = 0
            while done < buffer.count {
                let count = unsafe Glibc.write(number, buffer.baseAddress! + done, buffer.count - done)
                if count >= 0 { done += count } else if Glibc.errno != EINTR { return Glibc.errno }
            }
            return 0
        }
        if failure != 0 { throw SystemError(errno: failure, call: "write") }
    }

    /// Up to `bytes.count` bytes from where the file stands; 0 at its end. See read(2).
    package borrowing func read(into bytes: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
        let result = unsafe bytes.withUnsafeMutableBytes { buffer -> Int in
            while true {
                let count = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                if Glibc.errno != EINTR { return -Int(Glibc.errno) }
            }
        }
        if result < 0 { throw SystemError(errno: Int32(-result), call: "read") }
        return result
    }

    /// Fills `bytes` from `offset` on and returns how many there were: fewer only at the end of the file. See pread(2).
    package borrowing func read(into bytes: inout MutableSpan<UInt8>, at offset: Int64) throws(SystemError) -> Int {
        let result = unsafe bytes.withUnsafeMutableBytes { buffer -> Int in
            var done = 0
            while done < buffer.count {
                let count = unsafe pread(number, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + done)
                if count == 0 { break }
                if count > 0 { done += count } else if Glibc.errno != EINTR { return -Int(Glibc.errno) }
            }
            return done
        }
        if result < 0 { throw SystemError(errno: Int32(-result), call: "pread") }
        return result
    }

    /// Appends `count` bytes from `offset` on to `output` and puts those behind them into `rest`. Returns how many there were of
    /// both: fewer only at the end of the file, and then nothing is appended. See preadv(2).
    package borrowing func read(
        _ count: Int, appendingTo output: inout OutputSpan<UInt8>, then rest: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        precondition(count <= output.freeCapacity, "no room for so many bytes")
        let result = unsafe output.withUnsafeMutableBufferPointer { buffer, filled -> Int in
            let first = unsafe UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...].prefix(count))
            let result = unsafe rest.withUnsafeMutableBytes { unsafe Self.read(number, first, $0, off_t(offset)) }
            if result == count + rest.count { filled += count }
            return result
        }
        if result < 0 { throw SystemError(errno: Int32(-result), call: "preadv") }
        return result
    }

    /// Minus the error's number when there was one.
    private static func read(
        _ number: Int32, _ first: UnsafeMutableRawBufferPointer, _ second: UnsafeMutableRawBufferPointer, _ offset: off_t
    ) -> Int {
        var done = 0
        while done < first.count + second.count {
            let (start, over) = (min(done, first.count), max(0, done - first.count))
            let parts = unsafe [
                iovec(iov_base: first.baseAddress.map { unsafe $0 + start }, iov_len: first.count - start),
                iovec(iov_base: second.baseAddress.map { unsafe $0 + over }, iov_len: second.count - over),
            ]
            let count = unsafe preadv(number, parts, 2, offset + done)
            if count == 0 { break }
            if count > 0 { done += count } else if Glibc.errno != EINTR { return -Int(Glibc.errno) }
        }
        return done
    }

    /// The whole file from where it stands, at most `limit` bytes and one more, so that a caller sees that there was more.
    package borrowing func readToEnd(limit: Int) throws(SystemError) -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit + 1, 65_536))
        while result.count <= limit {
            var span = buffer.mutableSpan
            let count = try read(into: &span)
            if count == 0 { break }
            result.append(contentsOf: buffer[..<count])
        }
        if result.count > limit + 1 { result.removeLast(result.count - limit - 1) }
        return result
    }

    /// Cuts off what lies behind; see ftruncate(2).
    package borrowing func truncate(to size: Int64) throws(SystemError) {
        if ftruncate(number, off_t(size)) != 0 { throw SystemError(errno: Glibc.errno, call: "ftruncate") }
    }

    /// Content and metadata are on the disk when it returns; see fsync(2). A failed one must not be repeated: the pages may be lost.
    package borrowing func synchronize() throws(SystemError) {
        if fsync(number) != 0 { throw SystemError(errno: Glibc.errno, call: "fsync") }
    }

    /// Content and size, without the times; see fdatasync(2).
    package borrowing func synchronizeData() throws(SystemError) {
        if fdatasync(number) != 0 { throw SystemError(errno: Glibc.errno, call: "fdatasync") }
    }
}
