public import Foundation

/// The name and the address of a place; each part that is not known is nil.
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Safety: `Sendable` is unchecked because the class is open, as Apple's is; its only storage is constant.
    private let known: PlaceDescription

    /// A placemark whose parts are all unknown.
    public override init() {
        known = PlaceDescription()
        super.init()
    }

    public init(placemark: CLPlacemark) {
        known = placemark.known
        super.init()
    }

    package init(_ known: PlaceDescription) {
        self.known = known
        super.init()
    }

    public required init?(coder: NSCoder) {
        known = PlaceDescription(coder: coder)
        super.init()
    }

    open func encode(with coder: NSCoder) {
        known.encode(with: coder)
    }

    open class var supportsSecureCoding: Bool { true }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open var location: CLLocation? { known.location }
    open var region: CLRegion? { known.region }
    open var timeZone: TimeZone? { known.timeZone }
    open var name: String? { known[.name] }
    /// The street.
    open var thoroughfare: String? { known[.thoroughfare] }
    /// The number of the house.
    open var subThoroughfare: String? { known[.subThoroughfare] }
    /// The town.
    open var locality: String? { known[.locality] }
    /// The part of the town.
    open var subLocality: String? { known[.subLocality] }
    /// The state or province.
    open var administrativeArea: String? { known[.administrativeArea] }
    /// The county.
    open var subAdministrativeArea: String? { known[.subAdministrativeArea] }
    open var postalCode: String? { known[.postalCode] }
    /// The country's ISO 3166-1 code of two letters.
    open var isoCountryCode: String? { known[.isoCountryCode] }
    open var country: String? { known[.country] }
    open var inlandWater: String? { known[.inlandWater] }
    open var ocean: String? { known[.ocean] }
    open var areasOfInterest: [String]? { known.areasOfInterest }

    @available(*, deprecated, message: "use the properties of the placemark")
    open var addressDictionary: [AnyHashable: Any]? {
        let entries: [(String, Any?)] = [
            ("Name", name), ("Thoroughfare", thoroughfare), ("SubThoroughfare", subThoroughfare),
            ("City", locality), ("SubLocality", subLocality), ("State", administrativeArea),
            ("SubAdministrativeArea", subAdministrativeArea), ("ZIP", postalCode), ("Country", country),
            ("CountryCode", isoCountryCode),
        ]
        let known = entries.compactMap { key, value in value.map { (AnyHashable(key), $0) } }
        return known.isEmpty ? nil : Dictionary(uniqueKeysWithValues: known)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLPlacemark else { return false }
        return other.known == known
    }

    open override var hash: Int { known.hashValue }

    open override var description: String {
        [name, thoroughfare, locality, administrativeArea, postalCode, country].compactMap(\.self)
            .joined(separator: ", ")
    }
}
