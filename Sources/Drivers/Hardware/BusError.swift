/// A failure on an I2C bus, of a kind that tells the caller what to do.
///
/// The errno is the kernel's. Two errors are equal if their bus, address and kind are.
public struct BusError: Error, Sendable {
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// No adapter has this name.
        case notFound
        /// No chip acknowledged the address, or the chip refused a byte: the chip is absent, without power, or busy.
        case noAcknowledge
        /// Another bus master won the bus in the middle of the transfer, which can be tried again.
        case arbitrationLost
        /// The bus did not become free in time, because a device holds a line low.
        case timeout
        /// The adapter is no longer there.
        case gone
        /// A kernel driver holds the address, so programs cannot use it.
        case busy
        case permissionDenied
        /// The adapter lacks a function that the transfer needs.
        case unsupported
        case other
    }

    /// The bus's name as the caller gave it.
    public var bus: String
    /// The address of the chip; nil if the bus itself could not be opened.
    public var address: I2CAddress?
    public var kind: Kind
    public var errno: Int32
    /// The kernel's message, and the remedy if one is known; for the kind `busy`, the name of the kernel driver that
    /// holds the chip.
    public var cause: String

    public init(_ kind: Kind, bus: String, address: I2CAddress? = nil, errno: Int32 = 0, cause: String = "") {
        self.kind = kind
        self.bus = bus
        self.address = address
        self.errno = errno
        self.cause = cause
    }
}

extension BusError: Equatable {
    public static func == (left: BusError, right: BusError) -> Bool {
        left.bus == right.bus && left.address == right.address && left.kind == right.kind
    }
}

extension BusError: CustomStringConvertible {
    /// Words for the kernel driver that holds the chip, for a message.
    var holder: String { cause.isEmpty ? "a driver of the kernel's" : "the kernel's driver \(cause)" }

    public var description: String {
        let place = address.map { "\(bus), address \($0)" } ?? bus
        switch kind {
        case .notFound:
            return "\(place): \(cause.isEmpty ? "no such I2C adapter; i2cdetect -l lists those there are" : cause)"
        case .noAcknowledge:
            return "\(place): no device answers; check the chip's supply, its wiring and its address"
        case .arbitrationLost:
            return "\(place): another master took the bus; there may be one only"
        case .timeout:
            return "\(place): the bus hangs; check the pull-up resistors and whether a chip holds a line down"
        case .gone:
            return "\(place): the bus is gone; check its plug, or what its driver says in the kernel's log"
        case .busy:
            return "\(place): \(holder) has this chip; unbind it, or remove its overlay from config.txt"
        case .permissionDenied:
            return "\(place): permission denied; \(cause.isEmpty ? "run as a member of the group i2c" : cause)"
        case .unsupported:
            return "\(place): \(cause.isEmpty ? "the adapter cannot transfer register bytes" : cause)"
        case .other:
            return "\(place): \(cause.isEmpty ? "error \(errno)" : cause)"
        }
    }
}
