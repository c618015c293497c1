internal import LinuxHardware
public import Reactor
public import Receivers

/// The kernel's hardware: a serial device, its directory's events, and GPIO lines.
public final class LinuxTrackerHardware: TrackerHardware {
    private let device: String
    private let reactor: Reactor
    private var watch: DeviceWatch?

    public init(device: String, reactor: Reactor) {
        self.device = device
        self.reactor = reactor
    }

    public func openPort(baud: Int) throws(HardwareFailure) -> any ReceiverPort {
        do {
            return SerialReceiverPort(try SerialPort(path: device, baud: baud), reactor: reactor)
        } catch {
            throw HardwareFailure(error)
        }
    }

    public func watchDevice(_ appeared: @escaping () -> Void) throws(HardwareFailure) {
        do {
            let watch = try DeviceWatch(path: device)
            _ = try reactor.register(watch.descriptor, for: .read) { [unowned watch] _ in
                while let change = watch.takeChange() {
                    switch change {
                    case .appeared, .replaced, .permissionsChanged: appeared()
                    case .disappeared: break
                    }
                }
            }
            self.watch = watch
        } catch {
            throw HardwareFailure("\(device): its return cannot be watched for: \(error)")
        }
    }

    public func openLines(_ roles: [LineRole], edge: @escaping (InputEdge) -> Void) throws(HardwareFailure) {
        if let role = roles.first { throw LinuxTrackerHardware.unassigned(role) }
    }

    public func setLine(_ role: LineRole, _ level: Bool) throws(HardwareFailure) {
        throw LinuxTrackerHardware.unassigned(role)
    }

    private static func unassigned(_ role: LineRole) -> HardwareFailure {
        HardwareFailure("\(role): no GPIO line is assigned to this role", isMissing: true)
    }
}

extension HardwareFailure {
    init(_ error: SerialPortError) {
        if case .notFound = error {
            self.init(error.description, isMissing: true)
        } else {
            self.init(error.description)
        }
    }
}
