import CSextantLinux
import Glibc
public import Hardware
import SextantReactor

/// The mailbox of the Raspberry Pi's firmware at `/dev/vcio`, through the kernel's driver.
///
/// Source: Raspberry Pi, "Mailbox property interface" of the firmware's wiki. Written from that page; not tried on
/// hardware.
public struct LinuxFirmwareMailbox: ~Copyable, FirmwareMailbox {
    public let name: String
    private let descriptor: Descriptor

    /// The bit that marks a response, in the message's second word and in the property's third.
    private static let answered: UInt32 = 1 << 31

    public init(_ path: String = "/dev/vcio") throws(FirmwareError) {
        do {
            descriptor = try Descriptor(opening: path, flags: O_RDWR)
        } catch {
            let mend =
                switch error.errno {
                case ENOENT: "this is no Raspberry Pi, or its kernel is not Raspberry Pi's"
                case EACCES, EPERM: "the package sextant-host lets the daemon use it"
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
            // Safety: the firmware writes no more than 32 bytes, the size that the message's first word gives.
            unsafe message.withUnsafeMutableBufferPointer {
                unsafe clinux_mailbox_property(number, $0.baseAddress)
            }
        }
        guard result == 0 else { throw FirmwareError(name, cause: SystemError.text(of: -result)) }
        // Some firmware marks even a message with an unknown property as answered, but leaves the property's own
        // response bit unset.
        guard message[1] == LinuxFirmwareMailbox.answered, message[4] & LinuxFirmwareMailbox.answered != 0 else {
            throw FirmwareError(
                name, cause: "the firmware does not know property \(property); update it with rpi-eeprom-update")
        }
        return (message[5], message[6])
    }
}

/// The wake alarm of a real-time clock that a kernel driver controls, through the clock's device node.
///
/// The alarm's file in /sys can be written by root alone, and not at all by a service that is barred from changing
/// kernel settings. Source: Linux, drivers/rtc/dev.c: setting the alarm needs no capability.
public struct LinuxKernelAlarm: ~Copyable, KernelAlarm {
    public let name: String

    public init(_ path: String = "/dev/rtc0") { name = path }

    /// Sets the alarm to a time in seconds since 1970, which replaces an earlier alarm; nil removes the alarm.
    ///
    /// The device is open only during this call, because only one program at a time can have it open.
    public mutating func set(_ seconds: UInt32?) throws(FirmwareError) {
        do {
            let device = try Descriptor(opening: name, flags: O_RDONLY)
            let result = device.withRawValue { clinux_clock_set_alarm($0, seconds ?? 0, seconds == nil ? 0 : 1) }
            _ = try SystemError.check(result, "set its alarm")
        } catch {
            throw FirmwareError(name, cause: SystemError.text(of: error.errno) + LinuxKernelAlarm.mend(error.errno))
        }
    }

    /// The advice on how to correct an error, which is appended to the error's text; empty if there is no advice.
    private static func mend(_ errno: Int32) -> String {
        switch errno {
        case ENOENT: "; the clock's driver is not loaded"
        case EACCES, EPERM: "; the package sextant-host lets the daemon set it"
        case EBUSY: "; another program has the clock open"
        case EINVAL, ENOTTY: "; the clock has no wake alarm"
        default: ""
        }
    }
}
