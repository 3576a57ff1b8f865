import SessionDomain
import TestSupport
import Testing

@Suite struct JSONTests {
    @Test(arguments: [
        ("{ \"b\" : 1 , \"a\" : [ true , false , null ] }", "{\"a\":[true,false,null],\"b\":1}"),
        ("\"a\\/b\"", "\"a/b\""), ("\"\\u0041\\u00e9\\ud83d\\ude00\"", "\"Aé😀\""),
        ("\"\\u0000\\u001f\\n\\\"\\\\\"", "\"\\u0000\\u001f\\n\\\"\\\\\""), ("1.0", "1"), ("1e3", "1000"), ("-0", "0"),
        ("-0.0", "0"), ("0.1", "0.1"), ("1.50", "1.5"), ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"), ("1e300", "1e+300"), ("5e-324", "5e-324"), ("[]", "[]"), ("{}", "{}"),
        ("\"\u{7f}\u{2028}\"", "\"\u{7f}\u{2028}\""), ("{\"é\":1,\"e\\u0301\":2,\"z\":3}", "{\"e\u{301}\":2,\"z\":3,\"é\":1}"),
    ])
    func `documents have one canonical form`(text: String, canonical: String) throws {
        let value = try JSONValue.parse(text)
        #expect(value.canonicalBytes == Array(canonical.utf8))
        #expect(try JSONValue.parse(value.canonical) == value)
    }

    @Test(arguments: [
        ("", JSONProblem.Code.unexpectedEnd), ("{", .unexpectedEnd), ("[1", .unexpectedEnd), ("\"abc", .unexpectedEnd),
        ("tru", .unexpectedEnd), ("1 2", .trailingCharacters), ("{}x", .trailingCharacters), ("[1,]", .unexpectedCharacter),
        ("{\"a\":1,}", .unexpectedCharacter), ("{a:1}", .unexpectedCharacter), ("'a'", .unexpectedCharacter),
        ("nan", .unexpectedCharacter), ("01", .invalidNumber), ("-", .invalidNumber), ("1.", .invalidNumber),
        ("1e", .invalidNumber), ("+1", .unexpectedCharacter), (".5", .unexpectedCharacter),
        ("9223372036854775808", .inexactNumber),
        ("1e400", .inexactNumber), ("1e-400", .inexactNumber), ("0.1234567890123456789", .inexactNumber),
        ("{\"a\":1,\"a\":2}", .duplicateKey), ("{\"b\":1,\"a\":2,\"b\":3}", .duplicateKey),
        ("{\"a\":1,\"\\u0061\":2}", .duplicateKey),
        ("\"\\x\"", .invalidEscape), ("\"\\ud800\"", .invalidEscape), ("\"\\ud800x\"", .invalidEscape),
        ("\"\\ud800\\u0041\"", .invalidEscape), ("\"\\udc00\"", .invalidEscape), ("\"\\u12g4\"", .invalidEscape),
        ("\"a\nb\"", .controlCharacter), ("\u{feff}{}", .unexpectedCharacter),
    ])
    func `what is not strict JSON is refused by name`(text: String, code: JSONProblem.Code) {
        let problem = #expect(throws: JSONProblem.self) { try JSONValue.parse(text) }
        #expect(problem?.code == code)
    }

    @Test(
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]]
            as [[UInt8]])
    func `text that is not UTF-8 is refused`(bytes: [UInt8]) {
        #expect(throws: JSONProblem(.invalidUTF8, at: 0)) { try JSONValue.parse(bytes) }
    }

    @Test func `64 levels are read and the 65th is refused`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONValue.parse(nested(64))
        #expect(throws: JSONProblem(.tooDeep, at: 64)) { try JSONValue.parse(nested(65)) }
        #expect(throws: JSONProblem(.tooDeep, at: 64)) { try JSONValue.parse(String(repeating: "[", count: 1_000_000)) }
        let objects = String(repeating: "{\"a\":", count: 65) + "1" + String(repeating: "}", count: 65)
        #expect(throws: JSONProblem.self) { try JSONValue.parse(objects) }
    }

    @Test func `a document over the limit is refused before it is read`() {
        #expect(throws: JSONProblem(.tooLarge, at: 4)) { try JSONValue.parse("[1,2]", limit: 4) }
    }

    @Test func `cut anywhere, a document is refused and never read past its end`() throws {
        let text = Array("{\"a\":[1,-2.5e3,true,null,\"\\ud83d\\ude00é\"],\"b\":{\"c\":\"d\"}}".utf8)
        _ = try JSONValue.parse(text)
        for count in text.indices { #expect(throws: JSONProblem.self) { try JSONValue.parse(Array(text[..<count])) } }
    }

    @Test func `random values survive the round trip`() throws {
        var random = SeededRandom(seed: SeededRandom.seed(for: "random JSON"))
        for _ in 0..<2_000 {
            let value = randomValue(depth: 0, &random)
            let again = try JSONValue.parse(value.canonicalBytes)
            #expect(again == value)
            #expect(again.canonicalBytes == value.canonicalBytes)
        }
    }

    @Test func `random bytes never crash the reader`() {
        var random = SeededRandom(seed: SeededRandom.seed(for: "hostile JSON"))
        let alphabet = Array("{}[]:,\"\\u0123eE+-.truefalsn \u{80}".utf8) + [0xFF, 0x00]
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            if let value = try? JSONValue.parse(bytes) { #expect((try? JSONValue.parse(value.canonicalBytes)) == value) }
        }
    }

    private func randomValue(depth: Int, _ random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<(depth > 4 ? 5 : 7), using: &random) {
        case 0: return .null
        case 1: return .bool(random.one(in: 2))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &random))
        case 3:
            let value = Double(bitPattern: random.next())
            return value.isFinite ? .double(value) : .double(Double.random(in: -1...1, using: &random))
        case 4: return .string(randomText(&random))
        case 5: return .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in randomValue(depth: depth + 1, &random) })
        default:
            return .members(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                    .init(randomText(&random), randomValue(depth: depth + 1, &random))
                })
        }
    }

    private func randomText(_ random: inout SeededRandom) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<0x3000, using: &random)) { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}
