import GNSS
import Receivers
import UBX

/// The traits of an emulated receiver model that the catalogue of receivers does not contain: factory settings,
/// answers, and abilities.
struct Personality: Sendable {
    var defaults: EmulatedConfiguration.Items
    /// The answer to a poll of MON-VER; nil for a model without UBX.
    var version: MonVER?
    /// The sentence that answers a request for the firmware's version, without `$` and checksum; nil if the model has
    /// none.
    var versionSentence: String?
    /// The NMEA sentences that the receiver sends after each start, without `$` and checksum.
    var banner: [String]
    var hasFlash = false
    /// Whether the model has MGA messages, NAV-PVT and the long form of RXM-PMREQ, as u-blox 8 and later have.
    var isProtocol18 = false
    /// Whether every setting is kept in battery-backed memory at once, without a command to save it.
    var keepsSettings = false
    /// Whether the reset line also clears the battery-backed memory.
    var resetClearsBackup = false
    var constellations: [Constellation]

    // Version texts are as real receivers print them. Sources: u-blox release notes UBX-16000319 (M8 SPG 3.01),
    // UBX-22001426 (M10 SPG 5.10), UBX-20036165 (M9 SPG 4.04), UBX-22004887 (HPG 1.32); PMTK_DT_RELEASE of the MediaTek
    // packet manual; Quectel LC76G and L76K protocol specifications. Reset of M9 and M10: integration manual
    // UBX-20053088, "RESET_N".
    init(_ model: ReceiverModel) {
        switch model {
        case .neoM8N: self = Personality.neoM8N
        case .maxM8Q: self = Personality.maxM8Q
        case .neoM9N: self = Personality.neoM9N
        case .maxM10S: self = Personality.maxM10S
        case .samM10Q: self = Personality.samM10Q
        case .neo6M: self = Personality.neo6M
        case .zedF9P: self = Personality.zedF9P
        case .l76K: self = Personality.l76K
        case .atgm336H: self = Personality.atgm336H
        case .pa1616: self = Personality.pa1616
        case .lc76G: self = Personality.lc76G
        case .generic:
            self.init(baud: 9600, banner: [], constellations: [.gps, .glonass])
        }
    }

    private init(baud: UInt64, banner: [String], constellations: [Constellation]) {
        self.banner = banner
        self.constellations = constellations
        let ones: [UBXConfigurationKey] = [
            .uart1OutputUBX, .uart1OutputNMEA, .uart1InputUBX, .uart1InputNMEA, .navigationRatio, .uart1GGA, .uart1GLL,
            .uart1GSA, .uart1GSV, .uart1RMC, .uart1VTG,
        ]
        let zeros: [UBXConfigurationKey] = [
            .uart1NavPVT, .uart1NavSAT, .uart1NavDOP, .uart1NavSTATUS, .uart1NavTIMEUTC, .uart1NavEOE, .uart1MonRXR,
            .uart1NavPOSLLH, .uart1NavVELNED, .acknowledgeAiding, .autonomousAssistance, .powerOperateMode,
            .powerOnTimeSeconds, .powerExtintBackup, .powerExtintWake, .powerUpdateEphemeris, .dynamicModel,
            .powerMaximumAcquisitionSeconds,
        ]
        defaults = [:]
        for key in ones { defaults[key.rawValue] = 1 }
        for key in zeros { defaults[key.rawValue] = 0 }
        defaults[UBXConfigurationKey.uart1Baud.rawValue] = baud
        defaults[UBXConfigurationKey.measurementPeriodMilliseconds.rawValue] = 1000
        defaults[UBXConfigurationKey.powerUpdatePeriodSeconds.rawValue] = 1
        defaults[UBXConfigurationKey.powerAcquisitionPeriodSeconds.rawValue] = 10
    }

    private static var neoM8N: Personality {
        var personality = Personality(
            baud: 9600,
            banner: [
                "GNTXT,01,01,02,u-blox AG - www.u-blox.com", "GNTXT,01,01,02,HW UBX-M8030 00080000",
                "GNTXT,01,01,02,ROM CORE 3.01 (107888)",
            ], constellations: [.gps, .sbas, .glonass])
        personality.version = MonVER(
            softwareVersion: "EXT CORE 3.01 (107900)", hardwareVersion: "00080000",
            extensions: [
                "ROM BASE 2.01 (75331)", "FWVER=SPG 3.01", "PROTVER=18.00", "MOD=NEO-M8N-0", "GPS;GLO;GAL;BDS",
                "SBAS;IMES;QZSS",
            ])
        personality.hasFlash = true
        personality.isProtocol18 = true
        return personality
    }

    /// The MAX-M8Q has the same chip as the NEO-M8N, but no flash.
    private static var maxM8Q: Personality {
        var personality = neoM8N
        personality.version = MonVER(
            softwareVersion: "ROM CORE 3.01 (107888)", hardwareVersion: "00080000",
            extensions: ["FWVER=SPG 3.01", "PROTVER=18.00", "MOD=MAX-M8Q-0", "GPS;GLO;GAL;BDS", "SBAS;IMES;QZSS"])
        personality.hasFlash = false
        return personality
    }

