internal import Hardware

/// A magnetometer by MEMSIC that is measured one sample at a time, with its bridges' offset removed.
protocol SetResetMagnetometer: MagnetometerChip {
    /// The longest time of one measurement.
    ///
    /// Unit: microseconds.
    static var conversionTime: Int { get }
    var polarity: SetResetPolarity { get set }
    var bridge: BridgeOffset { get set }
    func pulse(_ pulse: CoilPulse, over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    func takeMeasurement(over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    /// Reads the measurement, which still contains the bridges' offset; throws `notReady` where none has ended.
    func readBridges(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading
}

extension SetResetMagnetometer {
    /// Microseconds from a pulse through the coils to the next command: 1 ms, by the data sheets' timing diagrams.
    private var pulseTime: Int { 1000 }

    mutating func startSample(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        if bridge.isDue { try measureReversed(over: &bus) }
        try takeMeasurement(over: &bus)
        return Self.conversionTime
    }

    mutating func readSample(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        bridge.correct(try readBridges(over: &bus))
    }

    private mutating func measureReversed(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        bridge.expire()
        try pulse(polarity.reversing, over: &bus)
        bus.wait(microseconds: pulseTime)
        try takeMeasurement(over: &bus)
        bus.wait(microseconds: Self.conversionTime)
        bridge.note(opposite: try readBridges(over: &bus))
        try pulse(polarity.aligning, over: &bus)
        bus.wait(microseconds: pulseTime)
    }
}
