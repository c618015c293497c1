public import Hardware

/// An accelerometer's driver that can be found on a bus: what each entry of the catalogue is.
public protocol AccelerometerChip: AccelerometerDriver, IdentifiableChip {
    static var model: AccelerometerModel { get }
}

extension AccelerometerChip {
    public static var name: String { model.rawValue }
    public var model: AccelerometerModel { Self.model }
    /// The chip's name, for errors.
    var name: String { Self.name }
}
