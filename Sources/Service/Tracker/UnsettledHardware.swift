public import ClientProtocol
public import Receivers

/// Hardware without a receiver, for a tracker whose configuration names none that can be used.
///
/// Clients are served what was kept, and told why there is no receiver. A class, as the protocol wants it.
public final class UnsettledHardware: TrackerHardware {
    private let failure: HardwareFailure

    /// - Parameter problem: What is wrong with the configuration, and the mend.
    public init(_ problem: String) { failure = HardwareFailure(problem, isMissing: true) }

    public let source = LocationObject.Source(isSimulated: false, isAccessory: false)
    public let drivesClock = false
    public let drivesMotion = false

    public func openPort(baud: Int) throws(HardwareFailure) -> any ReceiverPort { throw failure }

    /// Nothing can appear before the configuration is mended, and then the daemon starts anew.
    public func watchDevice(_ appeared: @escaping () -> Void) throws(HardwareFailure) {}

    public func openLine(
        _ role: LineRole, told: @escaping (InputEvent) -> Void
    ) throws(HardwareFailure) -> Bool { throw failure }

    public func setLine(_ role: LineRole, _ level: Bool) throws(HardwareFailure) { throw failure }

    public func openCompass(
        told: @escaping (CompassEvent) -> Void
    ) throws(HardwareFailure) -> any CompassPort { throw failure }
}
