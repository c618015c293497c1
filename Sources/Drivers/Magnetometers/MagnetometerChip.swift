public import Hardware

/// A magnetometer's driver that can be found on a bus: what each entry of the catalogue is.
public protocol MagnetometerChip: MagnetometerDriver, IdentifiableChip {
    static var model: MagnetometerModel { get }
}

extension MagnetometerChip {
    public static var name: String { model.rawValue }
    public var model: MagnetometerModel { Self.model }
    /// The chip's name, for errors.
    var name: String { Self.name }
}