    private static var neo6M: Personality {
        var personality = Personality(
            baud: 9600,
            banner: [
                "GPTXT,01,01,02,u-blox ag - www.u-blox.com", "GPTXT,01,01,02,HW  UBX-G60xx  00040007",
                "GPTXT,01,01,02,ROM CORE 7.03 (45969) Mar 17 2011",
            ], constellations: [.gps, .sbas])
        personality.version = MonVER(
            softwareVersion: "7.03 (45969)", hardwareVersion: "00040007", extensions: [])
        return personality
    }

    private static var maxM10S: Personality {
        var personality = Personality(
            baud: 9600,
            banner: [
                "GNTXT,01,01,02,u-blox AG - www.u-blox.com", "GNTXT,01,01,02,HW UBX 10 000A0000",
                "GNTXT,01,01,02,ROM SPG 5.10 (7b202e)",
            ], constellations: [.gps, .sbas, .galileo])
        personality.version = MonVER(
            softwareVersion: "ROM SPG 5.10 (7b202e)", hardwareVersion: "000A0000",
            extensions: ["FWVER=SPG 5.10", "PROTVER=34.10", "MOD=MAX-M10S", "GPS;GLO;GAL;BDS", "SBAS;QZSS"])
        personality.isProtocol18 = true
        personality.resetClearsBackup = true
        return personality
    }

    /// The SAM-M10Q has the same chip as the MAX-M10S, and an antenna.
    private static var samM10Q: Personality {
        var personality = maxM10S
        personality.version?.extensions[2] = "MOD=SAM-M10Q"
        return personality
    }

    private static var neoM9N: Personality {
        var personality = Personality(
            baud: 38_400,
            banner: [
                "GNTXT,01,01,02,u-blox AG - www.u-blox.com", "GNTXT,01,01,02,HW UBX 9 00190000",
                "GNTXT,01,01,02,EXT CORE 4.04 (7f89f7)",
            ], constellations: [.gps, .sbas, .galileo, .glonass])
        personality.version = MonVER(
            softwareVersion: "EXT CORE 4.04 (7f89f7)", hardwareVersion: "00190000",
            extensions: ["FWVER=SPG 4.04", "PROTVER=32.01", "MOD=NEO-M9N", "GPS;GLO;GAL;BDS", "SBAS;QZSS"])
        personality.hasFlash = true
        personality.isProtocol18 = true
        personality.resetClearsBackup = true
        return personality
    }

    private static var zedF9P: Personality {
        var personality = Personality(
            baud: 38_400,
            banner: [
                "GNTXT,01,01,02,u-blox AG - www.u-blox.com", "GNTXT,01,01,02,HW UBX 9 00190000",
                "GNTXT,01,01,02,EXT CORE 1.00 (fec2a9)",
            ], constellations: [.gps, .sbas, .galileo, .glonass])
        personality.version = MonVER(
            softwareVersion: "EXT CORE 1.00 (fec2a9)", hardwareVersion: "00190000",
            extensions: ["FWVER=HPG 1.32", "PROTVER=27.31", "MOD=ZED-F9P", "GPS;GLO;GAL;BDS", "SBAS;QZSS"])
        personality.hasFlash = true
        personality.isProtocol18 = true
        personality.resetClearsBackup = true
        return personality
    }

    private static var pa1616: Personality {
        var personality = Personality(
            baud: 9600, banner: ["PMTK011,MTKGPS", "PMTK010,001"], constellations: [.gps, .glonass])
        personality.versionSentence = "PMTK705,AXN_5.1.7_3333_18041700,0027,PA1616S,1.0"
        personality.keepsSettings = true
        personality.defaults[UBXConfigurationKey.uart1GSV.rawValue] = 5
        personality.defaults[UBXConfigurationKey.uart1GLL.rawValue] = 0
        return personality
    }

    private static var lc76G: Personality {
        var personality = Personality(
            baud: 115_200, banner: ["PAIR001,002,0"], constellations: [.gps, .galileo, .glonass])
        personality.versionSentence = "PAIR020,LC76GABNR02A03S,S,N,2b31f59,2209141904,2ab,1,,,,,"
        personality.hasFlash = true
        return personality
    }

    /// The ATGM336H has the same chip as the L76K, with other firmware.
    private static var atgm336H: Personality {
        var personality = l76K
        personality.banner = [
            "GPTXT,01,01,02,IC=AT6558-5N-31-0C510800,ABLCJCH-F1-0013B5", "GPTXT,01,01,01,ANTENNA OPEN",
        ]
        return personality
    }

    private static var l76K: Personality {
        var personality = Personality(
            baud: 9600,
            banner: ["GPTXT,01,01,02,IC=AT6558-5N-32-1C510800,BPBKPDF-D1-004-0", "GPTXT,01,01,01,ANTENNA OK"],
            constellations: [.gps, .glonass])
        personality.versionSentence = "GPTXT,01,01,02,SW=URANUS5,V5.3.0.0"
        personality.hasFlash = true
        return personality
    }
}
