internal import SextantJSON

/// The model and the address of a board's host switch, for a process that has no board file.
///
/// The daemon writes both to a file of their own before it arms the switch for the first time after a boot, so that the
/// hook at the end of a shutdown can clear the switch where the owner switches the board off. Without that file the
/// hook leaves the switch as it is.
public struct HostSwitchAddress: Sendable, Equatable {
    /// The model's name in board files.
    public var model: String
    /// The I2C bus, by its device or by the name of its adapter; nil where the switch is not on a bus.
    public var bus: String?
    /// The chip's address on the bus; nil for the model's usual one.
    public var address: UInt8?

    public init(model: String, bus: String?, address: UInt8?) {
        self.model = model
        self.bus = bus
        self.address = address
    }

    public init(parsing bytes: [UInt8]) throws(HostFileError) {
        var members = try CheckedMembers(parsing: bytes)
        try self.init(from: &members)
        try members.finish()
    }

    public var text: String { CheckedMembers.text(of: members) }

    /// The addresses that I2C does not reserve for other purposes.
    ///
    /// Source: UM10204 (NXP), section 3.1.12.
    private static let addresses: ClosedRange<Int64> = 0x08...0x77

    init(from members: inout CheckedMembers) throws(HostFileError) {
        model = try members.text("model")
        bus = try members.optionalText("bus")
        address = try members.optionalWhole("address", in: HostSwitchAddress.addresses).map { UInt8($0) }
        // The shutdown hook opens the bus's device as root, so the name of the bus is checked.
        guard bus.map(HostSwitchAddress.isBus) ?? true else {
            throw .wrong(key: "bus", expected: "an I2C bus, such as /dev/i2c-1")
        }
    }

    private static func isBus(_ name: String) -> Bool {
        // A name without a slash names an I2C adapter, so it cannot be the path of another device.
        guard name.utf8.contains(0x2F) else { return (1...64).contains(name.utf8.count) }
        guard name != "/dev/sextant/i2c" else { return true }
        let digits = name.utf8.dropFirst("/dev/i2c-".utf8.count)
        return name.hasPrefix("/dev/i2c-") && (1...4).contains(digits.count)
            && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = ["model": .string(model)]
        if let bus { members["bus"] = .string(bus) }
        if let address { members["address"] = .number(Double(address)) }
        return members
    }
}
