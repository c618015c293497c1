import NMEA0183
import Testing

@Suite("NMEA framing")
struct FramingTests {
    /// From the u-blox 8 / M8 receiver description, GLL.
    static let sentence = Array("$GPGLL,4717.11364,N,00833.91565,E,092321.00,A,A*60".utf8)

    /// The framing's whole use: step a byte on a mismatch, a sentence on a match.
    static func sentences(in bytes: [UInt8]) -> (found: [[UInt8]], bad: Int, rest: Int) {
        var found: [[UInt8]] = []
        var bad = 0
        var start = 0
        while start < bytes.count {
            switch match(Array(bytes[start...])) {
            case .sentence(let length):
                found.append(Array(bytes[start..<start + length]))
                start += length
            case .incomplete: return (found, bad, bytes.count - start)
            case .badChecksum:
                bad += 1
                start += 1
            case .mismatch: start += 1
            }
        }
        return (found, bad, 0)
    }

    @Test func `a complete sentence is found with its length, whatever follows`() {
        #expect(match(Self.sentence) == .sentence(length: 50))
        #expect(match(Self.sentence + Array("\r\n$GP".utf8)) == .sentence(length: 50))
    }

    @Test(arguments: 1..<50)
    func `a sentence truncated anywhere is incomplete`(count: Int) {
        #expect(match(Array(Self.sentence.prefix(count))) == .incomplete)
    }

    @Test(arguments: sentence.indices)
    func `a damaged byte costs only one sentence`(index: Int) {
        for bit in 0..<8 {
            var damaged = Self.sentence
            damaged[index] ^= 1 << bit
            let stream = damaged + [0x0D, 0x0A] + Self.sentence
            let result = Self.sentences(in: stream)
            #expect(result.found == [Self.sentence], "byte \(index), bit \(bit)")
            #expect(result.rest == 0)
        }
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func `noise before a sentence does not affect it`(noise: UInt8) {
        for count in [1, 2, 7, 8, 9, 63] {
            let result = Self.sentences(in: [UInt8](repeating: noise, count: count) + Self.sentence)
            #expect(result.found == [Self.sentence], "\(count) bytes")
        }
    }

    @Test(arguments: 0...17)
    func `a byte that is not text ends the sentence at any of eight alignments`(offset: Int) {
        for byte in [0x00, 0x0A, 0x0D, 0x1F, 0x24, 0x7F, 0x80, 0xA4, 0xFF] as [UInt8] {
            var bytes = Self.sentence
            bytes[1 + offset] = byte
            #expect(match(bytes) == .mismatch, "byte \(byte)")
        }
    }

    @Test func `a sentence without a checksum is refused`() {
        #expect(match(Array("$GPGLL,4717.11364,N,00833.91565,E,092321.00,A,A\r\n".utf8)) == .mismatch)
        #expect(match(Array("$GPGLL,4717.11364,N,00833.91565,E,092321.00,A,A*\r\n".utf8)) == .mismatch)
        #expect(match(Array("$GPGLL,4717.11364,N,00833.91565,E,092321.00,A,A*6\r\n".utf8)) == .mismatch)
        #expect(match(Array("$GPGLL,4717.11364,N,00833.91565,E,092321.00,A,A*6G".utf8)) == .mismatch)
        #expect(match(Array("$GPGLL,4717.11364,N,00833.91565,E,092321.00,A,A*61".utf8)) == .badChecksum)
    }

    @Test func `checksum digits may be upper or lower case`() throws {
        // The checksums run through all values.
        for last in UInt8(0x40)...0x5F {
            let upper = try Checked("GPTXT,01,01,02,\(Character(UnicodeScalar(last)))").bytes
            let lower = upper.dropLast(2) + upper.suffix(2).map { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 }
            #expect(match(upper) == .sentence(length: upper.count))
            #expect(match(Array(lower)) == .sentence(length: upper.count))
        }
    }

    @Test func `the longest sentence is 1024 bytes`() throws {
        let overhead = "$*00".utf8.count
        for (length, isTaken) in [(1023, true), (1024, true), (1025, false), (1026, false), (2000, false)] {
            var bytes: [UInt8] = []
            NMEAEncoder.append(String(repeating: "A", count: length - overhead), to: &bytes)
            bytes.removeLast(2)
            #expect(bytes.count == length)
            #expect(match(bytes) == (isTaken ? .sentence(length: length) : .mismatch), "\(length) bytes")
        }
        #expect(match([0x24] + [UInt8](repeating: 0x41, count: 1023)) == .mismatch)
    }

    @Test func `an AIS sentence is found`() {
        #expect(match(Array("!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C".utf8)) == .sentence(length: 47))
    }

    @Test func `fields beyond the last indexed one are empty`() throws {
        let checked = try Checked("GPXXX" + String(repeating: ",1", count: 100))
        #expect(checked.fields.count == NMEAFields.capacity)
        #expect(checked.fields.integer(NMEAFields.capacity - 1, in: checked.bytes.span) == 1)
        #expect(checked.fields.range(NMEAFields.capacity).isEmpty)
    }

    @Test func `a sentence written by the encoder reads back`() throws {
        var bytes: [UInt8] = [0xFF]
        NMEAEncoder.append("GPGLL,4717.11364,N,00833.91565,E,092321.00,A,A", to: &bytes)
        #expect(bytes == [0xFF] + Self.sentence + [0x0D, 0x0A])
        bytes = [0xFF] + Self.sentence.dropLast(3)
        NMEAEncoder.finish(sentenceAt: 1, in: &bytes)
        #expect(bytes == [0xFF] + Self.sentence + [0x0D, 0x0A])
    }
}
