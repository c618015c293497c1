import Glibc
import SextantSockets
import Testing

@Suite("Network addresses")
struct NetworkAddressTests {
    @Test func `a socket tells the address that it is bound to`() throws {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        try #require(number >= 0)
        #expect(NetworkAddress.bound(of: number) == "0.0.0.0")
        #expect(NetworkAddress.bound(of: -1) == nil)
    }

    @Test func `loopback is reached from itself, and what is no address is reached from nowhere`() {
        #expect(NetworkAddress.towards("127.0.0.1") == "127.0.0.1")
        #expect(NetworkAddress.towards("board.lan") == nil)
    }

    @Test func `this host's own addresses have an interface and the length of their network, and are not loopback's`() {
        for line in NetworkAddress.own() {
            let parts = line.split { $0 == " " || $0 == "/" }
            #expect(parts.count == 3 && !parts[1].hasPrefix("127.") && parts[1] != "::1", "\(line)")
            #expect(Int(parts[2]).map { (0...128).contains($0) } == true, "\(line)")
        }
    }

    @Test func `an address of IPv6 stands in brackets before a port`() {
        #expect(NetworkAddress.withPort("192.0.2.7", 8947) == "192.0.2.7:8947")
        #expect(NetworkAddress.withPort("2001:db8::7", 8947) == "[2001:db8::7]:8947")
    }
}
