/// A receiver's command language.
public enum ReceiverFamily: UInt8, Sendable, CaseIterable {
    /// u-blox 6, 7 and 8: each group of settings has its own message (CFG-PRT, CFG-MSG, CFG-PM2).
    case ublox6to8 = 0
    /// u-blox 9 and 10: configuration by key (CFG-VALSET).
    case ublox9and10 = 1
    /// MediaTek MT33xx: PMTK sentences.
    case mediaTek = 2
    /// Airoha AG33xx: PAIR sentences.
    case airoha = 3
    /// CASIC AT6558 and the like: PCAS sentences.
    case casic = 4
    /// NMEA without commands: only the supply can be switched.
    case generic = 5
}

/// Every receiver whose properties are known.
///
/// The powers come from typical currents at 3.0 V (u-blox 8: 32 mA acquiring, 29 mA tracking with two GNSS, 15 µA in
/// backup; SAM-M8Q data sheet UBX-16012619 table 8), or from users' measurements where the data sheet gives none; a
/// board's own measurements replace them. The NEO-M9N's values agree with its data sheet's (UBX-19014285), with four
/// GNSS, in order of magnitude; they have not been compared with it in detail. The ATGM336H's are its maker's upper
/// bounds of 25 mA in operation and 10 µA in backup, and the 20 µA in standby that a user measured (Meshtastic 11701).
public enum ReceiverModel: String, Sendable, CaseIterable {
    case neoM8N = "neo-m8n"
    case maxM8Q = "max-m8q"
    case neoM9N = "neo-m9n"
    case maxM10S = "max-m10s"
    case samM10Q = "sam-m10q"
    case neo6M = "neo-6m"
    case zedF9P = "zed-f9p"
    case l76K = "l76k"
    case atgm336H = "atgm336h"
    case pa1616 = "pa1616"
    case lc76G = "lc76g"
    case generic = "generic-nmea"

    public var family: ReceiverFamily {
        switch self {
        case .neo6M, .neoM8N, .maxM8Q: .ublox6to8
        case .neoM9N, .maxM10S, .samM10Q, .zedF9P: .ublox9and10
        case .pa1616: .mediaTek
        case .lc76G: .airoha
        case .l76K, .atgm336H: .casic
        case .generic: .generic
        }
    }

    public var powerDraw: PowerDraw {
        switch self {
        case .neoM8N, .maxM8Q:
            PowerDraw(acquiring: 96, tracking: 87, cyclic: 28.5, softwareSleep: 0.06, hardwareSleep: 0.045)
        case .neoM9N:
            PowerDraw(acquiring: 150, tracking: 108, cyclic: nil, softwareSleep: 0.15, hardwareSleep: 0.135)
        case .maxM10S, .samM10Q:
            PowerDraw(acquiring: 36, tracking: 27, cyclic: 12, softwareSleep: 0.15, hardwareSleep: 0.15)
        case .neo6M:
            PowerDraw(acquiring: 141, tracking: 117, cyclic: 33, softwareSleep: 0.09, hardwareSleep: 0.066)
        case .zedF9P:
            PowerDraw(acquiring: 390, tracking: 255, cyclic: nil, softwareSleep: 4.2, hardwareSleep: 0.135)
        case .l76K:
            PowerDraw(acquiring: 123, tracking: 123, cyclic: nil, softwareSleep: 1.08, hardwareSleep: 0.06)
        case .atgm336H:
            PowerDraw(acquiring: 75, tracking: 75, cyclic: nil, softwareSleep: 0.06, hardwareSleep: 0.03)
        case .pa1616:
            PowerDraw(acquiring: 75, tracking: 60, cyclic: nil, softwareSleep: 6, hardwareSleep: 0.021)
        case .lc76G:
            PowerDraw(acquiring: 42, tracking: 36, cyclic: nil, softwareSleep: 0.09, hardwareSleep: 0.039)
        case .generic:
            PowerDraw(acquiring: 120, tracking: 100, cyclic: nil, softwareSleep: 100, hardwareSleep: 0.05)
        }
    }

    public var startTimes: StartTimes {
        let hot = StartTimes.Search(median: 4, spread: 0.8)
        switch self {
        case .neoM8N, .maxM8Q, .neoM9N, .maxM10S, .samM10Q, .zedF9P, .lc76G:
            return StartTimes(
                boot: 1, hot: hot, warm: .init(median: 27, spread: 0.25), cold: .init(median: 30, spread: 0.2))
        case .l76K, .atgm336H, .generic:
            return StartTimes(
                boot: 1, hot: hot, warm: .init(median: 27, spread: 0.25), cold: .init(median: 33, spread: 0.2))
        case .neo6M, .pa1616:
            return StartTimes(
                boot: 1, hot: hot, warm: .init(median: 33, spread: 0.25), cold: .init(median: 36, spread: 0.2))
        }
    }
}
