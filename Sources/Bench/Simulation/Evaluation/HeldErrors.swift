/// The error at each second of the last delivered location, which is kept until the next delivery.
struct HeldErrors {
    /// The errors in metres, one for each second of the truth; infinite before the first delivery.
    let metres: [Double]
    /// The time of the first delivery in Unix seconds; nil if nothing was delivered.
    let firstDelivery: Double?
    /// The first second with a delivery at or before it; the total number of seconds if nothing was delivered.
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
    /// The distance from the point `index` of the truth to a place, on the plane, in metres.
    func distance(to place: (east: Double, north: Double), at index: Int) -> Double {
        let (across, along) = (place.east - east[index], place.north - north[index])
        return (across * across + along * along).squareRoot()
    }
}
