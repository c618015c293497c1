/// The interfaces of geocoding servers that are spoken.
public enum ServerFormat: String, Sendable, CaseIterable {
    /// Nominatim's, with answers in geocodejson (nominatim.org, "Search" and "Reverse"; geocodejson-spec 0.1.0).
    case nominatim
    /// Photon's (github.com/komoot/photon, docs/api-v1.md).
    case photon
}

/// How fine an answer is wanted.
public enum ServerLevel: String, Sendable, CaseIterable {
    /// Streets and numbers.
    case street
    /// Parts of towns: for whoever moves fast.
    case area
    /// Towns: for a location that is coarse itself.
    case town

    /// Metres a second from which a street's name would be out of date when it is read.
    public static let fastSpeed = 20.0
    /// Metres of accuracy from which a location names no street.
    public static let coarseAccuracy = 1000.0

    /// Nominatim's zoom: the finest object that is looked for.
    public var zoom: Int {
        switch self {
        case .street: 18
        case .area: 14
        case .town: 10
        }
    }

    /// The coarser of two levels.
    public static func coarser(_ first: ServerLevel, _ second: ServerLevel) -> ServerLevel {
        first.zoom < second.zoom ? first : second
    }
}
