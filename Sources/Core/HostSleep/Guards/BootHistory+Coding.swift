internal import SextantUnits

/// The stored form, little-endian: version, guards, boots, CRC-32 of all before it.
extension BootHistory {
    private static let version: UInt8 = 1
    private static let checkBytes = 4

    /// The stored form, at most 1 kB.
    public var bytes: [UInt8] {
        var writer = RecordWriter()
        writer.write(BootHistory.version)
        for count in [loops, servedInRow, alarmsInRow, restlessLevel, clocksInRow] {
            writer.write(UInt8(clamping: count))
        }
        writer.write(UInt8(barred == nil ? 0 : 1))
        writer.write(UInt8(clamping: trials))
        writer.write(UInt8(hasRebooted ? 1 : 0))
        writer.write(fingerprint)
        writer.write(loopLeft)
        writer.write(restlessLeft)
        writer.write(UInt8(bootSeconds.count))
        for seconds in bootSeconds { writer.write(seconds) }
        writer.write(UInt8(boots.count))
        for boot in boots { boot.write(to: &writer) }
        let body = writer.bytes
        writer.write(CRC32.of(body.span))
        return writer.bytes
    }

    /// Reads the stored form; nil where it is damaged or of a later version, and then the host does not sleep.
    public init?(_ bytes: borrowing Span<UInt8>) {
        guard bytes.count > BootHistory.checkBytes else { return nil }
        let body = bytes.extracting(0..<(bytes.count - BootHistory.checkBytes))
        var end = RecordReader(bytes.extracting(body.count..<bytes.count))
        guard end.integer() == CRC32.of(body) else { return nil }
        var reader = RecordReader(body)
        guard reader.integer() == BootHistory.version else { return nil }
        var counts: [Int] = []
        for _ in 0..<5 {
            guard let count = reader.integer(UInt8.self) else { return nil }
            counts.append(Int(count))
        }
        guard let bar = reader.integer(UInt8.self), bar <= 1 else { return nil }
        (loops, servedInRow, alarmsInRow, restlessLevel, clocksInRow) =
            (counts[0], counts[1], counts[2], counts[3], counts[4])
        barred = bar == 0 ? nil : .missedAlarms
        guard let trials = reader.integer(UInt8.self), let reboots = reader.integer(UInt8.self), reboots <= 1,
            let fingerprint = reader.integer(UInt32.self)
        else { return nil }
        (self.trials, hasRebooted, self.fingerprint) = (Int(trials), reboots == 1, fingerprint)
        guard let loopLeft = reader.amount(), let restlessLeft = reader.amount() else { return nil }
        self.loopLeft = loopLeft
        self.restlessLeft = restlessLeft
        guard let learned = reader.integer(UInt8.self), learned <= BootHistory.bootsLearned else { return nil }
        for _ in 0..<learned {
            guard let seconds = reader.amount() else { return nil }
            bootSeconds.append(seconds)
        }
        guard let count = reader.integer(UInt8.self), count <= BootHistory.capacity else { return nil }
        for _ in 0..<count {
            guard let boot = BootRecord(from: &reader) else { return nil }
            boots.append(boot)
        }
        guard reader.isAtEnd else { return nil }
    }
}

extension BootRecord {
    fileprivate func write(to writer: inout RecordWriter) {
        let flags = [wake.isRead, wasAsleep, served, late != nil, travelled != nil, wasTrial].enumerated()
        writer.write(UInt8(WakeCause.allCases.firstIndex(of: wake.cause) ?? 0))
        writer.write(flags.reduce(UInt8(0)) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 })
        writer.write(slept)
        writer.write(awake)
        if let late { writer.write(late) }
        if let travelled { writer.write(travelled) }
    }

    fileprivate init?(from reader: inout RecordReader) {
        guard let cause = reader.integer(UInt8.self), Int(cause) < WakeCause.allCases.count,
            let flags = reader.integer(UInt8.self), flags < 1 << 6,
            let slept = reader.amount(), let awake = reader.amount()
        else { return nil }
        self.init(
            wake: HostWake(WakeCause.allCases[Int(cause)], isRead: flags & 1 != 0), slept: slept,
            wasAsleep: flags & 2 != 0, late: nil)
        self.awake = awake
        served = flags & 4 != 0
        wasTrial = flags & 32 != 0
        if flags & 8 != 0 {
            guard let late = reader.double(), late.isFinite else { return nil }
            self.late = late
        }
        if flags & 16 != 0 {
            guard let travelled = reader.amount() else { return nil }
            self.travelled = travelled
        }
    }
}
