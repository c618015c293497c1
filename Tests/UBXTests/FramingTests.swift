import Testing
import UBX

@Suite("UBX framing")
struct FramingTests {
    /// The acknowledgement of CFG-MSG as a receiver sends it.
    static let acknowledge: [UInt8] = [0xB5, 0x62, 0x05, 0x01, 0x02, 0x00, 0x06, 0x01, 0x0F, 0x38]

    @Test func `a complete frame is found with its length`() {
        #expect(UBXFraming.match(Self.acknowledge.span) == .frame(length: 10))
        #expect(UBXFraming.match((Self.acknowledge + [1, 2, 3]).span) == .frame(length: 10))
        #expect(UBXFraming.identifier(of: Self.acknowledge.span) == .ackAck)
        #expect(UBXFraming.payloadRange(frameLength: 10) == 6..<8)
    }

    @Test(arguments: 0..<10)
    func `a frame truncated anywhere is incomplete`(count: Int) {
        #expect(UBXFraming.match(Array(Self.acknowledge.prefix(count)).span) == .incomplete)
    }

    @Test(arguments: acknowledge.indices)
    func `a frame with a damaged byte is refused`(index: Int) {
        for bit in 0..<8 {
            var damaged = Self.acknowledge
            damaged[index] ^= 1 << bit
            let quiet = [UInt8](repeating: 0, count: UBXFraming.maximumPayload)
            let expected: UBXFraming.Match =
                switch index {
                case 0, 1: .mismatch
                case 5 where bit >= 6: .mismatch
                case 5 where bit == 5: .incomplete
                default: .badChecksum
                }
            if case .frame = UBXFraming.match((damaged + quiet).span) {
                Issue.record("byte \(index), bit \(bit)")
            }
            if index != 5 || bit != 5 { #expect(UBXFraming.match((damaged + quiet).span) == expected) }
        }
    }

    @Test func `a length beyond the maximum is refused, whatever follows`() {
        var bytes: [UInt8] = [0xB5, 0x62, 0x01, 0x07, 0, 0]
        bytes.put(UInt16(UBXFraming.maximumPayload + 1), at: 4)
        #expect(UBXFraming.match(bytes.span) == .mismatch)
        bytes.put(UInt16(UBXFraming.maximumPayload), at: 4)
        #expect(UBXFraming.match(bytes.span) == .incomplete)
    }

    @Test func `the checksum agrees with a plain loop for every length`() {
        var bytes: [UInt8] = []
        var state: UInt32 = 1
        for _ in 0..<700 {
            var a: UInt8 = 0
            var b: UInt8 = 0
            for byte in bytes {
                a &+= byte
                b &+= a
            }
            let checksum = Fletcher8(of: bytes.span)
            #expect(checksum.a == a && checksum.b == b, "\(bytes.count) bytes")
            state = state &* 1_664_525 &+ 1_013_904_223
            bytes.append(UInt8(truncatingIfNeeded: state >> 24))
        }
    }

    @Test func `an encoded frame equals the receiver's`() {
        var bytes: [UInt8] = [0xFF]
        UBXEncoder.append(.ackAck, payload: ([0x06, 0x01] as [UInt8]).span, into: &bytes)
        #expect(bytes == [0xFF] + Self.acknowledge)
        #expect(AckAck(acknowledged: .cfgMSG).frame == Self.acknowledge)
    }

    @Test func `a poll request has an empty payload`() {
        var bytes: [UInt8] = []
        UBXEncoder.appendPoll(.monVER, into: &bytes)
        #expect(bytes == [0xB5, 0x62, 0x0A, 0x04, 0x00, 0x00, 0x0E, 0x34])
    }
}
