/// One event of the kernel's Bluetooth management socket; each read returns one.
///
/// Layout, little-endian: event (2 bytes), controller (2), length of the parameters (2), parameters. Source: BlueZ,
/// `doc/mgmt-api.txt` and `lib/mgmt.h`.
public enum ManagementEvent: Sendable, Equatable {
    /// The answer to a command: success, or the reason why it failed.
    case answer(to: UInt16, controller: UInt16, ManagementStatus, parameters: Range<Int>)
    case controllerAdded(UInt16)
    case controllerRemoved(UInt16)
    case settingsChanged(controller: UInt16, ControllerSettings)
    /// An advertisement was received; `data` is the range of its structures within the event's bytes.
    case advertisement(Advertisement, data: Range<Int>)
    /// An advertisement monitor was removed; handle 0 means all of them.
    case monitorRemoved(controller: UInt16, handle: UInt16)
    /// An advertisement is not sent any more, because a program removed it or its time is over.
    case advertisingRemoved(controller: UInt16, instance: UInt8)
    case suspended(controller: UInt16)
    case resumed(controller: UInt16)
    /// An event that Sextant does not use.
    case other(UInt16)

    /// The sender and the received signal strength of an advertisement.
    public struct Advertisement: Sendable, Hashable {
        public var controller: UInt16
        public var sender: SenderAddress
        /// The received signal strength in dBm; nil if the controller gave none, which it says with 127 or 0.
        public var strength: Int8?
    }

    private static let headerByteCount = 6

    public init(_ bytes: borrowing Span<UInt8>) throws(ManagementEventError) {
        guard bytes.count >= ManagementEvent.headerByteCount else { throw .noHeader(byteCount: bytes.count) }
        let (code, controller) = (bytes.littleEndian(UInt16.self, at: 0), bytes.littleEndian(UInt16.self, at: 2))
        let stated = Int(bytes.littleEndian(UInt16.self, at: 4))
        guard stated == bytes.count - ManagementEvent.headerByteCount else {
            throw .wrongLength(event: code, stated: stated, found: bytes.count - ManagementEvent.headerByteCount)
        }
        /// Throws unless the event has at least this number of bytes of parameters.
        func need(_ count: Int) throws(ManagementEventError) {
            guard stated >= count else { throw .wrongLength(event: code, stated: stated, found: count) }
        }
        switch code {
        case 0x0001, 0x0002:
            try need(3)
            self = .answer(
                to: bytes.littleEndian(UInt16.self, at: 6), controller: controller,
                ManagementStatus(rawValue: bytes[8]), parameters: 9..<bytes.count)
        case 0x0004: self = .controllerAdded(controller)
        case 0x0005: self = .controllerRemoved(controller)
        case 0x0006:
            try need(4)
            self = .settingsChanged(
                controller: controller, ControllerSettings(rawValue: bytes.littleEndian(UInt32.self, at: 6)))
        case 0x0024:
            try need(1)
            self = .advertisingRemoved(controller: controller, instance: bytes[6])
        case 0x002C:
            try need(2)
            self = .monitorRemoved(controller: controller, handle: bytes.littleEndian(UInt16.self, at: 6))
        case 0x002D: self = .suspended(controller: controller)
        case 0x002E: self = .resumed(controller: controller)
        case 0x002F: self = try ManagementEvent.advertisement(bytes, code, controller, at: 8)
        case 0x0012: self = try ManagementEvent.advertisement(bytes, code, controller, at: 6)
        default: self = .other(code)
        }
    }

    /// Reads an advertisement: address (6 bytes), address type (1), signal strength (1), flags (4), length (2),
    /// structures.
    private static func advertisement(
        _ bytes: borrowing Span<UInt8>, _ code: UInt16, _ controller: UInt16, at offset: Int
    ) throws(ManagementEventError) -> ManagementEvent {
        let data = offset + 14
        guard bytes.count >= data else {
            throw .wrongLength(event: code, stated: bytes.count - headerByteCount, found: data - headerByteCount)
        }
        let count = Int(bytes.littleEndian(UInt16.self, at: data - 2))
        guard data + count == bytes.count else {
            throw .wrongLength(event: code, stated: count, found: bytes.count - data)
        }
        let strength = Int8(bitPattern: bytes[offset + 7])
        let heard = Advertisement(
            controller: controller, sender: SenderAddress(bytes, at: offset),
            strength: strength == 127 || strength == 0 ? nil : strength)
        return .advertisement(heard, data: data..<bytes.count)
    }
}

/// Why bytes are not a valid event of the management socket.
public enum ManagementEventError: Error, Sendable, Hashable, CustomStringConvertible {
    case noHeader(byteCount: Int)
    /// The event's length differs from the length in its header, or is less than this kind of event needs.
    case wrongLength(event: UInt16, stated: Int, found: Int)

    public var description: String {
        switch self {
        case .noHeader(let count):
            "\(count) bytes are no event of the Bluetooth management socket, which has 6 at least"
        case .wrongLength(let event, let stated, let found):
            "event \(event) of the Bluetooth management socket states \(stated) bytes, and \(found) were expected"
        }
    }
}

/// The Bluetooth address of an advertisement's sender.
///
/// Phones and some beacons change their address every few minutes.
public struct SenderAddress: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The 48 bits of the address, and bit 48, which is set for a random address; one integer holds them all to save
    /// memory, because a thousand addresses are kept.
    private let bits: UInt64

    /// Reads an address (6 bytes, in reverse order of its text) and its type (1: public, 2: random).
    init(_ bytes: borrowing Span<UInt8>, at offset: Int) {
        bits =
            UInt64(bytes.littleEndian(UInt32.self, at: offset))
            | UInt64(bytes.littleEndian(UInt16.self, at: offset + 4)) << 32
            | (bytes[offset + 6] != 1 ? 1 << 48 : 0)
    }

    /// Parses the text of an address, and takes the address as public: the text does not tell whether an address is
    /// random.
    ///
    /// - Returns: Nil if the text is not six pairs of hexadecimal digits separated by colons.
    public init?(_ text: some StringProtocol) {
        let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
        guard pairs.count == 6, pairs.allSatisfy({ $0.utf8.count == 2 && $0.first?.isHexDigit ?? false }) else {
            return nil
        }
        let bytes = pairs.compactMap { UInt8($0, radix: 16) }
        guard bytes.count == 6 else { return nil }
        bits = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    public static func < (left: SenderAddress, right: SenderAddress) -> Bool { left.bits < right.bits }

    /// The address as text: six pairs of hexadecimal digits separated by colons.
    public var description: String {
        (0..<6).map { place in
            let byte = bits >> (40 - 8 * place) & 0xFF
            return (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined(separator: ":")
    }
}

/// The settings that a controller supports, or has switched on.
///
/// Source: BlueZ, `doc/mgmt-api.txt`, Read Controller Information.
public struct ControllerSettings: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let powered = ControllerSettings(rawValue: 1 << 0)
    public static let lowEnergy = ControllerSettings(rawValue: 1 << 9)
}

/// The kernel's status code for a command that has ended: success, or why it failed.
///
/// Source: BlueZ, `lib/mgmt.h`.
public struct ManagementStatus: RawRepresentable, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let success = ManagementStatus(rawValue: 0x00)
    public static let unknownCommand = ManagementStatus(rawValue: 0x01)
    public static let notSupported = ManagementStatus(rawValue: 0x0C)
    public static let invalidController = ManagementStatus(rawValue: 0x11)
    /// The radio is switched off by `rfkill`.
    public static let blocked = ManagementStatus(rawValue: 0x12)
}
