/// The mailbox of the Raspberry Pi's firmware, by which programs ask it for properties.
///
/// Source: Raspberry Pi, "Mailbox property interface" of the firmware's wiki.
public protocol FirmwareMailbox: ~Copyable {
    /// The mailbox's name, for messages: `/dev/vcio`.
    var name: String { get }
    /// Sends a property with two 32-bit words, and returns the two words of the firmware's answer.
    ///
    /// The call blocks until the firmware has answered, and throws where the firmware does not know the property.
    mutating func exchange(
        _ words: (UInt32, UInt32), property: UInt32
    ) throws(FirmwareError) -> (UInt32, UInt32)
}

/// The wake alarm of a clock that a kernel driver controls.
public protocol KernelAlarm: ~Copyable {
    /// The alarm's name, for messages: `/dev/rtc0`.
    var name: String { get }
    /// Sets the alarm, in whole seconds since 1970; nil removes it.
    mutating func set(_ seconds: UInt32?) throws(FirmwareError)
}

/// Why the firmware, or the kernel's driver of its clock, did not do what it was asked.
public struct FirmwareError: Error, Sendable, Hashable {
    /// The mailbox's or alarm's name.
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
