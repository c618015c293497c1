public import Magnetism

/// The chips of a compass that was found, and how they are mounted on the board.
public struct CompassChips: Sendable, Hashable {
    /// The magnetometer's model, by the name that a board file gives it.
    public var magnetometer: String
    public var magnetometerMounting: Mounting
    /// The accelerometer's model; nil where there is none, so that the board is taken to lie level.
    public var accelerometer: String?
    public var accelerometerMounting: Mounting
    /// The bus and address of the magnetometer, as text for people.
    public var busAddress: String

    public init(
        magnetometer: String, magnetometerMounting: Mounting = .aligned, accelerometer: String? = nil,
        accelerometerMounting: Mounting = .aligned, busAddress: String
    ) {
        self.magnetometer = magnetometer
        self.magnetometerMounting = magnetometerMounting
        self.accelerometer = accelerometer
        self.accelerometerMounting = accelerometerMounting
        self.busAddress = busAddress
    }
}
