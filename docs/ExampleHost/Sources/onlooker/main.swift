import CaptureLedger
import Foundation

// onlooker LEDGER: says how many events it sees and goes on looking until its input ends. It links the core library alone: no network code.
guard CommandLine.arguments.count == 2 else {
    print("usage: onlooker LEDGER")
    exit(64)
}
do {
    let ledger = try await Ledger.open(at: URL(filePath: CommandLine.arguments[1]))
    print("open")
    fflush(nil)
    let follower = Task.detached {
        try await ledger.follow(as: "onlooker") { event in
            print(event.position, event.type)
            fflush(nil)
        }
    }
    _ = FileHandle.standardInput.readDataToEndOfFile()
    follower.cancel()
    await ledger.close()
} catch {
    print("\(error.message) \(error.remedy)")
    exit(70)
}
