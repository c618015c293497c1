import Glibc
import Hardware
import SextantReactor

extension BusError {
    init(opening path: String, bus: String, errno: Int32) {
        switch errno {
        case ENOENT, ENOTDIR, ENODEV, ENXIO:
            self = I2CAdapterList.present().missing(bus)
            self.errno = errno
        case ENOTTY:
            self = I2CAdapterList.present().foreign(bus)
            self.errno = errno
        case EACCES, EPERM:
            self.init(.permissionDenied, bus: bus, errno: errno, cause: DeviceAdmission.mend(for: path))
        case EMFILE, ENFILE:
            let cause = "\(SystemError.text(of: errno)); too many open files: raise LimitNOFILE"
            self.init(.other, bus: bus, errno: errno, cause: cause)
        default: self.init(.other, bus: bus, errno: errno, cause: SystemError.text(of: errno))
        }
    }

    init(selecting address: I2CAddress, bus: String, path: String, errno: Int32) {
        switch errno {
        case EBUSY:
            let driver = BusError.driver(of: address, path: path)
            self.init(.busy, bus: bus, address: address, errno: errno, cause: driver ?? "")
        case EINVAL:
            self.init(.other, bus: bus, address: address, errno: errno, cause: "no address is beyond 0x7f")
        default:
            self.init(transferringWith: address, bus: bus, errno: errno, adapterIsPresent: false)
        }
    }

    /// Makes the error for an errno from an I2C transfer, with the meaning that the kernel and its drivers give it.
    ///
    /// Source: Linux, Documentation/i2c/fault-codes.rst. Many drivers (i2c-bcm2835, i2c-designware) return EREMOTEIO
    /// for "not acknowledged"; EBUSY from a transfer means a bus that stayed busy.
    init(transferringWith address: I2CAddress, bus: String, errno: Int32, adapterIsPresent: Bool) {
        let kind: Kind =
            switch errno {
            case ENXIO, EREMOTEIO: .noAcknowledge
            case ENODEV: adapterIsPresent ? .noAcknowledge : .gone
            case EAGAIN: .arbitrationLost
            case ETIMEDOUT, EBUSY: .timeout
            case ESHUTDOWN, ENOENT, EBADF: .gone
            case EACCES, EPERM: .permissionDenied
            case EOPNOTSUPP: .unsupported
            default: .other
            }
        self.init(
            kind, bus: bus, address: address, errno: errno, cause: kind == .other ? BusError.cause(errno) : "")
    }

    private static func cause(_ errno: Int32) -> String {
        let mend =
            switch errno {
            case EIO, EPROTO, EBADMSG:
                "; the transfer was cut short: check wiring and pull-up resistors, and try a slower bus"
            default: ""
            }
        return SystemError.text(of: errno) + mend
    }

    /// The kernel driver that holds the chip at this address, as `/sys/bus/i2c` shows it; nil if there is none.
    private static func driver(of address: I2CAddress, path: String) -> String? {
        guard let number = path.split(separator: "-").last else { return nil }
        let digits = String(address.rawValue, radix: 16)
        let device = "\(number)-\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)"
        let link = SymbolicLink.target(of: "/sys/bus/i2c/devices/\(device)/driver")
        return link?.split(separator: "/").last.map(String.init)
    }
}
