import UBX

/// The receiver's configuration in layers (RAM, battery-backed RAM, flash, defaults), stored by the configuration keys
/// of u-blox 9 and 10; the settings of other receivers are mapped to these keys.
///
/// The values in force are merged from the layers when the receiver boots; writes to the RAM layer change them
/// directly.
struct EmulatedConfiguration: Sendable {
    typealias Items = [UInt32: UInt64]

    let defaults: Items
    var flash: Items = [:]
    var batteryBacked: Items = [:]
    private(set) var inForce: Items = [:]

    init(defaults: Items) {
        self.defaults = defaults
        boot()
    }

    mutating func boot() {
        inForce = defaults.merging(flash) { $1 }.merging(batteryBacked) { $1 }
    }

    mutating func write(_ key: UBXConfigurationKey, _ value: UInt64, to layers: CfgVALSET.Layers) {
        if layers.contains(.ram) { inForce[key.rawValue] = value }
        if layers.contains(.batteryBackedRAM) { batteryBacked[key.rawValue] = value }
        if layers.contains(.flash) { flash[key.rawValue] = value }
    }

    func items(in layer: CfgVALGET.Layer) -> Items {
        switch layer {
        case .ram: inForce
        case .batteryBackedRAM: batteryBacked
        case .flash: flash
        case .factoryDefault: defaults
        }
    }

    /// Saves all values in force to the given layers.
    mutating func save(to layers: CfgVALSET.Layers) {
        if layers.contains(.batteryBackedRAM) { batteryBacked = inForce }
        if layers.contains(.flash) { flash = inForce }
    }
}

/// The receiver's settings that follow from its configuration keys; they are read at every epoch, so they are computed
/// only when a key changes.
struct ReceiverSettings: Sendable {
    let isAtUSB: Bool
    /// The baud rate of the receiver's UART, in bits per second.
    var baud: Int
    var sendsUBX: Bool
    var sendsNMEA: Bool
    /// The time from one navigation solution to the next, in nanoseconds.
    var period: Int64
    /// The rate of NAV-PVT: it is sent with every nth navigation solution; 0 for never.
    ///
    /// The properties below are the rates of the other messages in the same form.
    var position: Int
    var satellites: Int
    var dilution: Int
    var status: Int
    var timeUTC: Int
    var endOfEpoch: Int
    var wakeState: Int
    var place: Int
    var velocity: Int
    var solution: Int
    /// The rate of each type of NMEA sentence, in the order of `NMEABurst.Sentences`: a sentence is sent with every nth
    /// navigation solution; 0 for never.
    var sentences: InlineArray<6, Int>
    var acknowledgesAiding: Bool
    /// Whether the receiver predicts orbits itself (with AssistNow Autonomous or EASY).
    var assistsItself: Bool
    var powerSave: PowerSave
    /// The update period of power save mode, in nanoseconds.
    var updatePeriod: Int64
    /// The time in nanoseconds for which the receiver stays on after a fix in on-off operation.
    var onTime: Int64
    /// The time in nanoseconds after which on-off operation ends a search without a fix; 0 if it never does.
    var longestSearch: Int64
    /// In on-off operation, the time in nanoseconds from the end of a search without a fix to the next search.
    var searchPeriod: Int64
    var wakeLineForcesSleep: Bool

    enum PowerSave: UInt64, Sendable {
        case off = 0
        case onOff = 1
        case cyclic = 2
    }

