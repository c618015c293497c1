public import Hardware

/// An emulated Silicon Labs CP2112, a USB bridge to SMBus with eight GPIO lines, at the level of its HID reports.
///
/// A transfer takes no time. Source: Silicon Labs, AN495 "CP2112 Interface Specification" revision 0.2; the transfers
/// are in the extension.
public struct EmulatedCP2112 {
    /// The vendor-defined HID report descriptor.
    ///
    /// Linux's driver asks for feature reports by number, so few need to be declared; but the reports that the CP2112
    /// sends unasked must be declared with their sizes.
    public static let descriptor: [UInt8] =
        [0x06, 0x00, 0xFF, 0x09, 0x01, 0xA1, 0x01, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08]
        + [0x85, 0x02, 0x09, 0x01, 0x95, 0x04, 0xB1, 0x02]
        + [0x85, 0x13, 0x09, 0x02, 0x95, 0x3F, 0x81, 0x02]
        + [0x85, 0x16, 0x09, 0x03, 0x95, 0x06, 0x81, 0x02, 0xC0]

    /// The chips on the bridge's SMBus.
    public var chips: [any EmulatedChip]
    /// Addresses on which no transfer is acknowledged, even if a chip has the address.
    public var silentAddresses: Set<I2CAddress> = []
    /// Whether a chip holds SDA or SCL low: a transfer then stays busy until it is cancelled.
    public var isBusStuck = false
    /// The levels that the board gives the GPIO wires while the CP2112 does not drive them, one bit for each line.
    public var wires: UInt8 = 0
    /// Which GPIO lines the CP2112 drives, one bit for each line.
    public private(set) var outputs: UInt8 = 0
    private var latch: UInt8 = 0
    /// The host's settings of push-pull outputs and of the GPIO lines' special functions; they are stored but have no
    /// effect on the levels.
    private var lineOptions: [UInt8] = [0, 0, 0]
    private var smbus: [UInt8] = [0, 0x01, 0x86, 0xA0, 0x02, 0, 0, 0, 0, 0, 0, 0, 0]
    var transfer = Transfer()

    public init(chips: [any EmulatedChip] = []) { self.chips = chips }

    /// The levels on the GPIO wires, one bit for each line.
    public var levels: UInt8 { latch & outputs | wires & ~outputs }

    /// Simulates a loss of supply, after which the CP2112 drives no GPIO line.
    public mutating func powerCycle() {
        outputs = 0
        latch = 0
        transfer = Transfer()
    }

    // MARK: Reports

    /// Returns the feature report with this number; nil if there is no such report or the host cannot read it.
    public func feature(_ number: UInt8) -> [UInt8]? {
        switch FeatureReport(rawValue: number) {
        case .lineConfiguration: [number, outputs] + lineOptions
        case .getLines: [number, levels]
        case .version: [number, 0x0C, 0x02]
        case .smbusConfiguration: [number] + smbus
        case .lock: [number, 0xFF]
        case .setLines, nil: nil
        }
    }

    /// Takes a feature report, whose first byte is the report's number; a report that is unknown or too short is
    /// ignored.
    public mutating func setFeature(_ report: [UInt8]) {
        guard let first = report.first, let kind = FeatureReport(rawValue: first) else { return }
        switch kind {
        case .lineConfiguration where report.count >= 5:
            outputs = report[1]
            lineOptions = Array(report[2...4])
        case .setLines where report.count >= 3: latch = latch & ~report[2] | report[1] & report[2]
        case .smbusConfiguration where report.count >= 14: smbus = Array(report[1...13])
        case .lineConfiguration, .setLines, .smbusConfiguration, .getLines, .version, .lock: return
        }
    }
}

/// The numbers of the CP2112's HID feature reports.
///
/// Source: AN495, section 4.
private enum FeatureReport: UInt8 {
    case lineConfiguration = 0x02
    case getLines = 0x03
    case setLines = 0x04
    case version = 0x05
    case smbusConfiguration = 0x06
    case lock = 0x20
}
