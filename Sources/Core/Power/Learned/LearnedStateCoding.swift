public import Receivers
public import SextantUnits

/// Why a stored state cannot be used; the daemon reports this once and learns anew.
public enum LearnedStateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The bytes are not a learned state, were cut short, or were changed.
    case damaged
    /// The state was written by an earlier version of the daemon, which stored other data.
    case outdated(version: UInt16)
    /// The state was written by a later version of the daemon.
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

/// The stored form, little-endian: "SXLS", version, length of the body (2 bytes each), the body, CRC-32 of all before it.
extension LearnedState: Recorded {
    static let version: UInt16 = 2
    /// The length of the longest stored form, in bytes.
    public static let maximumBytes = 4096
    private static let magic: [UInt8] = [0x53, 0x58, 0x4C, 0x53]
    private static let headBytes = 8
    private static let checkBytes = 4

    public static var blank: LearnedState { LearnedState(receiver: "", believing: ReceiverModel.neo6M.startTimes) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var (mark, version, length) = (LearnedState.magic, LearnedState.version, bodyBytes)
        try record.code(raw: &mark, count: LearnedState.magic.count)
        try record.code(&version)
        try record.code(&length)
        try record.code(&receiver, count: UInt8.self)
        try starts.code(&record)
        try movements.code(&record)
        try record.codeCheck()
        try record.check(mark == LearnedState.magic && version == LearnedState.version && length == bodyBytes)
    }

    /// The length of the stored body in bytes: the receiver's name with a length byte, 8 bytes for each number, and two
    /// one-byte values.
    private var bodyBytes: UInt16 {
        let numbers =
            3 * (1 + StartModel.cellCount) + 2 * StartModel.ageCount
            + LearnedMovements.histogramCount * (1 + LogHistogram.binCount)
        return UInt16(clamping: 1 + receiver.utf8.count + 8 * numbers + 2)
    }

    /// Reads what `encode` wrote.
    ///
    /// - Parameters:
    ///   - receiver: The identity of the present receiver.
    ///   - times: The start times that the receiver's model promises; they decide whether a start counts as hot, and
    ///     the stored statistics replace them for all else.
    public init(
        decoding bytes: Span<UInt8>, receiver: String, believing times: StartTimes
    ) throws(LearnedStateError) {
        guard bytes.count >= LearnedState.headBytes + LearnedState.checkBytes, bytes.count <= LearnedState.maximumBytes,
            UInt32.decode(bytes.extracting(last: LearnedState.checkBytes))
                == CRC32.of(bytes.extracting(droppingLast: LearnedState.checkBytes))
        else { throw .damaged }
        let version = UInt16(bytes[4]) | UInt16(bytes[5]) << 8
        // All versions end with the checksum, so a later version can be told from a damaged state.
        guard version <= LearnedState.version else { throw .tooNew(version: version) }
        guard version == LearnedState.version else { throw .outdated(version: version) }
        self.init(receiver: receiver, believing: times)
        let present = self.receiver
        guard read(bytes) else { throw .damaged }
        guard self.receiver == present else { throw .otherReceiver(self.receiver) }
    }
}

extension StartModel {
    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try first.code(&record)
        for index in cells.indices { try cells[index].code(&record) }
        try warmth.code(&record)
        try record.code(&coldStreak)
    }
}

extension StartStatistics {
    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var (weight, mean, variance) = (weight, mean, variance)
        try record.code(&weight)
        try record.code(&mean)
        try record.code(&variance)
        guard let read = StartStatistics(weight: weight, mean: mean, variance: variance) else { throw DamagedRecord() }
        self = read
    }
}

extension WarmStarts {
    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var (all, warm) = (all, warm)
        for index in all.indices { try record.code(&all[index]) }
        for index in warm.indices { try record.code(&warm[index]) }
        guard let read = WarmStarts(all: all, warm: warm) else { throw DamagedRecord() }
        self = read
    }
}

extension LearnedMovements {
    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var kept = histograms.map { (count: $0.count, weights: $0.weights) }
        for index in kept.indices {
            try record.code(&kept[index].count)
            for bin in kept[index].weights.indices { try record.code(&kept[index].weights[bin]) }
        }
        var isProven = isSensorProven
        try record.code(&isProven)
        guard let read = LearnedMovements(histograms: kept, isSensorProven: isProven) else { throw DamagedRecord() }
        self = read
    }
}
