public import Hardware

/// An accelerometer driver that can search for its chip on a bus; each entry of `AccelerometerCatalogue` is such a
/// driver.
public protocol AccelerometerChip: AccelerometerDriver, IdentifiableChip {
    static var model: AccelerometerModel { get }
}

extension AccelerometerChip {
    public static var name: String { model.rawValue }
    public var model: AccelerometerModel { Self.model }
    var name: String { Self.name }
}
