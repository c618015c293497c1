internal import Hardware

/// A magnetometer by MEMSIC that takes one measurement at a time; its driver subtracts the bridges' offset.
protocol SetResetMagnetometer: MagnetometerChip {
    /// The longest time of one measurement.
    ///
    /// Unit: microseconds.
    static var conversionTime: Int { get }
    var polarity: SetResetPolarity { get set }
    var bridge: BridgeOffset { get set }
    func pulse(_ pulse: CoilPulse, over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    func takeMeasurement(over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    /// Reads the measurement, from which the bridges' offset is not subtracted yet; throws `notReady` if no measurement
    /// has ended.
    func readBridges(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading
}

extension SetResetMagnetometer {
    /// The microseconds to wait after a pulse through the coils before the next command: 1 ms, by the data sheets'
    /// timing diagrams.
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
