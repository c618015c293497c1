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
}
