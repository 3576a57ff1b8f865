import Glibc
import MediaChecks
import MediaDecoding
import SessionDomain
import SystemCalls
import Testing

/// What holds in the locked-down process, tried from inside.
@Suite(.serialized) struct SandboxTests {
    private func selfTest(_ program: DecoderProgram) throws -> JSONValue {
        let run = try ChildProcess.run(
            path: program.path, arguments: ["decoder", "--self-test"], limitMilliseconds: 60_000, outputLimit: 10_000)
        #expect(run.end == .exited(0))
        return try JSONValue.parse(run.output)
    }

    /// The version of Landlock that the kernel has, asked by another program; 0: none. See landlock_create_ruleset(2).
    private func kernelsLandlock() throws -> Int64 {
        let script = "import ctypes; print(max(0, ctypes.CDLL(None).syscall(444, None, 0, 1)))"
        let run = try ChildProcess.run(
            path: "/usr/bin/env", arguments: ["env", "python3", "-c", script], limitMilliseconds: 60_000, outputLimit: 100)
        return try #require(Int64(String(decoding: run.output, as: UTF8.self).filter(\.isNumber)))
    }

    @Test func `inside, no file, socket, program, process or signal is to be had`() throws {
        let answers = try selfTest(decoder.program)
        for call in ["open", "write", "socket", "exec", "fork", "trace", "signal", "executable_memory", "raise_limit"] {
            #expect(answers[call]?.asInteger == Int64(EPERM), "\(call)")
        }
        #expect(answers["memory"]?.asInteger == Int64(ENOMEM))
        #expect(answers["thread"]?.asInteger == 0, "threads it may have")
        let landlock = try #require(answers["landlock"]?.asInteger)
        #expect(landlock == (try kernelsLandlock()))
        if landlock > 0 {
            #expect(
                answers["landlock_open"]?.asInteger == Int64(EACCES) && answers["landlock_write"]?.asInteger == Int64(EACCES))
        }
    }

    @Test func `where the kernel lacks Landlock the rest holds, and it is told`() throws {
        let script = try ScriptedProgram("without_landlock.py", decoder.program.path)
        let answers = try selfTest(script.program)
        #expect(answers["landlock"]?.asInteger == 0)
        for call in ["open", "write", "socket", "exec"] { #expect(answers[call]?.asInteger == Int64(EPERM), "\(call)") }
        let client = DecoderClient(program: script.program, limits: DecodingLimits(startMilliseconds: 30_000))
        #expect(try client.protection().missing?.contains("Landlock") == true)
        #expect(try open(try Fixture.bytes("selfie.jpg"), with: client).pixels(nil, .within(10)).height == 10)
    }

    @Test func `it tells which protections are in force`() throws {
        let protection = try decoder.protection()
        #expect(try Int64(protection.landlock) == kernelsLandlock())
        #expect((protection.missing == nil) == (protection.landlock > 0))
    }

    @Test func `a decoder holds three descriptors beside the standard ones, and nothing of its client's`() throws {
        let held = try FileDescriptor(opening: "/dev/zero", .read, followLinks: true)
        #expect(fcntl(held.number, F_SETFD, 0) == 0)  // a host that forgot to close it for its children
        let before = try Belongings.now()
        let client = DecoderClient(program: decoder.program, keepsSpare: false)
        let picture = try open(try Fixture.bytes("selfie.jpg"), with: client)
        let child = try #require(try Belongings.now().children.subtracting(before.children).first)
        // Its own files are closed to us: the process cannot be dumped or looked into by its user.
        let names = try ChildProcess.run(
            path: "/bin/ls", arguments: ["ls", "-l", "/proc/\(child)/fd"], limitMilliseconds: 10_000, outputLimit: 10_000)
        let listing = String(decoding: names.output, as: UTF8.self)
        if geteuid() == 0 {
            #expect(listing.split(separator: "\n").count { $0.contains("->") } == 6, "\(listing)")
            #expect(!listing.contains("/dev/zero"))
        } else {
            #expect(!listing.contains("->"))
        }
        picture.close()
        _ = held
    }

    @Test func `the program is found by what is named, and nothing else takes its place`() {
        #expect(DecoderProgram.find(option: "/nonexistent") == nil)
        #expect(DecoderProgram.find(option: "/bin/sh")?.path == "/bin/sh")
        #expect(DecoderProgram.find()?.path.hasSuffix("/capture-ledger-decoder") == true)
    }
}
