/// For each second, the error of the last location delivered by then; a location is kept until the next one is
/// delivered.
struct HeldErrors {
    /// The errors in metres, one for each second of the trace; infinite before the first delivery.
    let metres: [Double]
    /// The time of the first delivery in Unix seconds; nil if nothing was delivered.
    let firstDelivery: Double?
    /// The first second of the trace at which a location has been delivered; the number of seconds of the trace if
    /// there is none.
    let firstSecond: Int

    init(of record: RunRecord, against truth: TruthGrid) {
        let deliveries = record.deliveries.sorted { $0.time < $1.time }
        var held: (east: Double, north: Double)?
        var next = 0
        var metres: [Double] = []
        metres.reserveCapacity(truth.count)
        for second in 0..<truth.count {
            let time = truth.startTime + Double(second)
            while next < deliveries.count, deliveries[next].time <= time {
                held = truth.plane(latitude: deliveries[next].latitude, longitude: deliveries[next].longitude)
                next += 1
            }
            metres.append(held.map { truth.distance(to: $0, at: second) } ?? .infinity)
        }
        self.metres = metres
        firstDelivery = deliveries.first?.time
        firstSecond = metres.firstIndex { $0 < .infinity } ?? metres.count
    }
}

extension TruthGrid {
    /// The distance in metres, on the grid's plane, from the true position at second `index` to a place.
    func distance(to place: (east: Double, north: Double), at index: Int) -> Double {
        let (across, along) = (place.east - east[index], place.north - north[index])
        return (across * across + along * along).squareRoot()
    }
}
