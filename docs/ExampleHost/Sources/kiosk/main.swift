import CaptureLedger
import CaptureLedgerSync
import Foundation

// kiosk FOLDER PICTURES BOOKING…: checks guests in, one booking after the other. It may be killed at any moment; started again with the same
// bookings it goes on where it was.
//
// FOLDER holds my.ledger, the branch's own record and the journal of what the kiosk was told. Passport pages go to the branch in this
// process; selfies go to the endpoint of the ledger's settings (CAPTURE_LEDGER_VERIFIER_URL overrides its address).

guard CommandLine.arguments.count >= 4 else {
    print("usage: kiosk FOLDER PICTURES BOOKING…")
    exit(64)
}
let folder = URL(filePath: CommandLine.arguments[1])
let pictures = URL(filePath: CommandLine.arguments[2])
let bookings = CommandLine.arguments[3...]

do {
    let kiosk = try await Kiosk(folder: folder, pictures: pictures)
    for booking in bookings { try await kiosk.checkIn(booking) }
    await kiosk.close()
} catch let error as LedgerError {
    print("\(error.message) \(error.remedy)")
    exit(70)
}
