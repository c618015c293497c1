internal import SextantUnits
internal import TimeService

/// How a recording stores what the time service is told, little-endian.
extension TimeConfiguration {
    var record: [UInt8] {
        var record = RecordWriter()
        record.write(serialDelay)
        record.write(earliest.nanoseconds)
        return record.bytes
    }

    init?(_ bytes: Span<UInt8>) {
        var record = RecordReader(bytes)
        guard let delay = record.integer(Int64.self), let earliest = record.integer(Int64.self), record.isAtEnd else {
            return nil
        }
        self.init(serialDelay: delay, earliest: UTCInstant(nanoseconds: earliest))
    }
}

extension ClockReading {
    var record: [UInt8] {
        var record = RecordWriter()
        record.write(wall.nanoseconds)
        record.write(instant.nanoseconds)
        record.write(UInt8(isSynchronized ? 1 : 0))
        return record.bytes
    }

    init?(_ bytes: Span<UInt8>) {
        var record = RecordReader(bytes)
        guard let wall = record.integer(Int64.self), let instant = record.integer(Int64.self),
            let synchronized = record.integer(UInt8.self), synchronized <= 1, record.isAtEnd
        else { return nil }
        self.init(
            wall: UTCInstant(nanoseconds: wall), instant: MonotonicInstant(nanoseconds: instant),
            isSynchronized: synchronized == 1)
    }
}
