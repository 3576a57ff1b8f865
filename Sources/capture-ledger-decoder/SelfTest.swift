import CSystem
import Glibc

/// Locks down as for a picture, tries what must fail, and prints one JSON object: each attempt with the number of its errno, 0 where
/// it went through.
enum SelfTest {
    static func run() -> Int32 {
        let parent = getppid()
        guard cl_close_from(3) == 0, Decoder.prepare(.picture), LockDown.limit(.picture), cl_give_up_privileges() == 0 else {
            return 70
        }
        let landlock = cl_landlock()
        guard landlock >= 0 else { return 71 }
        var lines = ["\"landlock\":\(landlock)"]
        // Between the two, so that each is seen to hold without the other.
        lines.append(unsafe "\"landlock_open\":\(cl_try_open("/etc/passwd", 0))")
        lines.append(unsafe "\"landlock_write\":\(cl_try_open("/tmp/capture-ledger-decoder-self-test", 1))")
        guard cl_seccomp() == 0 else { return 71 }
        lines.append(unsafe "\"open\":\(cl_try_open("/etc/passwd", 0))")
        lines.append(unsafe "\"write\":\(cl_try_open("/tmp/capture-ledger-decoder-self-test", 1))")
        lines.append("\"socket\":\(cl_try_socket())")
        lines.append("\"exec\":\(cl_try_exec())")
        lines.append("\"fork\":\(cl_try_fork())")
        lines.append("\"trace\":\(cl_try_trace())")
        lines.append("\"signal\":\(cl_try_signal(parent))")
        lines.append("\"executable_memory\":\(cl_try_executable_memory())")
        lines.append("\"memory\":\(cl_try_memory(Int(LockDown.addressSpace)))")
        lines.append("\"raise_limit\":\(cl_try_limit())")
        lines.append("\"thread\":\(cl_try_thread())")
        let text = "{" + lines.joined(separator: ",") + "}\n"
        _ = unsafe Array(text.utf8).withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
        _exit(0)
    }
}
