public import Foundation

/// A circle on the ground.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
    // Safety: the class is open as `CLRegion` is; the storage that it adds to `CLRegion` is constant.
    private let middle: CLLocationCoordinate2D
    private let reach: CLLocationDistance

    /// A circle about a centre; its radius is in metres.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        middle = center
        reach = radius
        super.init(identifier: identifier)
    }

    /// A circle of radius 0 at latitude 0 and longitude 0, with an empty identifier.
    public override init() {
        middle = CLLocationCoordinate2D()
        reach = 0
        super.init()
    }

    private enum Key {
        static let latitude = ArchiveKey(
            own: "CLCircularRegion.latitude", apple: "kCLCircularRegionCodingKeyCenterLatitude")
        static let longitude = ArchiveKey(
            own: "CLCircularRegion.longitude", apple: "kCLCircularRegionCodingKeyCenterLongitude")
        static let radius = ArchiveKey(own: "CLCircularRegion.radius", apple: "kCLCircularRegionCodingKeyRadius")
    }

    /// Reads an archive of this class or of Apple's; nil without an identifier, a centre or a radius.
    public required init?(coder: NSCoder) {
        guard let center = coder.coordinate(Key.latitude, Key.longitude), let radius = coder.double(Key.radius) else {
            return nil
        }
        middle = center
        reach = radius
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(center.latitude, forKey: Key.latitude.own)
        coder.encode(center.longitude, forKey: Key.longitude.own)
        coder.encode(radius, forKey: Key.radius.own)
    }

    open var center: CLLocationCoordinate2D { middle }

    /// The circle's radius.
    ///
    /// Unit: metre.
    open var radius: CLLocationDistance { reach }

    /// Whether a place is within the circle or on its edge; false for an invalid coordinate.
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        CLLocationCoordinate2DIsValid(coordinate) && center.distance(to: coordinate) <= radius
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        withSameNotifications(CLCircularRegion(center: center, radius: radius, identifier: identifier))
    }

    open override var description: String {
        let circle = String(format: "center:<%+.8f,%+.8f>, radius:%.2fm", center.latitude, center.longitude, radius)
        return "\(type(of: self)) (identifier:'\(identifier)', \(circle))"
    }
}
