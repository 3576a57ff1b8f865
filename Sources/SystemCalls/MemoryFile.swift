import CSystem
import Glibc

/// A file in memory without a name: written once, sealed, then the same for ever, whoever has it open. Its pages are no memory of a
/// process that does not map them. See memfd_create(2).
package struct MemoryFile: ~Copyable, Sendable {
    private let file: FileDescriptor
    /// Reads only: the one to give to a child.
    package let reader: FileDescriptor

    package init() throws(SystemError) {
        let number = unsafe cl_memory_file("media")
        if number < 0 { throw SystemError(errno: Glibc.errno, call: "memfd_create") }
        let file = FileDescriptor(owning: number)
        // Opened anew: a duplicate would share the right to write.
        reader = try FileDescriptor(opening: "/proc/self/fd/\(number)", .read, followLinks: true)
        self.file = file
    }

    package borrowing func append(_ bytes: Span<UInt8>) throws(SystemError) { try file.write(bytes) }

    /// From here on nobody can write it, make it shorter or longer, or take a seal off. See fcntl(2), "File Sealing".
    package borrowing func seal() throws(SystemError) {
        if cl_seal_memory_file(file.number) != 0 { throw SystemError(errno: Glibc.errno, call: "fcntl") }
    }
}
