import SessionDomain
import Testing

@testable import CommandLineTool

struct ProgressTests {
    private func id(_ number: UInt64) -> DeliveryID { DeliveryID(UUID128(high: 1, low: number)) }

    @Test func `deliveries, bytes, speed and the time left are in one line that fits`() {
        var progress = Progress(startedNanoseconds: 0)
        progress.expected = 4
        for number in UInt64(0)..<2 { progress.begin(id(number), bytes: 10 << 20) }
        progress.bytes = 20 << 20
        progress.end(id(0))
        progress.end(id(1))
        let line = progress.line(columns: 120, nowNanoseconds: 10_000_000_000, style: .init())
        #expect(line == "[###############---------------] 2/4  20.0 MiB of 40.0 MiB  2.0 MiB/s  10 s left")
        for columns in [1, 7, 20, 40, 60, 79, 80, 300] {
            #expect(progress.line(columns: columns, nowNanoseconds: 10_000_000_000, style: .init()).count < max(columns, 1))
        }
    }

    @Test func `one large original moves the bar before it is done`() {
        var progress = Progress(startedNanoseconds: 0)
        progress.expected = 1
        progress.begin(id(0), bytes: 500 << 20)
        #expect(progress.fraction == 0)
        progress.bytes = 250 << 20
        #expect(progress.fraction == 0.5)
        progress.putOff(id(0))
        #expect(progress.fraction == 1)
        #expect(progress.line(columns: 100, nowNanoseconds: 1, style: .init()).hasSuffix("1 to be tried again"))
    }

    @Test func `an empty run and one that finds more than it expected stay within bounds`() {
        var progress = Progress(startedNanoseconds: 0)
        #expect(progress.fraction == 0)
        #expect(progress.line(columns: 40, nowNanoseconds: 0, style: .init()).contains("0/0"))
        for number in UInt64(0)..<9 {
            progress.begin(id(number), bytes: 1)
            progress.end(id(number))
        }
        #expect(progress.fraction == 1)
        #expect(progress.line(columns: 40, nowNanoseconds: 0, style: .init()).contains("9/9"))
    }

    @Test func `colour and blocks are for terminals that can`() {
        #expect(!Progress.Style(["NO_COLOR": "1", "LANG": "C"]).hasColor)
        #expect(!Progress.Style(["LANG": "C"]).hasBlocks)
        #expect(
            Progress.Style(["LANG": "de_DE.UTF-8"]).hasBlocks && Progress.Style(["LC_ALL": "", "LANG": "C.utf8"]).hasBlocks)
        #expect(!Progress.Style(["LC_ALL": "C", "LANG": "C.UTF-8"]).hasBlocks)
    }
}
