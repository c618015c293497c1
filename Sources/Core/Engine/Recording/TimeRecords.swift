internal import SextantUnits
internal import TimeService

/// How a recording stores what the time service is told, little-endian.
///
/// What a record lacks at its end was off or not known when it was made.
extension TimeConfiguration {
    var record: [UInt8] {
        var record = RecordWriter()
        record.write(serialDelay)
        record.write(earliest.nanoseconds)
        guard hasPulses || demand != nil else { return record.bytes }
        record.write(UInt8(hasPulses ? 1 : 0))
        guard let demand else { return record.bytes }
        record.write(demand.interval)
        record.write(demand.length)
        return record.bytes
    }

    init?(_ bytes: Span<UInt8>) {
        var record = RecordReader(bytes)
        guard let delay = record.integer(Int64.self), let earliest = record.integer(Int64.self) else { return nil }
        self.init(serialDelay: delay, earliest: UTCInstant(nanoseconds: earliest))
        if record.isAtEnd { return }
        guard let pulses = record.integer(UInt8.self), pulses <= 1 else { return nil }
        hasPulses = pulses == 1
        if record.isAtEnd { return }
        guard let interval = record.integer(Int64.self), let length = record.integer(Int64.self), record.isAtEnd else {
            return nil
        }
        demand = TimeDemand(interval: interval, length: length)
    }
}

extension ClockReading {
    var record: [UInt8] {
        var record = RecordWriter()
        record.write(wall.nanoseconds)
        record.write(instant.nanoseconds)
        record.write(UInt8(isSynchronized ? 1 : 0))
        guard let pulse else { return record.bytes }
        record.write(pulse.sequence)
        record.write(pulse.wall.nanoseconds)
        return record.bytes
    }

    init?(_ bytes: Span<UInt8>) {
        var record = RecordReader(bytes)
        guard let wall = record.integer(Int64.self), let instant = record.integer(Int64.self),
            let synchronized = record.integer(UInt8.self), synchronized <= 1
        else { return nil }
        self.init(
            wall: UTCInstant(nanoseconds: wall), instant: MonotonicInstant(nanoseconds: instant),
            isSynchronized: synchronized == 1)
        if record.isAtEnd { return }
        guard let sequence = record.integer(UInt32.self), let edge = record.integer(Int64.self), record.isAtEnd else {
            return nil
        }
        pulse = Pulse(sequence: sequence, wall: UTCInstant(nanoseconds: edge))
    }
}
