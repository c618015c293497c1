import Epochs
import NMEA0183
import UBX

/// A receiver as far as a controller can tell: it hears bytes at its rate, answers, reports once a second and sleeps.
///
/// Times are in seconds.
struct StandIn {
    enum Language { case ublox, mediaTek, airoha, casic, mute }

    var language = Language.ublox
    var version = MonVER(
        softwareVersion: "ROM SPG 5.10 (7b202e)", hardwareVersion: "000A0000",
        extensions: ["FWVER=SPG 5.10", "PROTVER=34.10", "MOD=MAX-M10S"])
    var baud = 9600
    /// Whether it is asked at its own USB.
    var isAtUSB = false
    /// The rate that it starts with.
    var defaultBaud = 9600
    var isSupplied = true
    /// Whether its memory outlives its supply.
    var hasBackup = true
    var isDead = false
    var sleepsUntil: Double?
    /// What it does of what it should.
    var obeysSleep = true
    var wakesOnBytes = true
    var obeysBaud = true
    var answers = true
    /// Messages that it refuses.
    var refuses: Set<UBXMessageID> = []
    var ignores: Set<UBXMessageID> = []
    var reportsSentences = true
    var reports = true
    /// Its database, and after how many messages of a dump it falls silent.
    var databaseCount = 3
    var databaseSent: Int?
    var databaseClaimed: Int?
    var restoration = UpdSOS.Restoration.restored
    var clearsIgnored = 0
    /// What it took.
    var commands: [UBXMessageID] = []
    var sentences: [String] = []
    var database: [[UInt8]] = []
    var lastCyclic: [UInt8] = []

    var isAwake: Bool { isSupplied && !isDead && sleepsUntil == nil }

    /// What it reports each second.
    var report: [UInt8] {
        guard isAwake, reports else { return [] }
        if reportsSentences { return StandIn.sentence("GNRMC,,V,,,,,,,,,,N") }
        return NavEOE(timeOfWeekMilliseconds: 1000).frame
    }

    mutating func supply(_ isOn: Bool) {
        guard isOn != isSupplied else { return }
        isSupplied = isOn
        sleepsUntil = nil
        reports = true
        guard isOn, !hasBackup else { return }
        baud = defaultBaud
        reportsSentences = true
    }

    mutating func pass(to now: Double) {
        if let until = sleepsUntil, until <= now { sleepsUntil = nil }
    }

    /// Bytes came on its receive pin.
    ///
    /// - Returns: What it answers, in this order.
    mutating func hear(_ bytes: [UInt8], at rate: Int?, now: Double) -> [[UInt8]] {
        guard isSupplied, !isDead else { return [] }
        if sleepsUntil != nil {
            if wakesOnBytes { sleepsUntil = nil }
            return []
        }
        guard rate == nil || rate == baud, answers else { return [] }
        var stream = ReceiverStream()
        _ = stream.append(bytes.span)
        var replies: [[UInt8]] = []
        while let message = stream.next() {
            let whole = Array(stream.window[stream.range])
            replies += message == .frame ? heard(frame: whole, now: now) : heard(sentence: whole, now: now)
        }
        return replies
    }

    private mutating func heard(frame: [UInt8], now: Double) -> [[UInt8]] {
        guard language == .ublox else { return [] }
        let id = UBXFraming.identifier(of: frame.span)
        let payload = Array(frame[6..<frame.count - 2])
        commands.append(id)
        if ignores.contains(id) { return [] }
        if refuses.contains(id) { return [AckNak(refused: id).frame] }
        switch id {
        case .monVER: return [version.frame]
        case .rxmPMREQ:
            guard obeysSleep, let request = try? RxmPMREQ(payload: payload.span) else { return [] }
            sleepsUntil = now + Double(request.durationMilliseconds) / 1000
            return []
        case .cfgPRT:
            guard let port = try? CfgPRT(payload: payload.span) else { return [AckNak(refused: id).frame] }
            if obeysBaud, port.portID == 1 { baud = Int(port.baud) }
            if port.portID == (isAtUSB ? 3 : 1) { reportsSentences = false }
        case .cfgVALSET: set(payload)
        case .cfgMSG: return [AckAck(acknowledged: id).frame]
        case .cfgRST, .mgaINI: return []
        case .mgaDBD: return takeDatabase(payload)
        case .updSOS: return backup(payload)
        case .cfgPM2: lastCyclic = payload
        default: break
        }
        return [AckAck(acknowledged: id).frame]
    }

