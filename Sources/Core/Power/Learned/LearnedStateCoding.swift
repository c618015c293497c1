public import Receivers
internal import SextantUnits

/// Why a stored state cannot be used; the daemon reports this once and learns anew.
public enum LearnedStateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The bytes are not a learned state, were cut short, or were changed.
    case damaged
    /// Written by an earlier version of the daemon, which learned other things.
    case outdated(version: UInt16)
    /// Written by a later version of the daemon.
    case tooNew(version: UInt16)
    /// The state is about another receiver, whose name is given.
    case otherReceiver(String)

    public var description: String {
        switch self {
        case .damaged: "what was learned about the receiver is damaged; learning begins anew"
        case .outdated(let version):
            "what was learned about the receiver is of format \(version), of an earlier sextantd; learning begins anew"
        case .tooNew(let version):
            "what was learned about the receiver is of format \(version), and this sextantd reads up to "
                + "\(LearnedState.version); learning begins anew, or install the later sextantd again"
        case .otherReceiver(let receiver):
            "what was learned is about another receiver, \(receiver); learning begins anew"
        }
    }
}

/// The stored form, little-endian: "SXLS", version, length of the body, the body, CRC-32 of all before it.
extension LearnedState {
    static let version: UInt16 = 2
    /// The length of the longest stored form, in bytes.
    public static let maximumBytes = 4096
    private static let magic: [UInt8] = [0x53, 0x58, 0x4C, 0x53]
    private static let headBytes = 8
    private static let checkBytes = 4

    /// Appends the stored form of the state.
    public func encode(into bytes: inout [UInt8]) {
        let start = bytes.count
        bytes += LearnedState.magic
        bytes.append(little: LearnedState.version)
        bytes.append(little: UInt16(0))
        bytes.append(UInt8(receiver.utf8.count))
        bytes += receiver.utf8
        for cell in [starts.first] + starts.cells {
            for value in [cell.weight, cell.mean, cell.variance] {
                bytes.append(little: value.bitPattern)
            }
        }
        for value in starts.warmth.all + starts.warmth.warm { bytes.append(little: value.bitPattern) }
        bytes.append(starts.coldStreak)
        for histogram in movements.histograms {
            bytes.append(little: histogram.count.bitPattern)
            for bin in histogram.weights.indices { bytes.append(little: histogram.weights[bin].bitPattern) }
        }
        bytes.append(movements.isSensorProven ? 1 : 0)
        let length = UInt16(bytes.count - start - LearnedState.headBytes)
        bytes[start + 6] = UInt8(truncatingIfNeeded: length)
        bytes[start + 7] = UInt8(length >> 8)
        let written = bytes[start...]
        bytes.append(little: CRC32.of(written.span))
    }

    /// Reads what `encode` wrote.
    ///
    /// - Parameters:
    ///   - receiver: The identity of the present receiver.
    ///   - times: The believed start times; stored statistics replace them, but starts are still judged by them.
    public init(
        decoding bytes: borrowing Span<UInt8>, receiver: String, believing times: StartTimes
    ) throws(LearnedStateError) {
        var reader = try LearnedState.checked(bytes)
        let kept = try reader.text()
        guard kept == LearnedState.bounded(receiver) else { throw .otherReceiver(kept) }
        let first = try reader.statistics()
        var cells: [StartStatistics] = []
        for _ in 0..<StartModel.cellCount { cells.append(try reader.statistics()) }
        let all = try reader.doubles(StartModel.ageCount)
        guard let warmth = WarmStarts(all: all, warm: try reader.doubles(StartModel.ageCount)) else {
            throw .damaged
        }
        let streak: UInt8 = try reader.integer()
        let movements = try reader.movements()
        guard reader.isAtEnd else { throw .damaged }
        self.init(
            receiver: kept,
            starts: StartModel(times, cells: cells, first: first, warmth: warmth, coldStreak: streak),
            movements: movements)
    }

    /// A reader of the body between head and checksum, after both were found valid.
    private static func checked(_ bytes: borrowing Span<UInt8>) throws(LearnedStateError)
        -> LearnedStateReader
    {
        guard bytes.count >= headBytes + checkBytes, bytes.count <= maximumBytes else { throw .damaged }
        for index in magic.indices where bytes[index] != magic[index] { throw .damaged }
        let end = bytes.count - checkBytes
        var check = LearnedStateReader(bytes.extracting(end...))
        let expected: UInt32 = try check.integer()
        guard CRC32.of(bytes.extracting(..<end)) == expected else { throw .damaged }
        var head = LearnedStateReader(bytes.extracting(4..<headBytes))
        let version: UInt16 = try head.integer()
        // All versions end with the checksum, so a later version is told from a damaged state.
        guard version <= LearnedState.version else { throw .tooNew(version: version) }
        let length: UInt16 = try head.integer()
        guard version == LearnedState.version else { throw .outdated(version: version) }
        guard Int(length) == end - headBytes else { throw .damaged }
        return LearnedStateReader(bytes.extracting(headBytes..<end))
    }
}

extension [UInt8] {
    fileprivate mutating func append<Integer: FixedWidthInteger>(little value: Integer) {
        for shift in stride(from: 0, to: Integer.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: value >> Integer(shift)))
        }
    }
}

/// Reads values one after the other from bytes.
private struct LearnedStateReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ span: borrowing Span<UInt8>) {
        var bytes: [UInt8] = []
        for index in span.indices { bytes.append(span[index]) }
        self.bytes = bytes
    }

    var isAtEnd: Bool { place == bytes.count }

    mutating func integer<Integer: FixedWidthInteger & UnsignedInteger>() throws(LearnedStateError)
        -> Integer
    {
        let length = Integer.bitWidth / 8
        guard bytes.count - place >= length else { throw .damaged }
        var value: Integer = 0
        for index in 0..<length { value |= Integer(bytes[place + index]) << Integer(index * 8) }
        place += length
        return value
    }

    mutating func text() throws(LearnedStateError) -> String {
        let length: UInt8 = try integer()
        guard bytes.count - place >= Int(length),
            let text = String(validating: bytes[place..<place + Int(length)], as: UTF8.self)
        else { throw .damaged }
        place += Int(length)
        return text
    }

    mutating func doubles(_ count: Int) throws(LearnedStateError) -> [Double] {
        var values: [Double] = []
        for _ in 0..<count { values.append(Double(bitPattern: try integer())) }
        return values
    }

    mutating func statistics() throws(LearnedStateError) -> StartStatistics {
        let values = try doubles(3)
        guard let statistics = StartStatistics(weight: values[0], mean: values[1], variance: values[2])
        else {
            throw .damaged
        }
        return statistics
    }

    mutating func movements() throws(LearnedStateError) -> LearnedMovements {
        var histograms: [(count: Double, weights: [Double])] = []
        for _ in 0..<LearnedMovements.histogramCount {
            let count = try doubles(1)[0]
            histograms.append((count, try doubles(LogHistogram.binCount)))
        }
        let isSensorProven: UInt8 = try integer()
        guard isSensorProven <= 1,
            let movements = LearnedMovements(histograms: histograms, isSensorProven: isSensorProven == 1)
        else { throw .damaged }
        return movements
    }
}
