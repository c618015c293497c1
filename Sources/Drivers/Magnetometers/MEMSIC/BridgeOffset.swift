/// The offset of a magnetoresistive bridge whose direction a pulse can reverse.
///
/// In the direction of the package's drawing a bridge reads field + offset, in the opposite direction −field + offset.
/// So half the sum of two such readings is the offset, which drifts with temperature. It is measured with the first
/// sample, then with every fiftieth sample, and with the first sample after a pause.
struct BridgeOffset: Sendable {
    /// The number of samples from one measurement of the offset to the next.
    static let interval = 50

    /// The offset of the three bridges, in microtesla.
    private var offset = SIMD3<Double>(repeating: 0)
    private var samplesLeft = 0
    private var opposite: MagnetometerReading?

    /// Whether the offset must be measured with the next sample, by a reading in the opposite direction before it.
    var isDue: Bool { samplesLeft <= 0 }

    /// Makes the next sample measure the offset anew.
    mutating func expire() {
        samplesLeft = 0
        opposite = nil
    }

    mutating func note(opposite reading: MagnetometerReading) { opposite = reading }

    /// Subtracts the offset from a reading in the direction of the package's drawing.
    ///
    /// If a reading in the opposite direction was taken before, the offset is first computed anew from the two. A field
    /// beyond the range can reverse the bridges, so after such a reading the offset is measured with the next sample.
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
