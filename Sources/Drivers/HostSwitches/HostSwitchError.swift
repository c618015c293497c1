public import Hardware

/// Why a host switch could not be used, with one case for each thing that the caller can do about it.
public enum HostSwitchError: Error, Sendable, Equatable {
    case bus(BusError)
    case firmware(FirmwareError)
    /// An identity register does not hold the value that this model of switch has there.
    case wrongIdentity(HostSwitchModel, register: UInt8, expected: UInt8, found: UInt8, at: ChipAddress)
    /// The switch's firmware is too old for the needed functions, or its registers are not known.
    case otherFirmware(HostSwitchModel, found: String, needed: String)
    /// Every attempt to read the register gave damaged bytes: the checksum was wrong, or no three readings in a row
    /// agreed.
    case unreadable(HostSwitchModel, register: UInt8)
    /// The switch's counter cannot count the requested time, which is too long or no multiple of its unit.
    case outOfReach(HostSwitchModel, String)
}

extension HostSwitchError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .bus(let error): error.description
        case .firmware(let error): error.description
        case .wrongIdentity(let model, let register, let expected, let found, let place):
            "\(place): this is no \(model.rawValue), for its register \(register.hexadecimal) holds "
                + "\(found.hexadecimal) and not \(expected.hexadecimal); name the switch that is there"
        case .otherFirmware(let model, let found, let needed):
            "the \(model.rawValue) has firmware \(found), and host sleep needs \(needed); update it by its maker's program"
        case .unreadable(let model, let register):
            "the \(model.rawValue) answers with damaged bytes from register \(register.hexadecimal); "
                + "check the bus's wiring and pull-up resistors"
        case .outOfReach(let model, let what):
            "the \(model.rawValue) cannot count \(what); give a shorter one in whole units of its counter"
        }
    }
}

extension I2CBus where Self: ~Copyable {
    mutating func row(
        _ count: Int, from register: UInt8, at address: I2CAddress
    ) throws(HostSwitchError) -> RegisterBytes {
        do { return try read(count, from: register, at: address) } catch { throw .bus(error) }
    }

    mutating func byte(_ register: UInt8, at address: I2CAddress) throws(HostSwitchError) -> UInt8 {
        try row(1, from: register, at: address)[0]
    }

    /// Reads consecutive registers, each in a transfer of its own, for chips that answer with one byte per transfer.
    mutating func bytes(
        _ count: Int, from register: UInt8, at address: I2CAddress
    ) throws(HostSwitchError) -> RegisterBytes {
        var row = RegisterBytes()
        for offset in 0..<count { row.append(try byte(register + UInt8(offset), at: address)) }
        return row
    }

    /// Reads the registers of a clock, each in a transfer of its own, and reads them again if the clock's second
    /// changed meanwhile.
    mutating func steadyBytes(
        _ count: Int, from register: UInt8, second: Int, of model: HostSwitchModel, at address: I2CAddress
    ) throws(HostSwitchError) -> RegisterBytes {
        for _ in 0..<4 {
            let first = try byte(register + UInt8(second), at: address)
            let row = try bytes(count, from: register, at: address)
            let last = try byte(register + UInt8(second), at: address)
            if first == row[second], last == first { return row }
        }
        throw .unreadable(model, register: register)
    }

    mutating func put(_ value: UInt8, to register: UInt8, at address: I2CAddress) throws(HostSwitchError) {
        do { try write(value, to: register, at: address) } catch { throw .bus(error) }
    }

    /// Writes several bytes in one message.
    mutating func put(_ row: RegisterBytes, to register: UInt8, at address: I2CAddress) throws(HostSwitchError) {
        do { try write(row, to: register, at: address) } catch { throw .bus(error) }
    }
}
