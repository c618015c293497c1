internal import Beacons
internal import ClientProtocol
internal import HostSleep
public import SextantUnits

/// How a flight recording stores the Engine's settings.
///
/// Later versions added the board's name, the spots and host sleep, each after its length (4 bytes). Each is present
/// only where its flag is set, so that older recordings can be read; no flag is left for further fields. The power
/// configuration is the last field and fills the rest of the record.
extension EngineConfiguration: Recorded {
    public static var blank: EngineConfiguration {
        EngineConfiguration(device: "", fixedBaud: nil, lastBaud: nil, now: .blank)
    }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try now.code(&record)
        try record.code(rate: &fixedBaud)
        try record.code(rate: &lastBaud)
        try record.code(&device, count: UInt32.self)
        try record.code(&userID, nilIs: .max)
        var flags: InlineArray<8, Bool> = [
            source.isSimulated, source.isAccessory, hasCompass, !board.isEmpty, !radio.maySwitchOn,
            radio.formats.contains(.eddystoneUID), !spots.isEmpty, hostSleep != nil,
        ]
        try record.code(&flags)
        (source.isSimulated, source.isAccessory, hasCompass) = (flags[0], flags[1], flags[2])
        radio.maySwitchOn = !flags[4]
        if flags[5] { radio.formats.insert(.eddystoneUID) }
        if flags[3] { try record.code(&board, count: UInt32.self) }
        if flags[6] { try codeSpots(&record) }
        if flags[7] { try codeSleep(&record) }
        try record.code(&power, where: record.hasMore(power != nil))
    }

    private mutating func codeSpots(_ record: inout RecordFields) throws(DamagedRecord) {
        var length = spotsLength
        try record.code(&length)
        try record.code(&spots, count: UInt16.self)
        try record.check(length == spotsLength)
    }

    /// The length in bytes of the spots in the record: 2 bytes for their number, then the bytes of each spot.
    private var spotsLength: UInt32 { UInt32(spots.reduce(2) { $0 + $1.encode().count }) }

    private mutating func codeSleep(_ record: inout RecordFields) throws(DamagedRecord) {
        var bytes = hostSleep?.encode() ?? []
        try record.code(block: &bytes, count: UInt32.self)
        guard let read = HostSleepConfiguration.decode(bytes.span) else { throw DamagedRecord() }
        hostSleep = read
    }
}
