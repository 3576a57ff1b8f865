import MediaChecks
import SessionDomain
import Testing

@Suite struct AnnotationTests {
    private static func grey(_ width: Int, _ height: Int) -> RGBImage {
        RGBImage(width: width, height: height, bytes: Array(repeating: 128, count: 3 * width * height))
    }

    private static func report(_ change: (inout CheckReport) -> Void = { _ in }) -> CheckReport {
        var report = CheckReport(policyVersion: "standard-1")
        report.detections = [
            Detection(name: "page", score: 0.97, box: .init(x: 0.1, y: 0.2, width: 0.8, height: 0.6)),
            Detection(name: "mrz", score: 0.91, box: .init(x: 0.15, y: 0.6, width: 0.7, height: 0.15)),
        ]
        report.findings = [
            Finding(metric: "page_score", value: 0.97, passed: true, direction: .atLeast, threshold: 0.5),
            Finding(metric: "glare_score", value: 0.7, passed: false, direction: .below, threshold: 0.5),
        ]
        report.failure = .glare
        change(&report)
        return report
    }

    private static func pixel(_ image: RGBImage, _ x: Int, _ y: Int) -> [UInt8] {
        Array(image.bytes[3 * (y * image.width + x)..<3 * (y * image.width + x) + 3])
    }

    @Test func `boxes lie where the detections are, what is inside and outside of them is as it was, and the panel is below`() {
        let drawn = Annotation.draw(report: Self.report { $0.detections.removeLast() }, on: Self.grey(400, 300))
        #expect(drawn.width == 400)
        #expect(drawn.height > 300)
        #expect(Self.pixel(drawn, 40, 150) == [0xFF, 0xE0, 0x66])
        #expect(Self.pixel(drawn, 359, 239) == [0xFF, 0xE0, 0x66])
        #expect(Self.pixel(drawn, 39, 150) == [0x14, 0x18, 0x1F])
        #expect(Self.pixel(drawn, 200, 150) == [128, 128, 128])
        #expect(Self.pixel(drawn, 20, 150) == [128, 128, 128])
    }

    @Test func `the verdict's strip is dark where it failed and light where it passed`() {
        func strip(_ report: CheckReport) -> Double {
            let drawn = Annotation.draw(report: report, on: Self.grey(400, 300))
            let colour = Self.pixel(drawn, 398, 301).map(Double.init)
            return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
        }
        let failed = strip(Self.report())
        let passed = strip(Self.report { $0.failure = nil })
        #expect(passed - failed > 80)
    }

    @Test func `pictures of any size and reports of any content are drawn`() {
        let odd = Self.report {
            $0.detections += [
                Detection(name: "snow\u{0}leopard 🐆", score: .nan, box: .init(x: -3, y: .nan, width: 9, height: .infinity)),
                Detection(name: "face", score: 1, box: .init(x: 1, y: 1, width: 0, height: 0)),
            ]
            for index in 0..<60 {
                $0.findings.append(
                    Finding(
                        metric: "metric_\(index)", value: index.isMultiple(of: 2) ? .infinity : -1e300,
                        passed: index.isMultiple(of: 3) ? nil : false, direction: .atMost, threshold: 1e-9,
                        region: .init(x: 0.9, y: 0.9, width: 0.3, height: 0.3)))
            }
        }
        for (width, height) in [(1, 1), (3, 400), (400, 3), (33, 17), (700, 500)] {
            let drawn = Annotation.draw(report: odd, on: Self.grey(width, height))
            #expect(drawn.width == width && drawn.height > height)
        }
    }

    @Test func `a PNG is read back by a strict reader as the picture that was written`() throws {
        for (width, height) in [(1, 1), (7, 5), (300, 200)] {
            var image = Self.grey(width, height)
            for index in image.bytes.indices { image.bytes[index] = UInt8((index * 37 + index / 256) & 255) }
            let read = try PNGReader(PNGFile.bytes(of: image))
            #expect(read.width == width && read.height == height)
            #expect(read.pixels == image.bytes)
        }
    }
}

/// Reads what ``PNGFile`` may write, and nothing that is wrong in any byte; written from the PNG specification and RFC 1950 and 1951.
struct PNGReader {
    struct Wrong: Error { let what: String }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var pixels: [UInt8] = []

    init(_ file: [UInt8]) throws {
        guard file.prefix(8) == [137, 80, 78, 71, 13, 10, 26, 10] else { throw Wrong(what: "signature") }
        var at = 8
        var names: [String] = []
        var stream: [UInt8] = []
        while at < file.count {
            guard at + 12 <= file.count else { throw Wrong(what: "chunk") }
            let length = Self.number(file, at)
            guard at + 12 + length <= file.count else { throw Wrong(what: "length") }
            let body = Array(file[at + 4..<at + 8 + length])
            guard Self.crc(body) == Self.number(file, at + 8 + length) else { throw Wrong(what: "crc") }
            names.append(String(decoding: body.prefix(4), as: UTF8.self))
            let content = Array(body.dropFirst(4))
            if names.last == "IHDR" {
                (width, height) = (Self.number(content, 0), Self.number(content, 4))
                guard content.dropFirst(8) == [8, 2, 0, 0, 0] else { throw Wrong(what: "header") }
            }
            if names.last == "IDAT" { stream += content }
            at += 12 + length
        }
        guard names == ["IHDR", "IDAT", "IEND"] else { throw Wrong(what: "order") }
        let rows = try Self.stored(stream)
        let length = 3 * width + 1
        guard rows.count == height * length else { throw Wrong(what: "rows") }
        for row in 0..<height {
            let start = row * length
            guard rows[start] == 0 else { throw Wrong(what: "filter") }
            pixels += rows[(start + 1)..<(start + length)]
        }
    }

    private static func stored(_ stream: [UInt8]) throws -> [UInt8] {
        guard stream.count > 6, stream[0] == 0x78, stream[1] & 32 == 0 else { throw Wrong(what: "zlib header") }
        let head = Int(stream[0]) * 256 + Int(stream[1])
        guard head % 31 == 0 else { throw Wrong(what: "zlib header check") }
        var at = 2
        var content: [UInt8] = []
        while true {
            guard at + 5 <= stream.count else { throw Wrong(what: "block") }
            let isLast = stream[at] == 1
            guard stream[at] <= 1 else { throw Wrong(what: "not stored") }
            let length = Int(stream[at + 1]) | Int(stream[at + 2]) << 8
            let complement = Int(stream[at + 3]) | Int(stream[at + 4]) << 8
            guard length + complement == 0xFFFF, at + 9 + length <= stream.count else { throw Wrong(what: "block length") }
            content += stream[at + 5..<at + 5 + length]
            at += 5 + length
            if isLast { break }
        }
        var (a, b) = (1, 0)
        for byte in content {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        guard at + 4 == stream.count, number(stream, at) == b << 16 | a else { throw Wrong(what: "checksum") }
        return content
    }

    private static func number(_ bytes: [UInt8], _ at: Int) -> Int {
        bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Bit by bit, without a table.
    private static func crc(_ bytes: [UInt8]) -> Int {
        var register: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0xEDB8_8320 : register >> 1 }
        }
        return Int(register ^ 0xFFFF_FFFF)
    }
}
