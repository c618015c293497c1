/// The way in which a person or vehicle moves along a route; all values are in metres and seconds.
struct Manner: Sendable {
    /// The speeds in m/s from which the speed of each stretch of a route is drawn, all equally likely.
    var speeds: [Double]
    /// The possible lengths, in metres, of a stretch along which the drawn speed stays the same.
    var stretch: ClosedRange<Double>
    /// The largest deviation of a stretch's speed from the drawn one, as a fraction of the drawn one.
    var variation: Double
    var acceleration: Double
    var deceleration: Double
    /// The largest sideways acceleration in bends, in m/s².
    var lateral: Double
    /// The possible distances in metres between two places where a stop is possible, such as crossings and traffic
    /// lights.
    var lights: ClosedRange<Double>
    /// The probability of a stop at a crossing or traffic light, 0 to 1.
    var stopChance: Double
    var stopSeconds: ClosedRange<Double>

    static let indoors = Manner(
        speeds: [0.6, 0.8], stretch: 5...10, variation: 0.1, acceleration: 0.5, deceleration: 0.5, lateral: 1,
        lights: 1000...1000, stopChance: 0, stopSeconds: 0...0)

    static func walker(speed: Double) -> Manner {
        Manner(
            speeds: [speed], stretch: 60...200, variation: 0.07, acceleration: 0.7, deceleration: 0.8, lateral: 1,
            lights: 120...350, stopChance: 0.25, stopSeconds: 4...40)
    }

    static func hiker(speed: Double) -> Manner {
        Manner(
            speeds: [speed * 0.7, speed, speed, speed * 1.15], stretch: 80...500, variation: 0.1, acceleration: 0.5,
            deceleration: 0.6, lateral: 0.8, lights: 200...900, stopChance: 0.3, stopSeconds: 5...90)
    }

    static func bicycle(speed: Double) -> Manner {
        Manner(
            speeds: [speed * 0.75, speed, speed, speed * 1.3], stretch: 200...1200, variation: 0.08, acceleration: 0.7,
            deceleration: 1.2, lateral: 1.8, lights: 300...1400, stopChance: 0.25, stopSeconds: 6...45)
    }

    static let townCar = Manner(
        speeds: [8.3, 13.9, 13.9, 13.9], stretch: 250...900, variation: 0.06, acceleration: 1.5, deceleration: 1.9,
        lateral: 2.2, lights: 150...500, stopChance: 0.4, stopSeconds: 6...60)

    static let countryCar = Manner(
        speeds: [13.9, 19.4, 22.2, 25, 27], stretch: 700...3000, variation: 0.06, acceleration: 1.2, deceleration: 1.6,
        lateral: 2.2, lights: 1500...4000, stopChance: 0.25, stopSeconds: 5...50)

    static let motorwayCar = Manner(
        speeds: [22.2, 27.8, 33, 36], stretch: 2000...8000, variation: 0.05, acceleration: 1, deceleration: 1.2,
        lateral: 2.2, lights: 100_000...100_000, stopChance: 0, stopSeconds: 0...0)
}
