import DeliveryMachine
import SessionDomain
import Testing

@Suite struct OriginTests {
    @Test func `an origin is scheme, host and port`() {
        #expect(Origin("https://A.example/x") == Origin("HTTPS://a.example:443"))
        #expect(Origin("http://a.example") == Origin("http://a.example:80/y?z"))
        #expect(Origin("https://a.example") != Origin("http://a.example:443"))
        #expect(Origin("http://[::1]:8080/")?.port == 8080)
        #expect(Origin("http://[::1]/")?.host == "[::1]")
    }

    @Test(arguments: [
        "", "a.example", "ftp://a.example", "https://", "https://user:pass@a.example/", "https://a.example:99999/",
        "https://a.example:/", "https://b.example\\@a.example/", "file:///etc/passwd",
    ])
    func `other addresses have none`(text: String) { #expect(Origin(text) == nil) }

    @Test func `a status address is resolved against the address that named it`() {
        let base = "https://a.example/v1/verify?x=1"
        #expect(Origin.resolve("/status/7", against: base) == "https://a.example/status/7")
        #expect(Origin.resolve("status/7", against: base) == "https://a.example/v1/status/7")
        #expect(Origin.resolve("https://a.example:443/s", against: base) == "https://a.example:443/s")
        #expect(Origin.resolve("//a.example/s", against: base) == "https://a.example/s")
        #expect(Origin.resolve("s", against: "http://127.0.0.1:80") == "http://127.0.0.1:80/s")
    }

    @Test(arguments: [
        "https://b.example/s", "//b.example/s", "http://a.example/s", "ftp://a.example/s", "", "/a b", "/a\r\nX: y",
    ])
    func `credentials never follow a status address to another origin`(reference: String) {
        #expect(Origin.resolve(reference, against: "https://a.example/v1") == nil)
    }

    @Test func `JSON pointers read as RFC 6901 says`() throws {
        let document = try JSONValue.parse(#"{"a":{"b":[10,{"c":"d"}]},"":1,"m~n":2,"x/y":3}"#)
        #expect(JSONPointer.value(at: "", in: document) == document)
        #expect(JSONPointer.value(at: "/a/b/1/c", in: document)?.asString == "d")
        #expect(JSONPointer.value(at: "/a/b/0", in: document)?.asInteger == 10)
        #expect(JSONPointer.value(at: "/", in: document)?.asInteger == 1)
        #expect(JSONPointer.value(at: "/m~0n", in: document)?.asInteger == 2)
        #expect(JSONPointer.value(at: "/x~1y", in: document)?.asInteger == 3)
        for missing in ["/a/b/2", "/a/b/01", "/a/b/-", "/q", "a", "/m~2n", "/m~"] {
            #expect(JSONPointer.value(at: missing, in: document) == nil, "\(missing)")
        }
        #expect(JSONPointer.isValid("/a~1") && !JSONPointer.isValid("a"))
    }
}
