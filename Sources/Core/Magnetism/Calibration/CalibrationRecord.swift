public import SextantUnits

/// A calibration as it is stored: with the chip and the board it belongs to, and its date.
///
/// The record, little-endian: "SXCC", version (1 byte: 2), reach (1 byte), offset (3 doubles), matrix (9 doubles,
/// column by column), norm, residual, level and tilted heading error (a double each), axis (3 doubles, all 0 for no
/// axis; not in version 1), date (8 bytes, nanoseconds since 1970), chip and board (2 bytes of length, UTF-8), CRC-32
/// of all before (4 bytes). Doubles are IEEE 754.
public struct CalibrationRecord: Sendable, Equatable {
    public var calibration: CompassCalibration
    /// The magnetometer's name, as in the board file.
    public var chip: String
    /// The board's name.
    public var board: String
    public var date: UTCInstant

    private static let mark: [UInt8] = Array("SXCC".utf8)
    private static let version: UInt8 = 2

    public init(_ calibration: CompassCalibration, chip: String, board: String, date: UTCInstant) {
        self.calibration = calibration
        self.chip = chip
        self.board = board
        self.date = date
    }

    public func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write(raw: CalibrationRecord.mark)
        record.write(CalibrationRecord.version)
        record.write(calibration.reach.rawValue)
        let (first, second, third) = calibration.matrix.columns
        for vector in [calibration.offset, first, second, third] {
            for axis in 0..<3 { record.write(vector[axis]) }
        }
        record.write(calibration.norm)
        record.write(calibration.residual)
        record.write(calibration.levelHeadingError)
        record.write(calibration.tiltedHeadingError)
        let up = calibration.axis ?? .zero
        for axis in 0..<3 { record.write(up[axis]) }
        record.write(date.nanoseconds)
        record.write(chip)
        record.write(board)
        record.write(CRC32.of(record.bytes.span))
        return record.bytes
    }

    /// Reads a record of any chip and board.
    public init(decoding bytes: Span<UInt8>) throws(CalibrationRecordError) {
        var record = RecordReader(bytes)
        guard let mark = record.raw(4), Array(mark) == CalibrationRecord.mark else { throw .noRecord }
        guard let version = record.integer(UInt8.self) else { throw .damaged }
        guard (1...CalibrationRecord.version).contains(version) else { throw .otherVersion(version) }
        guard CalibrationRecord.isWhole(bytes),
            let reach = record.integer(UInt8.self).flatMap(CompassCalibration.Reach.init),
            let calibration = CalibrationRecord.calibration(reach, version: version, &record),
            let nanoseconds = record.integer(Int64.self), let chip = record.text(), let board = record.text()
        else { throw .damaged }
        self.init(calibration, chip: chip, board: board, date: UTCInstant(nanoseconds: nanoseconds))
    }

    /// Reads a record that must belong to the given chip and board.
    public init(decoding bytes: Span<UInt8>, chip: String, board: String) throws(CalibrationRecordError) {
        try self.init(decoding: bytes)
        guard self.board == board else { throw .otherBoard(found: self.board, expected: board) }
        guard self.chip == chip else { throw .otherChip(found: self.chip, expected: chip) }
    }

    private static func isWhole(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 4 else { return false }
        var end = RecordReader(bytes.extracting((bytes.count - 4)...))
        return end.integer(UInt32.self) == CRC32.of(bytes.extracting(0..<(bytes.count - 4)))
    }

    /// Reads a calibration's numbers; nil where a number is missing, is not finite or cannot come from a fit.
    private static func calibration(
        _ reach: CompassCalibration.Reach, version: UInt8, _ record: inout RecordReader
    ) -> CompassCalibration? {
        var numbers: [Double] = []
        for _ in 0..<(version == 1 ? 16 : 19) {
            guard let number = record.double(), abs(number) < 1e6 else { return nil }
            numbers.append(number)
        }
        let vectors = (0..<4).map { SIMD3(numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2]) }
        guard numbers[12] > 0, numbers[13..<16].allSatisfy({ $0 >= 0 }) else { return nil }
        let axis = version == 1 ? .zero : SIMD3(numbers[16], numbers[17], numbers[18])
        guard axis == .zero || abs(axis.norm - 1) < 1e-3 else { return nil }
        return CompassCalibration(
            reach: reach, offset: vectors[0], matrix: Matrix3(columns: vectors[1], vectors[2], vectors[3]),
            norm: numbers[12], residual: numbers[13], levelHeadingError: numbers[14], tiltedHeadingError: numbers[15],
            axis: axis == .zero ? nil : axis)
    }
}

/// Why a record gives no calibration, and how to mend it.
public enum CalibrationRecordError: Error, Sendable, Equatable, CustomStringConvertible {
    case noRecord
    case otherVersion(UInt8)
    case damaged
    case otherChip(found: String, expected: String)
    case otherBoard(found: String, expected: String)

    public var description: String {
        switch self {
        case .noRecord: "it is no compass calibration; calibrate again"
        case .otherVersion(let version):
            "the compass calibration has version \(version), and this program knows 1 and 2; update it, or calibrate again"
        case .damaged: "the compass calibration is damaged; calibrate again"
        case .otherChip(let found, let expected):
            "the compass calibration is of a \(found), and this board has a \(expected); calibrate again"
        case .otherBoard(let found, let expected):
            "the compass calibration is of \(found.isEmpty ? "an unnamed board" : "the board \(found)"), and this is "
                + "\(expected); calibrate again"
        }
    }
}
