internal import AllocationCounter
internal import Magnetism
internal import SextantUnits

/// Counts the heap allocations of evaluating the World Magnetic Model.
struct FieldMeasurement {
    /// The number of places at which the magnetic field is evaluated.
    let places = 20_000
    /// The number of heap allocations during all evaluations together.
    private(set) var allocations = 0
    /// The mean field strength of all places, in microtesla; it is printed to show that the fields were really
    /// evaluated.
    private(set) var mean = 0.0

    init() {
        let instant = UTCInstant(nanoseconds: 1_790_000_000_000_000_000)
        let before = allocation_count()
        var sum = 0.0
        for index in 0..<places {
            let field = WorldMagneticModel.field(
                latitude: Double(index % 180) - 90, longitude: Double(index % 36) * 10, altitude: 100, at: instant)
            sum += field?.total ?? 0
        }
        allocations = Int(allocation_count() - before)
        mean = sum / Double(places) / 1000
    }
}
