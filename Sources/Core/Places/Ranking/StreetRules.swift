/// The rules by which a point gets an address, and an address a point.
public enum StreetRules {
    /// Metres within which an address names a point.
    public static let addressReach = 50.0
    /// Metres within which a street or a point of interest names a point.
    public static let reach = 100.0
    /// Metres within which all of a house, or of a point of interest, lies from its point.
    public static let houseRadius = 30.0
    /// The least metres from a street's point within which all of the street lies.
    public static let leastStreetRadius = 50.0
    /// The most objects that are looked at for one answer.
    public static let mostObjects = 512

    /// The number and the street as the country writes them.
    public static func line(street: String, number: String, country: String?) -> String {
        switch country {
        case "AU", "CA", "FR", "GB", "IE", "IN", "LU", "MC", "MT", "NZ", "US", "ZA": "\(number) \(street)"
        default: "\(street) \(number)"
        }
    }
}

/// The choice among the objects near a point, which are told in the order of their distances.
public struct NearObjects: Sendable {
    public struct Near: Sendable, Hashable {
        public var object: StoredObject
        /// Metres.
        public var distance: Double
    }

    private var address: Near?
    private var street: Near?
    private var interest: Near?
    public private(set) var areasOfInterest: [String] = []
    public private(set) var inlandWater: String?

    public init() {}

    /// The object that names the point: an address, else a street, else a point of interest.
    public var best: Near? { address ?? street ?? interest }

    /// Whether an object so many metres away changes nothing.
    public func isDone(at distance: Double) -> Bool {
        distance > StreetRules.reach || distance > StreetRules.addressReach && (address ?? street) != nil
    }

    public mutating func consider(_ object: StoredObject, distance: Double) {
        let near = Near(object: object, distance: distance)
        if object.street != nil {
            if street == nil { street = near }
            if address == nil, object.number != nil, distance <= StreetRules.addressReach { address = near }
        }
        guard let name = object.name else { return }
        if object.isWater { inlandWater = inlandWater ?? name }
        if interest == nil { interest = near }
        if object.isAreaOfInterest, distance <= StreetRules.addressReach, !areasOfInterest.contains(name) {
            areasOfInterest.append(name)
        }
    }
}

extension Placemark {
    /// Adds what this placemark does not know and the town at the same point does.
    public func completed(by town: Placemark?) -> Placemark {
        guard let town, isoCountryCode == nil || isoCountryCode == town.isoCountryCode else { return self }
        var mark = self
        if locality == nil || locality == town.locality { mark.subLocality = subLocality ?? town.subLocality }
        mark.locality = locality ?? town.locality
        mark.administrativeArea = administrativeArea ?? town.administrativeArea
        mark.subAdministrativeArea = subAdministrativeArea ?? town.subAdministrativeArea
        // A region whose input does not name its country has the code in its place.
        if country == nil || country == isoCountryCode { mark.country = town.country }
        mark.isoCountryCode = isoCountryCode ?? town.isoCountryCode
        mark.timeZone = timeZone ?? town.timeZone
        mark.near = near ?? town.near
        return mark
    }
}
