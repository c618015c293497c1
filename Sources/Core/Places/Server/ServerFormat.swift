/// The supported interfaces of geocoding servers.
public enum ServerFormat: String, Sendable, CaseIterable {
    /// The interface of Nominatim, with answers in geocodejson (nominatim.org, "Search" and "Reverse"; geocodejson-spec
    /// 0.1.0).
    case nominatim
    /// The interface of Photon (github.com/komoot/photon, docs/api-v1.md).
    case photon
}

/// How detailed the server's answer is to be.
public enum ServerLevel: String, Sendable, CaseIterable {
    /// Streets and numbers.
    case street
    /// Parts of towns, but not streets: for a device that moves fast.
    case area
    /// Towns, but not parts of them: for a location that is itself coarse.
    case town

    /// The smallest speed in m/s at which parts of towns are requested instead of streets, since a street would be
    /// passed before its name is read.
    public static let fastSpeed = 20.0
    /// The smallest horizontal accuracy in metres at which a location is too coarse for the name of a street.
    public static let coarseAccuracy = 1000.0

    /// The `zoom` parameter of Nominatim, which sets the finest kind of object in the answer.
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
