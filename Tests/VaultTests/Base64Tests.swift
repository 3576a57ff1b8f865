import Cryptography
import Testing

@Suite struct Base64Tests {
    @Test func `S77 text written behind other text is the text that a byte at a time gives`() {
        for count in Array(0...70) + [196_607, 196_608] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) }
            let written = [UInt8](capacity: 3 + (count + 2) / 3 * 4) { output in
                output.append(repeating: UInt8(ascii: "<"), count: 3)
                Base64.encode(bytes.span, into: &output)
            }
            #expect(String(decoding: written, as: UTF8.self) == "<<<" + Base64.encode(bytes))
        }
    }
}
