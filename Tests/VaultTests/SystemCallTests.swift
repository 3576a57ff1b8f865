import Glibc
import SystemCalls
import Testing

@Suite struct SystemCallTests {
    private func code(_ body: () throws -> Void) -> SystemError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? SystemError)?.code }
    }

    @Test func `errors have a code, a sentence and a remedy`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("none")
        do {
            _ = try FileDescriptor(opening: path, .read)
            Issue.record("opened")
        } catch {
            #expect(error.code == .notFound && error.errno == ENOENT && error.call == "open")
            #expect(error.message == "open \(path): No such file or directory")
            #expect(!error.remedy.isEmpty)
        }
        for (number, expected): (Int32, SystemError.Code) in [
            (ENOSPC, .storageFull), (EDQUOT, .storageFull), (EFBIG, .storageFull), (EROFS, .readOnly),
            (EMFILE, .tooManyOpenFiles),
            (EIO, .inputOutput), (EACCES, .permissionDenied), (EINVAL, .other),
            (ENAMETOOLONG, .notFound), (ENOTDIR, .notFound), (ENXIO, .unexpectedKind), (ELOOP, .unexpectedKind),
        ] {
            #expect(SystemError(errno: number, call: "x").code == expected)
        }
        // A device that is always full.
        let full = try FileDescriptor(opening: "/dev/full", .write, followLinks: true)
        #expect(code { try full.write([1]) } == .storageFull)
    }

    @Test func `bytes come back as they were written, from any place`() throws {
        let folder = try TemporaryFolder()
        let bytes = pattern(300_000)
        let file = try FileDescriptor(opening: folder.file("f"), .createNew)
        try file.write(bytes)
        try file.synchronizeData()
        #expect(code { _ = try FileDescriptor(opening: folder.file("f"), .createNew) } == .alreadyExists)
        var part = [UInt8](repeating: 0, count: 1000)
        var span = part.mutableSpan
        let count = try file.read(into: &span, at: 299_500)
        #expect(count == 500)
        #expect(Array(part[..<500]) == Array(bytes[299_500...]))
        #expect(try FileDescriptor(opening: folder.file("f"), .read).readToEnd(limit: 300_000) == bytes)
        #expect(try FileDescriptor(opening: folder.file("f"), .read).readToEnd(limit: 100).count == 101)
        let status = try file.status()
        #expect(status.size == 300_000 && status.kind == .file && status.mode == 0o600 && status.links == 1)
        try FileSystem.remove(folder.file("f"))
        #expect(try file.status().links == 0)
    }

    @Test func `a move never replaces, and a link is never followed`() throws {
        let folder = try TemporaryFolder()
        let opened = try FileDescriptor(opening: folder.path, .folder)
        try folder.write("a", [1])
        try folder.write("b", [2])
        #expect(code { try opened.move("a", to: opened, as: "b") } == .alreadyExists)
        #expect(try folder.read("b") == [2])
        try opened.move("a", to: opened, as: "c")
        #expect(try Set(opened.names()) == ["b", "c"])
        #expect(unsafe symlink(folder.file("c"), folder.file("link")) == 0)
        #expect(code { _ = try opened.open("link", .read) } == .unexpectedKind)
        #expect(code { _ = try FileDescriptor(opening: folder.file("link"), .read) } == .unexpectedKind)
    }

    @Test func `a file without a name is nowhere until it is given one, which replaces nothing`() throws {
        let temporary = try TemporaryFolder()
        let folder = try FileDescriptor(opening: temporary.path, .folder)
        // where the file system of the tests has no such files, there is nothing to see
        guard let file = try folder.makeUnnamed() else { return }
        try file.write(Array("content".utf8))
        #expect(try folder.names() == [] && file.status().mode == 0o600)
        #expect(try file.reopened().readToEnd(limit: 99) == Array("content".utf8))
        try FileDescriptor(opening: temporary.file("taken"), .createNew).write(Array("mine".utf8))
        #expect(code { try folder.link(file, as: "taken") } == .alreadyExists)
        try folder.link(file, as: "given")
        #expect(try folder.names().sorted() == ["given", "taken"])
        #expect(try FileDescriptor(opening: temporary.file("given"), .read).readToEnd(limit: 99) == Array("content".utf8))
        #expect(try FileDescriptor(opening: temporary.file("taken"), .read).readToEnd(limit: 99) == Array("mine".utf8))
        let without = try FileDescriptor(opening: "/proc", .folder)
        let made = try without.makeUnnamed()
        let isMade = made != nil
        #expect(!isMade, "a file system that has none is told from one that fails")
    }

    @Test func `folders and files of a shared ledger belong to its group`() throws {
        let folder = try TemporaryFolder()
        let group = FileAccess.group(getgid())
        let path = folder.file("a/b/c")
        try FileSystem.makeFolder(path, access: group)
        #expect(try FileStatus.of(folder.file("a/b"))?.mode == 0o2770)
        #expect(try FileAccess.matching(folder: path) == group)
        _ = try FileLock(waitingAt: path + "/l", access: group)
        #expect(try FileStatus.of(path + "/l")?.mode == 0o660)
        try FileSystem.makeFolder(folder.file("own"))
        #expect(try FileStatus.of(folder.file("own"))?.mode == 0o700)
        #expect(try FileAccess.matching(folder: folder.file("own")) == .owner)
        try folder.write("file", [])
        #expect(code { try FileSystem.makeFolder(folder.file("file")) } == .alreadyExists)
        #expect(try FileAccess.groupNumber(named: "root") == 0)
        #expect(try FileAccess.groupNumber(named: "no such group here") == nil)
        #expect(try FileSystem.freeBytes(at: folder.path) > 0)
    }

    @Test func `a child gets its input and is read to its end`() throws {
        var child = try ChildProcess(path: "/bin/cat", arguments: ["cat"], hasInput: true)
        try child.write(Array("hello".utf8))
        child.closeInput()
        #expect(try child.output.readToEnd(limit: 100) == Array("hello".utf8))
        #expect(try child.wait(limitMilliseconds: 5000) == .exited(0))
        let run = try ChildProcess.run(
            path: "/bin/sh", arguments: ["sh", "-c", "echo out; exit 7"], limitMilliseconds: 5000, outputLimit: 100)
        #expect(run.end == .exited(7) && run.output == Array("out\n".utf8))
        let variables = try ChildProcess(path: "/usr/bin/env", arguments: ["env"], environment: ["A=1"])
        #expect(try variables.output.readToEnd(limit: 100) == Array("A=1\n".utf8))
    }

    @Test func `a child that takes too long is killed with its children`() throws {
        let folder = try TemporaryFolder()
        let started = SystemClock.monotonicNanoseconds()
        #expect(
            code {
                _ = try ChildProcess.run(
                    path: "/bin/sh", arguments: ["sh", "-c", "echo $$ > '\(folder.path)/pid'; sleep 600"],
                    limitMilliseconds: 300,
                    outputLimit: 10)
            } == .timedOut)
        #expect(SystemClock.monotonicNanoseconds() - started < 20_000_000_000)
        let text = String(decoding: try folder.read("pid").dropLast(), as: UTF8.self)
        let group = try #require(Int32(text))
        #expect(kill(group, 0) == -1)
        #expect(
            code {
                _ = try ChildProcess.run(
                    path: "/bin/cat", arguments: ["cat", "/dev/zero"], limitMilliseconds: 10_000, outputLimit: 100)
            } == .outputTooLarge)
        #expect(code { _ = try ChildProcess(path: "/no/such/program", arguments: ["x"]) } == .notFound)
    }

    @Test func `a child inherits no descriptor of ours`() throws {
        let folder = try TemporaryFolder()
        let file = try FileDescriptor(opening: folder.file("secret"), .createNew)
        let run = try ChildProcess.run(
            path: "/bin/ls", arguments: ["ls", "-l", "/proc/self/fd"], limitMilliseconds: 5000, outputLimit: 10_000)
        #expect(run.end == .exited(0))
        #expect(!String(decoding: run.output, as: UTF8.self).contains("secret"))
        _ = file.number
    }

    @Test func `random bytes differ and the clocks go forward`() {
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
        #expect(SecureRandom.bytes(0).isEmpty)
        let before = SystemClock.monotonicNanoseconds()
        #expect(SystemClock.monotonicNanoseconds() >= before)
        #expect(SystemClock.realtimeMilliseconds() > 1_700_000_000_000)
        #expect(SystemClock.boottimeNanoseconds() >= 0)
    }
}
