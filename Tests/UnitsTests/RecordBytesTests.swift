import SextantUnits
import Testing

@Suite("Record bytes")
struct RecordBytesTests {
    private func record() -> [UInt8] {
        var writer = RecordWriter()
        writer.write(0x0102_0304 as UInt32)
        writer.write(-2 as Int64)
        writer.write("é")
        writer.write(-0.5)
        writer.write(raw: [7, 8])
        return writer.bytes
    }

    @Test func `integers are written little-endian`() {
        #expect(record().prefix(14) == [4, 3, 2, 1, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0])
    }

    @Test func `values read back as written, and nothing is read beyond the end`() {
        var reader = RecordReader(record().span)
        let (first, second) = (reader.integer(UInt32.self), reader.integer(Int64.self))
        let (text, number, raw) = (reader.text(), reader.double(), reader.raw(2))
        #expect(first == 0x0102_0304)
        #expect(second == -2)
        #expect(text == "é")
        #expect(number == -0.5)
        #expect(raw == [7, 8])
        #expect(reader.isAtEnd)
        let beyond = reader.integer(UInt8.self)
        #expect(beyond == nil)
    }

    @Test func `a text that exceeds the record or is not UTF-8 is nil`() {
        for bytes: [UInt8] in [[], [1], [2, 0, 65], [1, 0, 0xFF], [0xFF, 0xFF]] {
            var reader = RecordReader(bytes.span)
            let text = reader.text()
            #expect(text == nil)
        }
    }
}
