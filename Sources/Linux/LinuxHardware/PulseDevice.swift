import CSextantLinux
import Glibc
import SextantReactor
public import SextantUnits

/// The pulse-per-second (PPS) signal of a device such as `/dev/pps0`, timestamped by the kernel.
///
/// The device is asked for its last pulse after a message of the GNSS receiver has arrived, and the program never waits
/// for a pulse. That costs no extra wake-up; and waiting would fail on kernels before 6.17, which report the device as
/// readable at all times (`pps_cdev_poll`, until commit 12c409aa1ec2). Source: RFC 2783 and Linux, `drivers/pps/pps.c`.
/// Written from these sources; not tried with pulses of a real receiver.
public struct PulseDevice: ~Copyable, Sendable {
    private let path: String
    private let descriptor: Descriptor

    public init(path: String) throws(PulseDeviceError) {
        do {
            // Reading pulses needs only read access; changing the device's settings would need CAP_SYS_TIME.
            descriptor = try Descriptor(opening: path, flags: O_RDONLY)
        } catch {
            throw PulseDeviceError(path, errno: error.errno)
        }
        self.path = path
    }

    /// The last pulse: the kernel's pulse count, and the wall clock's time at the pulse's edge; nil if none has come.
    public borrowing func last() throws(PulseDeviceError) -> (sequence: UInt32, wall: UTCInstant)? {
        var (sequence, nanoseconds) = (UInt32(0), Int64(0))
        // Safety: the C function writes to both numbers during the call alone.
        let result = descriptor.withRawValue { unsafe clinux_pulse_fetch($0, &sequence, &nanoseconds) }
        guard result == 0 else { throw PulseDeviceError(path, errno: -result) }
        return sequence == 0 ? nil : (sequence, UTCInstant(nanoseconds: nanoseconds))
    }
}

/// Why the pulses cannot be read, in a sentence with the remedy.
public struct PulseDeviceError: Error, CustomStringConvertible {
    public var description: String

    init(_ path: String, errno: Int32) {
        let mend =
            switch errno {
            case ENOENT, ENODEV, ENXIO:
                "put dtoverlay=pps-gpio,gpiopin=18 into config.txt, with the pin that the pulse is wired to, and start "
                    + "the board again"
            case EACCES, EPERM: "the package's rule of udev gives it to the user sextant: sudo udevadm trigger -s pps"
            case ENOTTY, EINVAL: "it is no device of pulses; name one such as /dev/pps0"
            default: "see dmesg for what became of it"
            }
        description = "\(path): \(SystemError.text(of: errno)); \(mend)"
    }
}
