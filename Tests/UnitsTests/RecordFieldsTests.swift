import SextantUnits
import Testing

@Suite("Record fields")
struct RecordFieldsTests {
    /// A value with a field of each kind.
    private struct Sample: Recorded, Equatable {
        static var blank: Sample { Sample() }

        var number: UInt16 = 0
        var share = 0.0
        var name: String?
        var group: UInt32?
        var time: UTCInstant?
        var words: [String] = []
        var bits: [Bool] = [false, false]
        var rest: [UInt8] = []

        mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
            try record.version(3)
            try record.code(&number)
            try record.code(&share, in: 0...1)
            try record.code(&name)
            try record.code(&group, nilIs: .max)
            try record.code(&time)
            try record.code(&words, count: UInt8.self)
            var flags: InlineArray<2, Bool> = [bits[0], bits[1]]
            try record.code(&flags)
            bits = [flags[0], flags[1]]
            try record.code(rest: &rest)
        }
    }

    private static let full = Sample(
        number: 0x0102, share: 0.5, name: "é", group: 7, time: UTCInstant(nanoseconds: -2), words: ["a", ""],
        bits: [false, true], rest: [9])

    @Test func `fields are written little-endian in their order, an absent one as what stands for it`() {
        #expect(
            Self.full.encode() == [3, 2, 1] + [0, 0, 0, 0, 0, 0, 0xE0, 0x3F] + [2, 0, 0xC3, 0xA9] + [7, 0, 0, 0]
                + [0xFE] + [UInt8](repeating: 0xFF, count: 7) + [2, 1, 0, 97, 0, 0] + [2, 9])
        let empty: [UInt8] = [3] + [UInt8](repeating: 0, count: 12) + [0xFF, 0xFF, 0xFF, 0xFF]
        #expect(Sample().encode() == empty + [0, 0, 0, 0, 0, 0, 0, 0x80] + [0, 0])
    }

    @Test func `a record reads back as it was written`() {
        for sample in [Self.full, Sample()] { #expect(Sample.decode(sample.encode().span) == sample) }
    }

    @Test func `a record of another version, cut off or out of range is refused`() {
        let record = Self.full.encode()
        for length in 0..<(record.count - 1) { #expect(Sample.decode(Array(record[..<length]).span) == nil) }
        // The version, the sign of the share, the text's UTF-8, an unknown flag.
        for (place, byte) in [(0, 4), (10, 0xBF), (13, 0xFF), (record.count - 2, 4)] as [(Int, UInt8)] {
            var damaged = record
            damaged[place] = byte
            #expect(Sample.decode(damaged.span) == nil, "byte \(place)")
        }
    }
}
