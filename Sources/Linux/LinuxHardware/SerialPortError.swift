import Glibc
import SextantReactor

/// Why a serial line could not be used; the description includes the remedy.
public enum SerialPortError: Error, Sendable, Equatable {
    case notFound(path: String)
    case isFolder(path: String)
    case notATerminal(path: String)
    /// `owningGroup` is the group whose members may open the device; nil if there is no such group or it is unknown.
    case permissionDenied(path: String, owningGroup: String?)
    case busy(path: String, holder: ProcessHolder?)
    case unsupportedRate(path: String, rate: Int)
    case other(path: String, errno: Int32)

    init(opening path: String, errno: Int32) {
        switch errno {
        case ENOENT, ENOTDIR: self = .notFound(path: path)
        case EISDIR: self = .isFolder(path: path)
        case EACCES, EPERM:
            self = .permissionDenied(path: path, owningGroup: (try? FileStatus(path: path))?.admittedGroupName)
        default: self = .other(path: path, errno: errno)
        }
    }
}

extension SerialPortError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let path):
            "\(path): no such device; is it plugged in, or its overlay enabled in /boot/firmware/config.txt?"
        case .isFolder(let path):
            "\(path): a directory; name the serial device itself, such as /dev/ttyAMA0"
        case .notATerminal(let path):
            "\(path): not a serial device; name a tty such as /dev/ttyAMA0"
        case .permissionDenied(let path, let group):
            "permission denied; \(DeviceAdmission.mend(for: path, group: group))"
        case .busy(let path, let holder):
            "\(path): in use by \(holder?.description ?? "another program"); stop it first"
        case .unsupportedRate(let path, let rate):
            "\(path): cannot run at \(rate) bit/s; choose another rate, such as 9600 or 115200"
        case .other(let path, let errno):
            "\(path): \(SystemError.text(of: errno))\(SerialPortError.mend(errno: errno))"
        }
    }

    private static func mend(errno: Int32) -> String {
        switch errno {
        case EIO, ENXIO, ENODEV: "; the node exists but no device answers behind it: check wiring and overlays"
        case EMFILE, ENFILE: "; too many open files: raise LimitNOFILE"
        default: ""
        }
    }
}
