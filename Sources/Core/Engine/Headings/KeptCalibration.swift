internal import Magnetism

/// The compass calibration that was set by an operator, found in the background or restored, and whether it may be
/// used.
///
/// A calibration belongs to one board and one chip; on others it stays stored but is not used.
struct KeptCalibration {
    /// The board's name; a calibration is used only if it was made for a board of this name.
    private let board: String
    var record: CalibrationRecord?
    /// The last reported reason for not using the calibration.
    private var toldRefusal: CalibrationRecordError?

    init(board: String) { self.board = board }

    /// The stored calibration; nil where there is none, where it is for another board or chip, and until the chips are
    /// known.
    func calibration(for chips: CompassChips?) -> CompassCalibration? {
        guard let record, chips != nil, refusal(for: chips) == nil else { return nil }
        return record.calibration
    }

    /// Why the calibration is not used; nil where it is used, or the board's chips are not known yet.
    func refusal(for chips: CompassChips?) -> CalibrationRecordError? {
        guard let record else { return nil }
        guard record.board == board else { return .otherBoard(found: record.board, expected: board) }
        guard let chips, record.chip != chips.magnetometer else { return nil }
        return .otherChip(found: record.chip, expected: chips.magnetometer)
    }

    /// Returns why the calibration is not used; nil where it is used, and where the same reason was returned last time.
    mutating func takeRefusal(for chips: CompassChips?) -> CalibrationRecordError? {
        let refusal = refusal(for: chips)
        defer { toldRefusal = refusal }
        return refusal == toldRefusal ? nil : refusal
    }

    /// Takes the chips that were found; a calibration that was set before any chip was known now belongs to them.
    ///
    /// - Returns: Whether the calibration has been assigned to these chips by this call, and must be stored again.
    mutating func found(_ chips: CompassChips) -> Bool {
        guard record?.chip.isEmpty == true, record?.board == board else { return false }
        record?.chip = chips.magnetometer
        return true
    }
}
