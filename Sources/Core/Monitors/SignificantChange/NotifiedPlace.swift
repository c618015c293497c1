public import GNSS
public import SextantUnits

/// The place of the last significant change that a client was notified of; the distance to the next change is measured
/// from this place.
///
/// The record, little-endian: version (1 byte: 1), latitude and longitude in degrees and horizontal accuracy in metres
/// (8 bytes each, IEEE 754).
public struct NotifiedPlace: Sendable, Equatable {
    /// The latitude in degrees.
    public private(set) var latitude: Double
    /// The longitude in degrees.
    public private(set) var longitude: Double
    /// The radius that holds 68 % of errors in metres; 0 for a coarse location, the middle of a grid cell.
    public private(set) var accuracy: Double

    /// The accuracy in metres assumed for a fix without one: the 68 % radius of a simple receiver in town.
    static let assumedAccuracy = 25.0
}

extension NotifiedPlace {
    /// - Parameter isCoarse: Whether the fix is the middle of a grid cell; its accuracy then counts as 0, because the
    ///   width of a cell is not an error.
    /// - Returns: Nil where the fix has no valid position.
    public init?(_ fix: Fix, isCoarse: Bool) {
        let accuracy = isCoarse ? 0 : fix.horizontalAccuracy ?? NotifiedPlace.assumedAccuracy
        // NaN fails every comparison, so it is refused too.
        guard fix.type.hasPosition, let latitude = fix.latitude, let longitude = fix.longitude, abs(latitude) <= 90,
            abs(longitude) <= 180, accuracy >= 0, accuracy.isFinite
        else { return nil }
        self.init(latitude: latitude, longitude: longitude, accuracy: accuracy)
    }

    /// The distance over the ground to another place; metres.
    func distance(to other: NotifiedPlace) -> Double {
        Geodesic.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }
}

extension NotifiedPlace: Recorded {
    public static var blank: NotifiedPlace { NotifiedPlace(latitude: 0, longitude: 0, accuracy: 0) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.version(1)
        try record.code(latitude: &latitude, longitude: &longitude)
        try record.code(length: &accuracy)
    }
}
