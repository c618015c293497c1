internal import Beacons
internal import Emulation
internal import SextantUnits

/// A recorded beacon advertisement, as a Bluetooth scanner received it.
struct RecordedAdvertisement {
    var instant: MonotonicInstant
    var beacon: Beacon
    var sender: SenderAddress
    /// The signal's strength in dBm; nil if it is not known.
    var strength: Int8?
}

/// Reads beacon advertisements from a CSV table, in the order of its rows.
struct AdvertisementReader: TableReader {
    private var rows = CSVReader(columns: columns, requiredCount: 4, wordColumns: ["uuid", "address"])
    private(set) var count: UInt64 = 0
    static let noun = "advertisement"

    private static let columns = ["time", "uuid", "major", "minor", "rssi", "measuredPower", "address"]
    private static let numbers = 0.0...65_535
    private static let bytes = -128.0...127
    private static let noAddress = "00:00:00:00:00:00"

    mutating func push(_ bytes: borrowing Span<UInt8>) { rows.push(bytes) }

    mutating func end() { rows.end() }

    /// The next advertisement, at the time that its row states; nil if more bytes are needed or the table has ended.
    mutating func next() throws(CSVError) -> RecordedAdvertisement? {
        guard try rows.next() else { return nil }
        count += 1
        let seconds = try rows.required(0, in: -FixReader.latest...FixReader.latest)
        let identity = BeaconIdentity(
            uuid: try uuid(), major: try number(2), minor: try number(3))
        let strength = try whole(4, Self.bytes).map { Int8($0) }
        // A power of zero is impossible in an advertisement, so zero stands for an unknown power.
        let power = Int(try whole(5, Self.bytes) ?? 0)
        return RecordedAdvertisement(
            instant: FixReader.instant(seconds), beacon: Beacon(.iBeacon, identity, power: power),
            sender: try sender(),
            // Bluetooth controllers report 127 or 0 for an unknown strength.
            strength: strength == 127 || strength == 0 ? nil : strength)
    }

    private func uuid() throws(CSVError) -> BeaconUUID {
        let word = rows.word(1) ?? ""
        guard let uuid = BeaconUUID(word) else {
            throw problem("uuid is \"\(word.prefix(40))\"", "write 8, 4, 4, 4 and 12 hexadecimal digits with hyphens")
        }
        return uuid
    }

    private func sender() throws(CSVError) -> SenderAddress {
        let word = rows.word(6) ?? Self.noAddress
        guard let sender = SenderAddress(word) else {
            throw problem("address is \"\(word.prefix(40))\"", "write it as A4:C1:38:00:00:01, or leave it empty")
        }
        return sender
    }

    private func number(_ column: Int) throws(CSVError) -> UInt16 {
        _ = try rows.required(column)
        return UInt16(try whole(column, Self.numbers) ?? 0)
    }

    /// The whole number in a column of the row; nil if the field is empty.
    private func whole(_ column: Int, _ range: ClosedRange<Double>) throws(CSVError) -> Double? {
        guard let value = try rows.value(column, in: range) else { return nil }
        guard value == value.rounded() else {
            throw problem("\(Self.columns[column]) is \(value)", "write a whole number")
        }
        return value
    }

    private func problem(_ problem: String, _ mend: String) -> CSVError {
        CSVError(line: rows.line, problem: problem, mend: mend)
    }
}
