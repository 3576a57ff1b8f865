import CSystem
import Glibc

/// Memory that a child has too, by its descriptor. Its size is sealed, so that the child cannot take a page away from under us; what
/// is in it may change at any time. See memfd_create(2), mmap(2).
@safe package struct SharedMemory: ~Copyable {
    package let file: FileDescriptor
    package let byteCount: Int
    private let start: UnsafeMutableRawPointer

    package init(byteCount: Int) throws(SystemError) {
        let number = unsafe cl_memory_file("tensors")
        if number < 0 { throw SystemError(errno: Glibc.errno, call: "memfd_create") }
        let file = FileDescriptor(owning: number)
        if ftruncate(number, off_t(byteCount)) != 0 { throw SystemError(errno: Glibc.errno, call: "ftruncate") }
        if cl_seal_memory_size(number) != 0 { throw SystemError(errno: Glibc.errno, call: "fcntl") }
        guard let start = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0), unsafe start != MAP_FAILED
        else { throw SystemError(errno: Glibc.errno, call: "mmap") }
        self.file = file
        self.byteCount = byteCount
        unsafe self.start = start
    }

    deinit { unsafe _ = munmap(start, byteCount) }

    /// False where they would not end before `limit`.
    package borrowing func write(_ values: [Float], at offset: Int, limit: Int) -> Bool {
        guard offset >= 0, limit <= byteCount, values.count <= limit / 4, offset <= limit - 4 * values.count else {
            return false
        }
        unsafe values.withUnsafeBytes { bytes in
            if let source = bytes.baseAddress { unsafe (start + offset).copyMemory(from: source, byteCount: bytes.count) }
        }
        return true
    }

    /// A copy; nil where they do not lie inside.
    package borrowing func floats(at offset: Int, count: Int) -> [Float]? {
        guard offset >= 0, count >= 0, count <= byteCount / 4, offset <= byteCount - 4 * count else { return nil }
        return unsafe [Float](unsafeUninitializedCapacity: count) { buffer, filled in
            if let target = buffer.baseAddress { unsafe memcpy(target, start + offset, 4 * count) }
            filled = count
        }
    }
}
