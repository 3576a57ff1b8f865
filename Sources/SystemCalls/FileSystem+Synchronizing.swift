import CSystem
import Glibc

extension FileDescriptor {
    /// All that was written to the file system of this file, contents and names, is on the disk when it returns; what others
    /// wrote too, which may take its time. See syncfs(2).
    ///
    /// - Throws: also when something of somebody else's could not be written since this file was opened.
    package borrowing func synchronizeFileSystem() throws(SystemError) {
        if cl_synchronize_file_system(number) != 0 { throw SystemError(errno: Glibc.errno, call: "syncfs", path: nil) }
    }

    /// Whether `synchronizeFileSystem` keeps its word here: on ext4, XFS and Btrfs, under a kernel that tells of what it failed
    /// to write.
    package var synchronizesWhole: Bool {
        FileSystem.kernelTellsFailures && FileSystem.wholeKinds.contains(cl_file_system_kind(number))
    }
}

extension FileSystem {
    /// The magic numbers of statfs(2) of file systems on disks of this machine that write everything down when they are asked
    /// to: ext2 to ext4, XFS, Btrfs.
    fileprivate static let wholeKinds: Set<Int> = [0xEF53, 0x5846_5342, 0x9123_683E]

    /// Linux 5.8 or newer: older ones let syncfs(2) succeed whatever was lost.
    fileprivate static let kernelTellsFailures: Bool = {
        let text = (try? FileDescriptor(opening: "/proc/sys/kernel/osrelease", .read).readToEnd(limit: 256)) ?? []
        let numbers = String(decoding: text, as: UTF8.self).split { !$0.isASCII || !$0.isNumber }.prefix(2).compactMap {
            Int($0)
        }
        return numbers.count == 2 && (numbers[0], numbers[1]) >= (5, 8)
    }()

    /// Bytes of all files that the kernel has still to write, or is writing; nil where it does not say. See proc_meminfo(5).
    package static var unwrittenBytes: Int64? {
        guard let text = try? FileDescriptor(opening: "/proc/meminfo", .read).readToEnd(limit: 16_384) else { return nil }
        var kibibytes: Int64 = 0
        var found = 0
        for line in text.split(separator: UInt8(ascii: "\n"))
        where line.starts(with: "Dirty:".utf8) || line.starts(with: "Writeback:".utf8) {
            let digits = line.drop { !isDigit($0) }.prefix(while: isDigit)
            guard let count = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
            kibibytes += count
            found += 1
        }
        return found == 2 ? kibibytes << 10 : nil
    }

    private static func isDigit(_ unit: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(unit) }
}
