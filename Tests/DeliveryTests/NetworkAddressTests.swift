import DeliveryMachine
import Testing

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.8.8.8", "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.168.1.1", "198.18.0.1", "198.19.255.255", "224.0.0.1",
        "255.255.255.255", "::", "::1", "::ffff:10.0.0.1", "::ffff:7f00:1", "64:ff9b::a00:1", "64:ff9b:1::a00:1",
        "::10.0.0.1", "2002:a00:1::", "2002:7f00:1::1", "2001::1", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "100::1",
    ])
    func `an address that is not routed in public is private`(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPrivate)
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.169.0.1", "198.17.0.1",
        "198.20.0.1", "223.255.255.255", "2606:4700::1111", "2a00:1450::1", "64:ff9b::808:808", "2002:808:808::1",
        "::ffff:8.8.8.8",
    ])
    func `an address of the public internet is not`(text: String) throws {
        #expect(try !#require(NetworkAddress(text)).isPrivate)
    }

    @Test(arguments: [
        "", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", "0x7f.0.0.1", "2130706433", "1.2.3.-4", ":", ":::",
        "1::2::3", "12345::", "::g", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "[::1]", "fe80::1%eth0", "::1.2.3", "::+1",
        "localhost", "1:2:3:4:5:6:7::8",
    ])
    func `anything else is no literal address`(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test func `forms of one address are equal`() {
        #expect(NetworkAddress("::1") == NetworkAddress("0:0:0:0:0:0:0:1"))
        #expect(NetworkAddress("2001:DB8::") == NetworkAddress("2001:db8:0:0::0:0"))
        #expect(NetworkAddress("127.0.0.1") == NetworkAddress("::ffff:127.0.0.1"))
        #expect(NetworkAddress("127.0.0.1")?.isLoopback == true && NetworkAddress("::1")?.isLoopback == true)
        #expect(NetworkAddress("::2")?.isLoopback == false)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.1.2.3", "10.1.2.3", true),
        ("10.1.2.3", "10.1.2.4", false), ("0.0.0.0/0", "255.1.2.3", true), ("0.0.0.0/0", "fd00::1", false),
        ("172.16.0.0/12", "172.31.0.1", true), ("172.16.0.0/12", "172.32.0.1", false), ("fd00::/8", "fdff::1", true),
        ("fd00::/8", "fc00::1", false), ("::/0", "10.0.0.1", true), ("10.0.0.4/30", "10.0.0.7", true),
        ("10.0.0.4/30", "10.0.0.8", false),
    ])
    func `a range holds what has its prefix`(range: String, address: String, isInside: Bool) throws {
        #expect(try #require(NetworkRange(range)).contains(#require(NetworkAddress(address))) == isInside)
    }

    @Test(arguments: ["10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "fd00::/129", "/8", "10.0.0.0/8/8", "10/8"])
    func `a range that is none, or that holds bits of a host, is refused`(text: String) {
        #expect(NetworkRange(text) == nil)
    }
}
