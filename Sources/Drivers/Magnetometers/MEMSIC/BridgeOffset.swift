/// The offset of a magnetoresistive bridge whose direction can be reversed.
///
/// With the direction of the package's drawing a bridge reads field + offset, with the opposite direction −field +
/// offset: half the difference of two such measurements is the field, and half their sum the offset, which drifts with
/// temperature. The offset is measured with the first sample, every `interval` samples after it, and with the first
/// sample after a pause.
struct BridgeOffset: Sendable {
    /// Samples from one measurement of the offset to the next.
    static let interval = 50

    /// The bridges' offset in microtesla.
    private var offset = SIMD3<Double>(repeating: 0)
    private var samplesLeft = 0
    private var opposite: MagnetometerReading?

    /// Whether the next sample needs a measurement with the opposite direction before it.
    var isDue: Bool { samplesLeft <= 0 }

    /// Makes the next sample measure the offset anew.
    mutating func expire() {
        samplesLeft = 0
        opposite = nil
    }

    mutating func note(opposite reading: MagnetometerReading) { opposite = reading }

    /// Subtracts the offset from a reading in the direction of the package's drawing; before that, updates the offset
    /// if a reading in the opposite direction was taken.
    ///
    /// A field beyond the range can reverse the bridge, so the next sample then measures the offset anew.
    mutating func correct(_ aligned: MagnetometerReading) -> MagnetometerReading {
        var reading = aligned
        if let opposite {
            reading.isSaturated = aligned.isSaturated || opposite.isSaturated
            if !reading.isSaturated {
                offset = (aligned.field + opposite.field) / 2
                samplesLeft = BridgeOffset.interval
                self.opposite = nil
            }
        }
        reading.field -= offset
        if reading.isSaturated { expire() } else { samplesLeft -= 1 }
        return reading
    }
}
