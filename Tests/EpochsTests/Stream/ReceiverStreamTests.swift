import Epochs
import NMEA0183
import Testing
import UBX

@Suite("Receiver stream")
struct ReceiverStreamTests {
    static let rmc = sentence("GNRMC,083559.00,A,4717.11437,N,00833.91522,E,0.004,77.52,091202,,,A,V")
    static let gga = sentence("GPGGA,092725.00,4717.11399,N,00833.91590,E,1,08,1.01,499.6,M,48.0,M,,")
    /// Its checksum, 60, has no letter whose case could change.
    static let gll = sentence("GPGLL,4717.11364,N,00833.91565,E,092321.00,A,A")
    static let pvt = NavPVT().frame
    static let eoe = NavEOE(timeOfWeekMilliseconds: 1000).frame

    /// RTCM 3 (D3), SiRF (A0 A2 … B0 B3) and CASIC (BA CE) frames, with `$`, `!` and B5 62 inside.
    static let foreign: [[UInt8]] = [
        [
            0xD3, 0x00, 0x13, 0x3E, 0xD0, 0x24, 0x47, 0x50, 0xB5, 0x62, 0x01, 0x02, 0x21, 0x00, 0x2A, 0x24, 0x24, 0x0D,
            0x0A, 0x9F,
        ],
        [0xA0, 0xA2, 0x00, 0x05, 0x24, 0xB5, 0x62, 0x07, 0x21, 0x01, 0x23, 0xB0, 0xB3],
        [0xBA, 0xCE, 0x04, 0x00, 0x01, 0x03, 0xB5, 0x24, 0xB5, 0x62, 0xFF, 0xFF, 0xFF, 0xFF],
    ]

    /// Both protocols, interleaved, with foreign frames between.
    static let mixed: [UInt8] = Array(
        [
            rmc, lineEnd, pvt, foreign[0], gga, lineEnd, eoe, foreign[1], pvt, foreign[2], rmc, lineEnd, gga, lineEnd,
            pvt, eoe,
        ].joined())
    static let messages = [rmc, pvt, gga, eoe, pvt, rmc, gga, pvt, eoe]

    @Test func `messages of both protocols are found among unknown bytes`() {
        let heard = hear(Self.mixed, pieces: Self.mixed.count)
        #expect(heard.messages == Self.messages)
        #expect(heard.counters.sentences == 4 && heard.counters.frames == 5)
        #expect(!heard.pending)
    }

    @Test(arguments: 1...200)
    func `pieces of any size give the same messages and counters`(size: Int) {
        #expect(hear(Self.mixed, pieces: size) == hear(Self.mixed, pieces: Self.mixed.count))
    }

