/// The mailbox of the Raspberry Pi's firmware, through which programs read and set the firmware's properties.
///
/// Source: Raspberry Pi, "Mailbox property interface" of the firmware's wiki.
public protocol FirmwareMailbox: ~Copyable {
    /// The mailbox's name, for messages: `/dev/vcio`.
    var name: String { get }
    /// Sends two 32-bit words for a property, and returns the two words of the firmware's answer.
    ///
    /// The call blocks until the firmware has answered, and throws if the firmware does not know the property.
    mutating func exchange(
        _ words: (UInt32, UInt32), property: UInt32
    ) throws(FirmwareError) -> (UInt32, UInt32)
}

/// The alarm of a clock that a kernel driver controls, which wakes the host.
public protocol KernelAlarm: ~Copyable {
    /// The alarm's name, for messages: `/dev/rtc0`.
    var name: String { get }
    /// Sets the alarm to a time in whole seconds since 1970; nil removes it.
    mutating func set(_ seconds: UInt32?) throws(FirmwareError)
}

/// Why the firmware, or the kernel's driver of the firmware's clock, did not carry out a call.
public struct FirmwareError: Error, Sendable, Hashable {
    /// The name of the mailbox or of the alarm, for messages.
    public var place: String
    /// The cause of the failure, and the remedy where one is known.
    public var cause: String

    public init(_ place: String, cause: String) {
        self.place = place
        self.cause = cause
    }
}

extension FirmwareError: CustomStringConvertible {
    public var description: String { "\(place): \(cause)" }
}
