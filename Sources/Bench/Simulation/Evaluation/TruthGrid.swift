internal import Glibc
internal import SextantUnits

/// The reason for which a trajectory cannot serve as the truth for a score.
public enum TruthError: Error, Sendable, Equatable {
    /// A trajectory needs two points or more: give one that spans the run.
    case tooShort(points: Int)
    /// Each time must be finite and later than the one before: sort the file, and remove duplicates.
    case timesDoNotRise(index: Int)
    /// A coordinate is not finite or out of range: latitude -90 to 90 degrees, longitude -180 to 180.
    case badCoordinate(index: Int)
    /// At one point per second the trajectory would have more than ten million points: check the unit of the times.
    case tooLong(seconds: Double)
}

/// A true trajectory at one point per second, in metres on a plane through its first point.
///
/// The plane is the same as in an independent scoring program, so that the figures agree to the last digit: a degree of
/// latitude is 110 574 m, which is its length at the equator on WGS 84, and a degree of longitude 111 320 m times the
/// cosine of the trajectory's mean latitude. True and reported positions are put on the same plane, so its scale error,
/// below 1 % up to 70° of latitude, changes a distance by that share and no more. A trajectory of more than some
/// hundred kilometres from south to north would need a better plane. Between the given points the trajectory is a
/// straight line.
public struct TruthGrid: Sendable {
    private static let metresPerDegreeNorth = 110_574.0
    private static let metresPerDegreeEastAtEquator = 111_320.0
    private static let maximumSeconds = 1e7

    /// Unix seconds of the first point; point `i` is `i` seconds later.
    public let startTime: Double
    /// Metres east of the first point.
    public let east: [Double]
    /// Metres north of the first point.
    public let north: [Double]

    private let originLatitude: Double
    private let originLongitude: Double
    private let metresPerDegreeEast: Double

    /// The number of points; there is one per second.
    public var count: Int { east.count }

    var indices: Range<Int> { east.indices }

    /// Unix seconds of the last point.
    public var endTime: Double { startTime + Double(count - 1) }

    public init(_ points: [TruthPoint]) throws(TruthError) {
        try self.init(
            times: points.map(\.time), latitudes: points.map(\.latitude), longitudes: points.map(\.longitude))
    }

    /// Builds the grid from three arrays of equal length: Unix seconds, degrees north and degrees east.
    public init(times: [Double], latitudes: [Double], longitudes: [Double]) throws(TruthError) {
        precondition(times.count == latitudes.count && times.count == longitudes.count, "as many of each")
        try Self.check(times: times, latitudes: latitudes, longitudes: longitudes)
        startTime = times[0]
        originLatitude = latitudes[0]
        originLongitude = longitudes[0]
        let mean = latitudes.reduce(0, +) / Double(latitudes.count)
        let scale = Self.metresPerDegreeEastAtEquator * cos(mean * .pi / 180)
        metresPerDegreeEast = scale
        let eastOfPoints = longitudes.map { [originLongitude] in
            LocalFrame.wrapped($0 - originLongitude) * scale
        }
        let northOfPoints = latitudes.map { [originLatitude] in ($0 - originLatitude) * Self.metresPerDegreeNorth }
        east = Self.resampled(eastOfPoints, at: times)
        north = Self.resampled(northOfPoints, at: times)
    }

    /// Converts a position to metres east and north of the first point.
    public func plane(latitude: Double, longitude: Double) -> (east: Double, north: Double) {
        (
            LocalFrame.wrapped(longitude - originLongitude) * metresPerDegreeEast,
            (latitude - originLatitude) * Self.metresPerDegreeNorth
        )
    }

    /// The position of the point `index`, in degrees north and east.
    public func place(at index: Int) -> (latitude: Double, longitude: Double) {
        (
            originLatitude + north[index] / Self.metresPerDegreeNorth,
            LocalFrame.wrapped(originLongitude + east[index] / metresPerDegreeEast)
        )
    }

    private static func check(times: [Double], latitudes: [Double], longitudes: [Double]) throws(TruthError) {
        guard times.count > 1 else { throw .tooShort(points: times.count) }
        for index in times.indices {
            let rises = index == 0 || times[index] > times[index - 1]
            guard times[index].isFinite, rises else { throw .timesDoNotRise(index: index) }
            guard (-90...90).contains(latitudes[index]), (-180...180).contains(longitudes[index]) else {
                throw .badCoordinate(index: index)
            }
        }
        let seconds = times[times.count - 1] - times[0]
        guard seconds <= maximumSeconds else { throw .tooLong(seconds: seconds) }
    }

    /// Interpolates `values` at whole seconds since the first time, as long as these are less than half a second after
    /// the last time.
    private static func resampled(_ values: [Double], at times: [Double]) -> [Double] {
        let last = times.count - 1
        let seconds = Int((times[last] - times[0] + 0.5).rounded(.up))
        var next = 1
        return (0..<seconds).map { second in
            let time = times[0] + Double(second)
            while next < last, times[next] < time { next += 1 }
            let share = min((time - times[next - 1]) / (times[next] - times[next - 1]), 1)
            return values[next - 1] + (values[next] - values[next - 1]) * share
        }
    }
}
