import Magnetism
import SextantUnits
import Testing

@Suite("Calibration record")
struct CalibrationRecordTests {
    static let record = CalibrationRecord(
        CompassCalibration(
            reach: .spatial, offset: SIMD3(12.5, -40, 3.25),
            matrix: Matrix3(columns: SIMD3(1.02, 0.01, -0.02), SIMD3(0.01, 0.97, 0.03), SIMD3(-0.02, 0.03, 1.01)),
            norm: 48.2, residual: 0.41, levelHeadingError: 0.19, tiltedHeadingError: 0.2),
        chip: "lis3mdl", board: "zero-2w-neo-m8n", date: UTCInstant(nanoseconds: 1_760_000_000_000_000_000))

    private func failure(_ bytes: [UInt8], chip: String = "lis3mdl", board: String = "zero-2w-neo-m8n")
        -> CalibrationRecordError?
    {
        do throws(CalibrationRecordError) {
            _ = try CalibrationRecord(decoding: bytes.span, chip: chip, board: board)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a record reads as it was written`() throws {
        let bytes = Self.record.encode()
        #expect(try CalibrationRecord(decoding: bytes.span) == Self.record)
        #expect(failure(bytes) == nil)
        // Its own check tells that not a byte of the form has changed.
        #expect(bytes.suffix(4) == [239, 6, 126, 195])
    }

    @Test func `a record keeps the axis of a planar calibration`() throws {
        var record = Self.record
        record.calibration.reach = .planar
        record.calibration.axis = SIMD3(0.6, 0, 0.8)
        #expect(try CalibrationRecord(decoding: record.encode().span) == record)
        record.calibration.axis = SIMD3(6, 0, 8)
        #expect(failure(record.encode()) == .damaged)
    }

    @Test func `a record of the first version is read, and has no axis`() throws {
        let bytes = Self.record.encode()
        // After mark, version and reach come 16 doubles, and in version 2 the axis.
        var old = RecordWriter()
        old.write(raw: Array(bytes[..<4]) + [1] + bytes[5..<134] + bytes[158..<(bytes.count - 4)])
        old.write(CRC32.of(old.bytes.span))
        #expect(try CalibrationRecord(decoding: old.bytes.span) == Self.record)
        #expect(failure(old.bytes) == nil)
    }

    @Test func `a record for another chip or board is refused by name`() {
        let bytes = Self.record.encode()
        #expect(failure(bytes, chip: "qmc5883l") == .otherChip(found: "lis3mdl", expected: "qmc5883l"))
        #expect(failure(bytes, board: "boat") == .otherBoard(found: "zero-2w-neo-m8n", expected: "boat"))
    }

    @Test func `a record that is damaged or truncated at any byte is refused`() {
        let bytes = Self.record.encode()
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x10
            #expect(failure(damaged) != nil)
            #expect(failure(Array(bytes[..<index])) != nil)
        }
        #expect(failure(bytes + [0]) == .damaged)
        #expect(failure([]) == .noRecord)
    }

    @Test func `a record of a later version is refused with that reason`() {
        var bytes = Self.record.encode()
        bytes[4] = 3
        #expect(failure(bytes) == .otherVersion(3))
    }
}
