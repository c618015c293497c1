internal import Foundation

/// All values of one `CLPlacemark`.
package struct PlaceDescription: Sendable, Hashable {
    /// The parts of a place that are text; each has the name of the `CLPlacemark` property.
    package enum Part: String, Sendable, CaseIterable {
        case name, thoroughfare, subThoroughfare, locality, subLocality, administrativeArea, subAdministrativeArea
        case postalCode, isoCountryCode, country, inlandWater, ocean
    }

    package var location: CLLocation?
    package var region: CLRegion?
    package var timeZone: TimeZone?
    package var areasOfInterest: [String]?
    private var texts: [Part: String] = [:]

    package init() {}

    package subscript(part: Part) -> String? {
        get { texts[part] }
        set { texts[part] = newValue }
    }
}

extension PlaceDescription {
    init(coder: NSCoder) {
        location = coder.objectIfPresent(of: CLLocation.self, forKey: "CLPlacemark.location")
        region = coder.objectIfPresent(of: CLCircularRegion.self, forKey: "CLPlacemark.region")
        timeZone = PlaceDescription.text(in: coder, "timeZone").flatMap(TimeZone.init(identifier:))
        if coder.containsValue(forKey: "CLPlacemark.areasOfInterest") {
            let areas = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "CLPlacemark.areasOfInterest")
            areasOfInterest = (areas as? [NSString])?.map { String(describing: $0) }
        }
        for part in Part.allCases {
            texts[part] = PlaceDescription.text(in: coder, part.rawValue)
        }
    }

    func encode(with coder: NSCoder) {
        coder.encode(location, forKey: "CLPlacemark.location")
        coder.encode(region, forKey: "CLPlacemark.region")
        coder.encode(timeZone.map { NSString(string: $0.identifier) }, forKey: "CLPlacemark.timeZone")
        coder.encode(
            areasOfInterest.map { NSArray(array: $0.map(NSString.init(string:))) },
            forKey: "CLPlacemark.areasOfInterest")
        for (part, text) in texts {
            coder.encode(NSString(string: text), forKey: "CLPlacemark.\(part.rawValue)")
        }
    }

    private static func text(in coder: NSCoder, _ name: String) -> String? {
        coder.objectIfPresent(of: NSString.self, forKey: "CLPlacemark.\(name)").map { String(describing: $0) }
    }
}
