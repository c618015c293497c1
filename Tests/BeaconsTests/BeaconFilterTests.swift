import Beacons
import Glibc
import Testing

/// The filter in the kernel itself: on a pair of datagram sockets, which run the same program on what is sent.
@Suite("The filter of advertisements")
struct BeaconFilterTests {
    /// What of the packets comes through a socket with the filter.
    private func passed(_ packets: [[UInt8]]) throws -> [Bool] {
        var ends: [Int32] = [0, 0]
        try #require(
            unsafe socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        defer { ends.forEach { close($0) } }
        try attach(to: ends[1])
        return packets.map { packet in
            var buffer = [UInt8](repeating: 0, count: 512)
            _ = unsafe send(ends[0], packet, packet.count, 0)
            return unsafe recv(ends[1], &buffer, buffer.count, 0) == packet.count
        }
    }

    /// `struct sock_fprog`: the number of instructions, and where they are.
    private func attach(to socket: Int32) throws {
        let program = BeaconFilter.program.map { line in
            UInt64(line.code) | UInt64(line.whenTrue) << 16 | UInt64(line.whenFalse) << 24 | UInt64(line.value) << 32
        }
        let result = unsafe program.withUnsafeBufferPointer { instructions in
            var filter = (UInt(instructions.count), UInt(bitPattern: instructions.baseAddress))
            return unsafe setsockopt(
                socket, SOL_SOCKET, SO_ATTACH_FILTER, &filter, socklen_t(MemoryLayout.size(ofValue: filter)))
        }
        try #require(result == 0, "the kernel refuses the program: \(errno)")
    }

    @Test func `BEAC-15: beacons pass behind up to three structures, with either event`() throws {
        let uid = bytes("1716AAFE00E3 12345678901234678901 000000000001 0000")
        let before = [[], bytes("02011A"), bytes("02011A 0303AAFE"), bytes("02011A 020A04 03030918")]
        let telemetry = bytes("1116AAFE20 00 0BB8 1540 00000100 00000200")
        let beacons = [bytes("1AFF4C000215 E2C56DB5DFFB48D2B060D0F5A71096E0 0064 0000 C5"), altBeacon, uid, telemetry]
        let packets = before.flatMap { structures in
            beacons.flatMap { [heard(structures + $0), heard(structures + $0, discovering: true)] }
        }
        #expect(try passed(packets).allSatisfy { $0 })
    }

    @Test func `BEAC-15: other advertisements wake nobody`() throws {
        let others = [
            "", "00", "0000000000", "02011A", "02011A 05FF4C001005", "0BFF4C001006031EA1B2C3D4", "06FF0600010920",
            "0303AAFE 0E16AAFE10EE036578616D706C650A", "0F094C6F6E67206E616D65206F66206974",
        ]
        let packets = others.flatMap { [heard(bytes($0)), heard(bytes($0), discovering: true)] }
        #expect(try passed(packets).allSatisfy { !$0 })
    }

    @Test func `events that are no advertisements pass`() throws {
        let events = [
            "0100 0000 0500 5200 00 0300", "0600 0000 0400 01020000", "2C00 0000 0200 0000", "0400 0200 0000",
        ]
        #expect(try passed(events.map { bytes($0) }).allSatisfy { $0 })
    }
}
