internal import LinuxHardware
internal import TimeService

/// The kernel's PPS device, open as long as this object lives.
///
/// A class, because a value of protocol type (`any PulsePort`) cannot hold a noncopyable device.
final class DevicePulses: PulsePort {
    private let device: PulseDevice

    init(_ device: consuming PulseDevice) { self.device = device }

    func last() throws(HardwareFailure) -> Pulse? {
        do {
            return try device.last().map { Pulse(sequence: $0.sequence, wall: $0.wall) }
        } catch {
            throw HardwareFailure(error.description)
        }
    }
}
