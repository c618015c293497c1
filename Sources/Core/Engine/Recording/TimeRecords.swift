public import SextantUnits
public import TimeService

/// How a flight recording stores the inputs of the time service, little-endian.
///
/// Where fields at the end are missing, their feature was off or did not exist when the recording was made.
extension TimeConfiguration: Recorded {
    public static var blank: TimeConfiguration { TimeConfiguration(serialDelay: 0, earliest: .blank) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&serialDelay)
        try earliest.code(&record)
        guard record.hasMore(hasPulses || demand != nil) else { return }
        try record.code(&hasPulses)
        guard record.hasMore(demand != nil) else { return }
        var (interval, length) = (demand?.interval ?? 0, demand?.length ?? 0)
        try record.code(&interval)
        try record.code(&length)
        demand = TimeDemand(interval: interval, length: length)
    }
}

extension ClockReading: Recorded {
    public static var blank: ClockReading { ClockReading(wall: .blank, instant: .zero, isSynchronized: false) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try wall.code(&record)
        try instant.code(&record)
        try record.code(&isSynchronized)
        guard record.hasMore(pulse != nil) else { return }
        var known = pulse ?? Pulse(sequence: 0, wall: .blank)
        try record.code(&known.sequence)
        try known.wall.code(&record)
        pulse = known
    }
}
