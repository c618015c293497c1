public import Hardware

/// A magnetometer driver that can search for its chip on a bus; each entry of `MagnetometerCatalogue` is such a driver.
public protocol MagnetometerChip: MagnetometerDriver, IdentifiableChip {
    static var model: MagnetometerModel { get }
}

extension MagnetometerChip {
    public static var name: String { model.rawValue }
    public var model: MagnetometerModel { Self.model }
    var name: String { Self.name }
}
