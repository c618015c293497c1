public import SextantUnits

/// A calibration as it is stored: with its chip, its board and its date.
///
/// The record, little-endian: "SXCC", version (1 byte: 2), `CompassCalibration.Reach` (1 byte), offset (3 doubles),
/// matrix (9 doubles, column by column), norm, residual, level and tilted heading error (a double each), axis (3
/// doubles, all 0 for no axis; not in version 1), date (8 bytes, nanoseconds since 1970), chip and board (each with 2
/// bytes of length, then UTF-8), CRC-32 of all before (4 bytes). Doubles are IEEE 754.
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

    /// Reads a record of any chip and board.
    public init(decoding bytes: Span<UInt8>) throws(CalibrationRecordError) {
        guard bytes.count >= 4 else { throw .noRecord }
        for index in CalibrationRecord.mark.indices where bytes[index] != CalibrationRecord.mark[index] {
            throw .noRecord
        }
        guard bytes.count > 4 else { throw .damaged }
        guard (1...CalibrationRecord.version).contains(bytes[4]) else { throw .otherVersion(bytes[4]) }
        guard let record = CalibrationRecord.decode(bytes) else { throw .damaged }
        self = record
    }

    /// Reads a record that must belong to the given chip and board.
    public init(decoding bytes: Span<UInt8>, chip: String, board: String) throws(CalibrationRecordError) {
        try self.init(decoding: bytes)
        guard self.board == board else { throw .otherBoard(found: self.board, expected: board) }
        guard self.chip == chip else { throw .otherChip(found: self.chip, expected: chip) }
    }
}

extension CalibrationRecord: Recorded {
    public static var blank: CalibrationRecord {
        let none = CompassCalibration(
            reach: .spatial, offset: .zero, matrix: .identity, norm: 0, residual: 0, levelHeadingError: 0,
            tiltedHeadingError: 0)
        return CalibrationRecord(none, chip: "", board: "", date: .blank)
    }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var mark = CalibrationRecord.mark
        try record.code(raw: &mark, count: 4)
        let version = try record.version(upTo: CalibrationRecord.version)
        try calibration.code(version: version, &record)
        try date.code(&record)
        try record.code(&chip)
        try record.code(&board)
        try record.codeCheck()
    }
}

extension CompassCalibration {
    /// Reads or writes the calibration's fields; reading refuses numbers that no fit can give.
    fileprivate mutating func code(version: UInt8, _ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&reach)
        var (first, second, third) = matrix.columns
        for axis in 0..<3 { try record.code(&offset[axis], in: -1e6...1e6) }
        for axis in 0..<3 { try record.code(&first[axis], in: -1e6...1e6) }
        for axis in 0..<3 { try record.code(&second[axis], in: -1e6...1e6) }
        for axis in 0..<3 { try record.code(&third[axis], in: -1e6...1e6) }
        matrix = Matrix3(columns: first, second, third)
        try record.code(&norm, in: .leastNonzeroMagnitude...1e6)
        try record.code(&residual, in: 0...1e6)
        try record.code(&levelHeadingError, in: 0...1e6)
        try record.code(&tiltedHeadingError, in: 0...1e6)
        var up = axis ?? .zero
        if version > 1 { try up.code(&record) }
        axis = up == .zero ? nil : up
        try record.check(up == .zero || abs(up.norm - 1) < 1e-3)
    }
}

/// Why a record gives no calibration, and what the user can do about it.
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