    @Test func `the counters of messages and skipped bytes add up to all bytes`() {
        let heard = hear(Self.mixed, pieces: 7)
        let inMessages = heard.messages.map(\.count).reduce(0, +)
        // Four line ends, and the CR and LF that lie in the RTCM frame.
        let lineEnds = 5 * 2
        #expect(heard.counters.bytes == UInt64(Self.mixed.count))
        #expect(Int(heard.counters.skippedBytes) == Self.mixed.count - inMessages - lineEnds)
        let cut = hear(Array(Self.mixed.dropLast(3)), pieces: 7)
        let pending = Self.eoe.count - 3
        #expect(
            Int(cut.counters.skippedBytes) + inMessages - Self.eoe.count + lineEnds + pending == Self.mixed.count - 3)
        #expect(cut.pending)
    }

    @Test(arguments: [gll + lineEnd, pvt, eoe])
    func `a damaged byte costs only one message`(message: [UInt8]) {
        let quiet = [UInt8](repeating: 0, count: UBXFraming.maximumPayload + UBXFraming.overhead)
        for index in 0..<message.count {
            for bit in 0..<8 {
                var damaged = message
                damaged[index] ^= 1 << bit
                let isLineEnd = message[0] == 0x24 && index >= Self.gll.count
                let heard = hear(damaged + Self.gga + lineEnd + Self.pvt + quiet, pieces: 4096)
                let expected = (isLineEnd ? [Self.gll] : []) + [Self.gga, Self.pvt]
                #expect(heard.messages == expected, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func `a wrong checksum is counted once`() {
        var badSentence = Self.rmc
        badSentence[10] ^= 1
        var badFrame = Self.pvt
        badFrame[30] ^= 1
        let heard = hear(badSentence + lineEnd + badFrame + Self.gga, pieces: 64)
        #expect(heard.counters.checksumFailures == 2)
        #expect(heard.messages == [Self.gga])
        #expect(Int(heard.counters.skippedBytes) == badSentence.count + badFrame.count)
    }

    @Test func `a truncated frame or a false start can be abandoned on request`() {
        let cut = Array(Self.pvt.prefix(40))
        for begun in [cut, [0xB5, 0x62, 1, 7, 0, 0x20], [0x24], [0x21, 0x41], [0xB5]] {
            let bytes = begun + Self.eoe
            let heard = hear(bytes, pieces: 5, abandoning: true)
            #expect(heard.messages == [Self.eoe])
            #expect(Int(heard.counters.skippedBytes) == begun.count)
            #expect(!heard.pending)
        }
        #expect(hear(cut + Self.eoe, pieces: 5).pending)
    }

    @Test func `abandoning without a partial message changes nothing`() {
        var stream = ReceiverStream()
        stream.abandonPartialMessage()
        #expect(stream.counters == ReceiverStream.Counters() && !stream.hasPartialMessage)
    }

    @Test func `the longest frame is read, and a longer one is skipped`() {
        var longest: [UInt8] = []
        UBXEncoder.append(
            .monVER, payload: [UInt8](repeating: 0x24, count: UBXFraming.maximumPayload).span, into: &longest)
        var longer: [UInt8] = []
        UBXEncoder.append(
            .monVER, payload: [UInt8](repeating: 0x24, count: UBXFraming.maximumPayload + 1).span, into: &longer)
        #expect(hear(longest + Self.gga, pieces: 100).messages == [longest, Self.gga])
        #expect(hear(longer + Self.gga, pieces: 100).messages == [Self.gga])
    }

    @Test func `a sentence's fields remain those of the last sentence`() {
        var stream = ReceiverStream()
        _ = stream.append((Self.gga + lineEnd + Self.pvt).span)
        #expect(stream.next() == .sentence)
        #expect(stream.fields.count == 15)
        #expect(stream.next() == .frame)
        #expect(stream.fields.count == 15)
        #expect(stream.next() == nil)
    }

    @Test func `an endless stream needs constant memory`() {
        var stream = ReceiverStream()
        let size = stream.window.count
        var state: UInt32 = 1
        var messages = 0
        for round in 0..<3000 {
            var bytes = Self.mixed
            for index in 0..<(round % 8) {
                state = state &* 1_664_525 &+ 1_013_904_223
                bytes[Int(state >> 8) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24 &+ UInt32(index))
            }
            var start = 0
            while start < bytes.count {
                let taken = stream.append(bytes.span.extracting(start..<bytes.count))
                #expect(taken > 0)
                start += taken
                while stream.next() != nil { messages += 1 }
            }
        }
        #expect(stream.window.count == size)
        #expect(messages > 15_000)
    }

    @Test func `append takes as many bytes as there is room for`() {
        var stream = ReceiverStream()
        let noise = [UInt8](repeating: 0x55, count: 100_000)
        let first = stream.append(noise.span)
        #expect(first == stream.window.count)
        #expect(stream.append(noise.span) == 0)
        #expect(stream.next() == nil)
        #expect(stream.append(noise.span) == first)
        #expect(stream.counters.bytes == UInt64(2 * first))
    }
}
