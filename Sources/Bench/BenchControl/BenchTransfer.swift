public import Emulation
internal import Hardware
public import SextantUnits

/// A transfer of the daemon on an I2C bus at an instant, or a wait between two transfers, as the harness receives it.
///
/// `{"i2c":"/dev/i2c-1","at":ns,"address":13,"read":0,"count":6}`,
/// `{"i2c":…,"at":ns,"address":13,"write":9,"value":1}`, `{"i2c":…,"at":ns,"address":20,"write":185,"row":"hex"}`,
/// `{"i2c":…,"at":ns,"wait":microseconds}`. During a wait time passes for the chips only; the daemon's clock stands
/// still.
public struct BenchTransfer: Sendable, Equatable {
    public var bus: String
    public var instant: MonotonicInstant
    public var transfer: EmulatedBus.Transfer

    public init(bus: String, at instant: MonotonicInstant, _ transfer: EmulatedBus.Transfer) {
        self.bus = bus
        self.instant = instant
        self.transfer = transfer
    }
}

extension BenchTransfer {
    /// - Parameter members: The members of the JSON object that follow the bus's name.
    init(bus: String, _ members: ArraySlice<BenchText.Member>) throws(BenchFormatError) {
        var numbers: [String: Int64] = [:]
        var row: [UInt8]?
        for member in members {
            if row == nil, member.key == "row", case .text(let text) = member.value {
                row = try BenchText.bytes("row", hexadecimal: text)
                continue
            }
            guard case .integer(let number) = member.value, number >= 0, numbers[member.key] == nil else {
                throw BenchFormatError("i2c: \(member.key): no such member, or not with this value")
            }
            numbers[member.key] = number
        }
        guard let instant = numbers.removeValue(forKey: "at"),
            let transfer = BenchTransfer.transfer(of: numbers, row)
        else {
            throw BenchFormatError("i2c: no transfer")
        }
        self.init(bus: bus, at: MonotonicInstant(nanoseconds: instant), transfer)
    }

    private static func transfer(of numbers: [String: Int64], _ row: [UInt8]?) -> EmulatedBus.Transfer? {
        if let wait = numbers["wait"], numbers.count == 1, row == nil { return .wait(microseconds: Int(wait)) }
        guard numbers.count == (row == nil ? 3 : 2), let address = numbers["address"], address < 0x80 else {
            return nil
        }
        let chip = I2CAddress(UInt8(address))
        if let row {
            guard let register = numbers["write"].flatMap(UInt8.init(exactly:)),
                (1...RegisterBytes.capacity).contains(row.count)
            else { return nil }
            return .writeRow(chip, register: register, values: row)
        }
        if let register = numbers["read"].flatMap(UInt8.init(exactly:)), let count = numbers["count"],
            (1...Int64(RegisterBytes.capacity)).contains(count)
        {
            return .read(chip, register: register, count: Int(count))
        }
        guard let register = numbers["write"].flatMap(UInt8.init(exactly:)),
            let value = numbers["value"].flatMap(UInt8.init(exactly:))
        else { return nil }
        return .write(chip, register: register, value: value)
    }

    /// Appends the transfer to a line, as members of a JSON object.
    func append(to line: inout [UInt8]) {
        BenchText.append("i2c", text: bus, to: &line)
        line += ",\"at\":\(instant.nanoseconds),".utf8
        switch transfer {
        case .read(let address, let register, let count):
            line += "\"address\":\(address.rawValue),\"read\":\(register),\"count\":\(count)".utf8
        case .write(let address, let register, let value):
            line += "\"address\":\(address.rawValue),\"write\":\(register),\"value\":\(value)".utf8
        case .writeRow(let address, let register, let values):
            line += "\"address\":\(address.rawValue),\"write\":\(register),".utf8
            BenchText.append("row", hexadecimal: values, to: &line)
        case .wait(let microseconds): line += "\"wait\":\(microseconds)".utf8
        }
    }
}
