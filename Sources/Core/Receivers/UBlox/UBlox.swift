internal import UBX

/// Commands and constants that all u-blox receivers share.
enum UBlox {
    /// Polls MON-VER, the receiver's identity.
    static let query: ReceiverCommand = {
        var bytes: [UInt8] = []
        UBXEncoder.appendPoll(.monVER, into: &bytes)
        return ReceiverCommand(name: "MON-VER", bytes: bytes, answer: .identity, attempts: 2)
    }()

    /// Bytes that wake the receiver through its receive pin and have no other meaning.
    static let wakeBytes = [UInt8](repeating: 0xFF, count: 8)

    /// CFG-RST that stops the GNSS part; the receiver never acknowledges it.
    static let stopGNSS = ReceiverCommand(
        name: "CFG-RST", bytes: CfgRST(clearedSections: CfgRST.hotStart, mode: .stopGNSS).frame,
        answer: .pause(500_000_000), attempts: 1)

    static let startGNSS = CfgRST(clearedSections: CfgRST.hotStart, mode: .startGNSS).frame

    /// UPD-SOS that saves the battery-backed memory in flash.
    static let createBackup = ReceiverCommand(
        name: "UPD-SOS", bytes: UpdSOS.createBackup.frame, answer: .backup, attempts: 2, timeout: 3_000_000_000)

    /// Polls UPD-SOS, which tells whether the last start restored the battery-backed memory from flash.
    static let askBackup: ReceiverCommand = {
        var bytes: [UInt8] = []
        UBXEncoder.appendPoll(.updSOS, into: &bytes)
        return ReceiverCommand(name: "UPD-SOS", bytes: bytes, answer: .backup)
    }()

    /// UPD-SOS that clears the copy in flash, so that no later start restores the old state again.
    ///
    /// The first try does not always work (openpilot's pigeond), hence up to four attempts.
    static let clearBackup = ReceiverCommand(
        name: "UPD-SOS clear", bytes: UpdSOS.clearBackup.frame, answer: .acknowledged(.updSOS), attempts: 4)

    /// MGA-DBD that asks for the whole navigation database.
    static let askDatabase: [UInt8] = {
        var bytes: [UInt8] = []
        MgaDBD.appendPoll(into: &bytes)
        return bytes
    }()
}

extension ReceiverCommand {
    /// RXM-PMREQ for backup mode that lasts `nanoseconds`, limited to between 1 s and 12 days.
    ///
    /// The duration is never 0, because some receivers never wake from such a request. The long form sets `force`,
    /// because a receiver may acknowledge a request without it and stay awake (SparkFun u-blox GNSS v3, 70), and names
    /// both the receive pin and EXTINT0 as wake-up sources (UBX-13003221, RXM-PMREQ).
    static func powerRequest(napNanoseconds nanoseconds: Int64, isLong: Bool) -> ReceiverCommand {
        let request = RxmPMREQ(
            durationMilliseconds: UInt32(clamping: min(max(nanoseconds / 1_000_000, 1000), 1_036_800_000)),
            isBackup: true, form: isLong ? .long(force: true, wakeupSources: [.uartRX, .extint0]) : .short)
        return ReceiverCommand(name: "RXM-PMREQ", bytes: request.frame, answer: .pause(0), attempts: 1)
    }
}

extension ReceiverIdentity {
    /// Reads the identity in MON-VER.
    ///
    /// The hardware version begins with the generation: 00040007 is u-blox 6, 00070000 7, 00080000 8, 00190000 9,
    /// 000A0000 10. Source: receiver descriptions, MON-VER.
    init(_ version: MonVER) {
        let generation: Int =
            switch version.hardwareVersion.prefix(4) {
            case "0004": 6
            case "0007": 7
            case "0008": 8
            case "0019": 9
            case "000A": 10
            default: 8
            }
        let module = version.value(of: "MOD") ?? ""
        let firmware = version.value(of: "FWVER") ?? version.softwareVersion
        let nearest: ReceiverModel =
            switch generation {
            case ...7: .neo6M
            case 8: .neoM8N
            // F9 firmware is high precision (HPG); M9 firmware, standard precision (SPG).
            case 9: firmware.hasPrefix("SPG") ? .neoM9N : .zedF9P
            default: .maxM10S
            }
        self.init(
            family: generation <= 8 ? .ublox6to8 : .ublox9and10, model: ReceiverIdentity.model(named: module),
            nearestModel: nearest, firmware: firmware,
            protocolVersion: version.value(of: "PROTVER").flatMap(ReceiverIdentity.hundredths)
                ?? nearest.minimumProtocolVersion,
            generation: generation,
            description: "u-blox " + (module.isEmpty ? "\(generation)" : module) + ", " + firmware)
    }

    private static func model(named module: String) -> ReceiverModel? {
        if module.hasPrefix("NEO-M8N") { return .neoM8N }
        if module.hasPrefix("MAX-M8Q") { return .maxM8Q }
        if module.hasPrefix("NEO-M9N") { return .neoM9N }
        if module.hasPrefix("MAX-M10S") { return .maxM10S }
        if module.hasPrefix("SAM-M10Q") { return .samM10Q }
        if module.hasPrefix("ZED-F9P") { return .zedF9P }
        if module.hasPrefix("NEO-6M") { return .neo6M }
        return nil
    }

    /// A version such as `34.10` as its hundredfold, 3410.
    private static func hundredths(_ text: String) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Int($0) }), (0...999).contains(whole) else { return nil }
        guard parts.count > 1 else { return whole * 100 }
        guard let rest = Int(parts[1].prefix(2)), rest >= 0 else { return nil }
        return whole * 100 + (parts[1].count == 1 ? rest * 10 : rest)
    }
}
