/// The rules of street-level geocoding: from a point to an address, and from an address to a point.
public enum StreetRules {
    /// The distance in metres within which an address gives a point its name.
    public static let addressReach = 50.0
    /// The distance in metres within which a street or a point of interest gives a point its name.
    public static let reach = 100.0
    /// A house or a point of interest is taken to lie within this many metres of its point.
    public static let houseRadius = 30.0
    /// The smallest radius in metres that a street is given around its point.
    public static let minimumStreetRadius = 50.0
    /// The largest number of addresses, street points and points of interest that are examined for one answer.
    public static let maximumObjects = 512

    /// The house number and the street, in the order that is usual in the country.
    public static func line(street: String, number: String, country: String?) -> String {
        switch country {
        case "AU", "CA", "FR", "GB", "IE", "IN", "LU", "MC", "MT", "NZ", "US", "ZA": "\(number) \(street)"
        default: "\(street) \(number)"
        }
    }
}

/// Chooses the object that names a point; the objects near the point must be passed in ascending order of distance.
public struct NearObjects: Sendable {
    public struct Near: Sendable, Hashable {
        public var object: StoredObject
        /// The distance in metres from the requested point to the object.
        public var distance: Double
    }

    private var address: Near?
    private var street: Near?
    private var interest: Near?
    public private(set) var areasOfInterest: [String] = []
    public private(set) var inlandWater: String?

    public init() {}

    /// The object that names the point: the nearest address; if there is none, the nearest street; if there is neither,
    /// the nearest point of interest.
    public var best: Near? { address ?? street ?? interest }

    /// Whether objects at this distance in metres, or farther away, can no longer change the choice.
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
    /// This placemark, with the parts that it lacks taken from the placemark of the town at the same point.
    public func completed(by town: Placemark?) -> Placemark {
        guard let town, isoCountryCode == nil || isoCountryCode == town.isoCountryCode else { return self }
        var mark = self
        if locality == nil || locality == town.locality { mark.subLocality = subLocality ?? town.subLocality }
        mark.locality = locality ?? town.locality
        mark.administrativeArea = administrativeArea ?? town.administrativeArea
        mark.subAdministrativeArea = subAdministrativeArea ?? town.subAdministrativeArea
        // If the imported data do not name the country, the region's table gives the country's code as its name.
        if country == nil || country == isoCountryCode { mark.country = town.country }
        mark.isoCountryCode = isoCountryCode ?? town.isoCountryCode
        mark.timeZone = timeZone ?? town.timeZone
        mark.near = near ?? town.near
        return mark
    }
}