    private mutating func set(_ payload: [UInt8]) {
        guard let message = try? CfgVALSET(payload: payload.span) else { return }
        for index in 0..<message.count {
            let item = message.item(at: index, in: payload.span)
            switch item.key {
            case .uart1Baud where obeysBaud: baud = Int(item.value)
            case isAtUSB ? UBXConfigurationKey.uart1OutputNMEA.atUSB : .uart1OutputNMEA:
                reportsSentences = item.value != 0
            case isAtUSB ? UBXConfigurationKey.uart1NavPVT.atUSB : .uart1NavPVT: reports = item.value != 0
            case .powerUpdatePeriodSeconds: lastCyclic = payload
            default: break
            }
        }
    }

    private mutating func takeDatabase(_ payload: [UInt8]) -> [[UInt8]] {
        guard payload.isEmpty else {
            database.append(payload)
            return []
        }
        let count = databaseSent ?? databaseCount
        var replies: [[UInt8]] = []
        for index in 0..<count { replies.append(StandIn.entry(index)) }
        guard databaseSent == nil else { return replies }
        replies.append(
            MgaACK(
                type: 1, version: 0, infoCode: 0, acknowledgedID: 0x80,
                payloadStart: UInt32(databaseClaimed ?? databaseCount)
            ).frame)
        return replies
    }

    /// Message `index` of its database, 70 bytes of payload.
    static func entry(_ index: Int) -> [UInt8] {
        var frame: [UInt8] = []
        MgaDBD.encode(payload: [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 70).span, into: &frame)
        return frame
    }

    private mutating func backup(_ payload: [UInt8]) -> [[UInt8]] {
        guard let first = payload.first else { return [UpdSOS.restoration(restoration).frame] }
        if first == 0 { return [UpdSOS.backupCreated(true).frame] }
        clearsIgnored -= 1
        return clearsIgnored >= 0 ? [] : [AckAck(acknowledged: .updSOS).frame]
    }

    private mutating func heard(sentence: [UInt8], now: Double) -> [[UInt8]] {
        let body = String(decoding: sentence.dropFirst().prefix { $0 != 0x2A }, as: UTF8.self)
        sentences.append(body)
        switch language {
        case .mediaTek where body == "PMTK605":
            return [StandIn.sentence("PMTK705,AXN_2.31_3339_13101700-5632,0027,PA1616S,1.0")]
        case .mediaTek where body.hasPrefix("PMTK251,"):
            if obeysBaud { baud = Int(body.dropFirst(8)) ?? baud }
            return []
        case .mediaTek where body.hasPrefix("PMTK"):
            if body == "PMTK161,0", obeysSleep { sleepsUntil = .infinity }
            return [StandIn.sentence("PMTK001,\(body.dropFirst(4).prefix(3)),3")]
        case .airoha where body == "PAIR020":
            return [
                StandIn.sentence("PAIR001,020,0"), StandIn.sentence("PAIR020,AG3352Q_V2.3.0.AG3352_20220425,S,N,9ec1"),
            ]
        case .airoha where body.hasPrefix("PAIR"):
            if body == "PAIR003" { reports = !obeysSleep }
            if body == "PAIR002" { reports = true }
            return [StandIn.sentence("PAIR001,\(body.dropFirst(4).prefix(3)),0")]
        case .casic where body == "PCAS06,0": return [StandIn.sentence("GPTXT,01,01,02,SW=URANUS5,V5.1.0.0")]
        case .casic where body.hasPrefix("PCAS12,"):
            if obeysSleep { sleepsUntil = now + (Double(body.dropFirst(7)) ?? 0) }
            return []
        case .ublox, .mediaTek, .airoha, .casic, .mute: return []
        }
    }

    static func sentence(_ body: String) -> [UInt8] {
        var bytes: [UInt8] = []
        NMEAEncoder.append(body, to: &bytes)
        return bytes
    }
}