    /// Takes the settings from configuration items; for keys that exist per port, the port to which the host is
    /// connected counts.
    init(_ items: EmulatedConfiguration.Items, isAtUSB: Bool) {
        func value(_ key: UBXConfigurationKey) -> Int {
            Int(clamping: items[(isAtUSB ? key.atUSB ?? key : key).rawValue] ?? 0)
        }
        self.isAtUSB = isAtUSB
        baud = max(value(.uart1Baud), 1)
        sendsUBX = value(.uart1OutputUBX) != 0
        sendsNMEA = value(.uart1OutputNMEA) != 0
        period = Int64(max(value(.measurementPeriodMilliseconds), 25) * max(value(.navigationRatio), 1)) * 1_000_000
        position = value(.uart1NavPVT)
        satellites = value(.uart1NavSAT)
        dilution = value(.uart1NavDOP)
        status = value(.uart1NavSTATUS)
        timeUTC = value(.uart1NavTIMEUTC)
        endOfEpoch = value(.uart1NavEOE)
        wakeState = value(.uart1MonRXR)
        place = value(.uart1NavPOSLLH)
        velocity = value(.uart1NavVELNED)
        solution = value(.uart1NavSOL)
        sentences = [
            value(.uart1RMC), value(.uart1VTG), value(.uart1GGA), value(.uart1GSA), value(.uart1GSV),
            value(.uart1GLL),
        ]
        acknowledgesAiding = value(.acknowledgeAiding) != 0
        assistsItself = value(.autonomousAssistance) != 0
        powerSave = PowerSave(rawValue: UInt64(value(.powerOperateMode))) ?? .off
        updatePeriod = Int64(max(value(.powerUpdatePeriodSeconds), 1)) * 1_000_000_000
        onTime = Int64(value(.powerOnTimeSeconds)) * 1_000_000_000
        longestSearch = Int64(value(.powerMaximumAcquisitionSeconds)) * 1_000_000_000
        searchPeriod = Int64(max(value(.powerAcquisitionPeriodSeconds), 1)) * 1_000_000_000
        wakeLineForcesSleep = value(.powerExtintBackup) != 0
    }

    /// Adds the defaults of the USB port's keys, which equal those of UART1.
    static func addUSB(to defaults: inout EmulatedConfiguration.Items) {
        for (key, value) in defaults {
            if let key = UBXConfigurationKey(rawValue: key).atUSB { defaults[key.rawValue] = value }
        }
    }

    /// The time in nanoseconds that one byte takes on the line: a start bit, eight data bits and a stop bit; about 1000
    /// at full-speed USB.
    var nanosecondsPerByte: Int64 { isAtUSB ? 1000 : 10_000_000_000 / Int64(baud) }
}

extension UBXConfigurationKey {
    // Source: u-blox M10 SPG 5.10 interface description (UBX-21035062), configuration group CFG-MSGOUT.
    static let uart1GGA = UBXConfigurationKey(rawValue: 0x2091_00BB)
    static let uart1GLL = UBXConfigurationKey(rawValue: 0x2091_00CA)
    static let uart1GSA = UBXConfigurationKey(rawValue: 0x2091_00C0)
    static let uart1GSV = UBXConfigurationKey(rawValue: 0x2091_00C5)
    static let uart1RMC = UBXConfigurationKey(rawValue: 0x2091_00AC)
    static let uart1VTG = UBXConfigurationKey(rawValue: 0x2091_00B1)
    static let uart1NavPOSLLH = UBXConfigurationKey(rawValue: 0x2091_002A)
    static let uart1NavVELNED = UBXConfigurationKey(rawValue: 0x2091_0043)
    /// The key of the rate of NAV-SOL; only this emulation has it, because NAV-SOL is older than u-blox's configuration
    /// keys.
    static let uart1NavSOL = UBXConfigurationKey(rawValue: 0x2091_0FF0)

    /// The key of a message's rate at UART1; nil if the emulated receivers do not send the message.
    static func rate(of message: UBXMessageID) -> UBXConfigurationKey? {
        switch (message.messageClass, message.id) {
        case (0xF0, 0x00): .uart1GGA
        case (0xF0, 0x01): .uart1GLL
        case (0xF0, 0x02): .uart1GSA
        case (0xF0, 0x03): .uart1GSV
        case (0xF0, 0x04): .uart1RMC
        case (0xF0, 0x05): .uart1VTG
        case (0x01, 0x02): .uart1NavPOSLLH
        case (0x01, 0x03): .uart1NavSTATUS
        case (0x01, 0x04): .uart1NavDOP
        case (0x01, 0x06): .uart1NavSOL
        case (0x01, 0x07): .uart1NavPVT
        case (0x01, 0x12): .uart1NavVELNED
        case (0x01, 0x21): .uart1NavTIMEUTC
        case (0x01, 0x35): .uart1NavSAT
        case (0x01, 0x61): .uart1NavEOE
        case (0x0A, 0x21): .uart1MonRXR
        default: nil
        }
    }
}
