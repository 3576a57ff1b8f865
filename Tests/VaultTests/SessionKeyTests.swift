import Cryptography
import Testing
import Vault

@Suite struct SessionKeyTests {
    @Test func `a private half opens with its own key, event and session only`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let (event, session) = (ObjectID.random(), ObjectID.random())
        let plain = Array("subject".utf8)
        let sealed = try key.seal(plain, .privateHalf(event: event), session: session)
        #expect(sealed.count == plain.count + 17)
        #expect(!sealed.contains(plain))
        #expect(try key.open(sealed, .privateHalf(event: event), session: session) == plain)

        let other = try fixture.vault.sessionKey(2)
        #expect(code { _ = try other.open(sealed, .privateHalf(event: event), session: session) } == .authenticationFailed)
        #expect(code { _ = try key.open(sealed, .privateHalf(event: .random()), session: session) } == .authenticationFailed)
        #expect(code { _ = try key.open(sealed, .privateHalf(event: event), session: .random()) } == .authenticationFailed)
        #expect(code { _ = try key.open(sealed, .frozen(delivery: event), session: session) } == .authenticationFailed)
    }

    @Test func `every flipped bit and every truncation of a small object is found`() throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let object = SessionKey.SmallObject.frozen(delivery: .random())
        let session = ObjectID.random()
        for count in [0, 1, 100] {
            let sealed = try key.seal(pattern(count), object, session: session)
            for index in sealed.indices {
                for bit in 0..<8 {
                    var altered = sealed
                    altered[index] ^= 1 << UInt8(bit)
                    #expect(
                        code { _ = try key.open(altered, object, session: session) }
                            == (index == 0 ? .unknownFormat : .authenticationFailed))
                }
                #expect(
                    code { _ = try key.open(Array(sealed[..<index]), object, session: session) }
                        == (index < 17 ? .truncated : .authenticationFailed))
            }
            #expect(code { _ = try key.open(sealed + [0], object, session: session) } == .authenticationFailed)
        }
    }

    @Test func `a commitment tells nothing without the key and is the same with it`() throws {
        let fixture = try VaultFixture()
        let digest = SHA256.digest(of: pattern(10))
        let commitment = try fixture.vault.sessionKey(1).commitment(of: digest)
        #expect(try fixture.openAgain().sessionKey(1).commitment(of: digest) == commitment)
        #expect(try fixture.vault.sessionKey(2).commitment(of: digest) != commitment)
        #expect(commitment != digest)
    }

    @Test func `a key never shows itself when it is printed`() throws {
        let key = try #require(SecretKey(copying: pattern(32)))
        #expect("\(key)" == "SecretKey")
        var text = ""
        dump(key, to: &text)
        #expect(!text.contains("memory"))
    }

    @Test func `threads share a key`() async throws {
        let fixture = try VaultFixture()
        let key = try fixture.vault.sessionKey(1)
        let session = ObjectID.random()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for turn in 0..<200 {
                        let object = SessionKey.SmallObject.privateHalf(
                            event: ObjectID(high: UInt64(number), low: UInt64(turn)))
                        let sealed = try key.seal(pattern(turn), object, session: session)
                        if try key.open(sealed, object, session: session) != pattern(turn) { return false }
                    }
                    return true
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
