import CSextantLinux
import Glibc
public import Hardware
import SextantReactor

/// The mailbox of the Raspberry Pi's firmware at `/dev/vcio`, by the kernel's driver.
///
/// Source: Raspberry Pi, "Mailbox property interface" of the firmware's wiki. By reading, not tried on hardware.
public struct LinuxFirmwareMailbox: ~Copyable, FirmwareMailbox {
    public let name: String
    private let descriptor: Descriptor

    /// The mark of an answer, in a message's second word and in a property's third.
    private static let answered: UInt32 = 1 << 31

    public init(_ path: String = "/dev/vcio") throws(FirmwareError) {
        do {
            descriptor = try Descriptor(opening: path, flags: O_RDWR)
        } catch {
            let mend =
                switch error.errno {
                case ENOENT: "this is no Raspberry Pi, or its kernel is not Raspberry Pi's"
                case EACCES, EPERM: "run as a member of the group video"
                default: "check the kernel's log"
                }
            throw FirmwareError(path, cause: "\(SystemError.text(of: error.errno)); \(mend)")
        }
        name = path
    }

    public mutating func exchange(
        _ words: (UInt32, UInt32), property: UInt32
    ) throws(FirmwareError) -> (UInt32, UInt32) {
        var message: [UInt32] = [32, 0, property, 8, 0, words.0, words.1, 0]
        let result = descriptor.withRawValue { number in
            // Safety: the firmware writes no more than the 32 bytes that the first word tells it of.
            unsafe message.withUnsafeMutableBufferPointer {
                unsafe clinux_mailbox_property(number, $0.baseAddress)
            }
        }
        guard result == 0 else { throw FirmwareError(name, cause: SystemError.text(of: -result)) }
        // Some firmware answers a property that it does not know as well, without the mark of the property's own answer.
        guard message[1] == LinuxFirmwareMailbox.answered, message[4] & LinuxFirmwareMailbox.answered != 0 else {
            throw FirmwareError(
                name, cause: "the firmware does not know property \(property); update it with rpi-eeprom-update")
        }
        return (message[5], message[6])
    }
}

/// The wake alarm of a clock that a driver of the kernel's holds, by its file in /sys.
public struct LinuxKernelAlarm: ~Copyable, KernelAlarm {
    public let name: String

    public init(_ path: String = "/sys/class/rtc/rtc0/wakealarm") { name = path }

    /// Takes the old alarm away, without which the kernel refuses a new one, and sets the new one.
    public mutating func set(_ seconds: UInt32?) throws(FirmwareError) {
        try write("0")
        if let seconds { try write("\(seconds)") }
    }

    private borrowing func write(_ text: String) throws(FirmwareError) {
        do {
            let file = try Descriptor(opening: name, flags: O_WRONLY)
            let bytes = Array(text.utf8)
            guard case .bytes(bytes.count) = file.write(bytes.span) else {
                throw SystemError("write \(name)", errno: EIO)
            }
        } catch let error as SystemError {
            let mend = error.errno == ENOENT ? "; the clock has no wake alarm, or its driver is not loaded" : ""
            throw FirmwareError(name, cause: SystemError.text(of: error.errno) + mend)
        } catch {
            throw FirmwareError(name, cause: "\(error)")
        }
    }
}
