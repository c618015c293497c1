public import ClientProtocol
public import Receivers

/// Hardware without a receiver, for a tracker whose configuration names no usable one.
///
/// Clients then get stored data, and the reason why there is no receiver. A class, because the protocol demands one.
public final class UnsettledHardware: TrackerHardware {
    private let failure: HardwareFailure

    /// - Parameter problem: The mistake in the configuration, and how to correct it.
    public init(_ problem: String) { failure = HardwareFailure(problem, isMissing: true) }

    public let source = LocationObject.Source(isSimulated: false, isAccessory: false)
    public let drivesClock = false
    public let drivesMotion = false
    public let isDevicePresent = false

    public func openPort(baud: Int) throws(HardwareFailure) -> any ReceiverPort { throw failure }

    /// Does nothing: no device can appear before the configuration is corrected, and after that the daemon restarts.
    public func watchDevice(_ appeared: @escaping () -> Void) throws(HardwareFailure) {}

    public func openLine(
        _ role: LineRole, onEvent: @escaping (InputEvent) -> Void
    ) throws(HardwareFailure) -> Bool { throw failure }

    public func setLine(_ role: LineRole, _ level: Bool) throws(HardwareFailure) { throw failure }

    public func openRadio(
        onEvent: @escaping (RadioEvent) -> Void
    ) throws(HardwareFailure) -> (any RadioPort)? { nil }

    public func openSensors(
        onEvent: @escaping (SensorEvent) -> Void
    ) throws(HardwareFailure) -> any SensorPort { throw failure }
}
