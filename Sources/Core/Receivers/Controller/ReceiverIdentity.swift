/// A receiver's family, model and firmware, as the receiver states them.
public struct ReceiverIdentity: Sendable, Hashable {
    public var family: ReceiverFamily
    /// The receiver's model; nil where the catalogue lacks it.
    public var model: ReceiverModel?
    /// The model or, if the catalogue lacks it, the catalogue's model with the most similar currents and start times.
    public var nearestModel: ReceiverModel
    /// The firmware's version, such as `SPG 5.10` or `AXN_2.31_3339_13101700-5632`; empty where unknown.
    public var firmware: String
    /// u-blox: the protocol version times 100, such as 3410 for 34.10; nil for other makers.
    public var protocolVersion: Int?
    /// u-blox: the chip's generation, 6 to 10; nil for other makers.
    public var generation: Int?
    /// The maker, model and firmware as text to display.
    public var description: String

    public init(
        family: ReceiverFamily, model: ReceiverModel?, nearestModel: ReceiverModel, firmware: String,
        protocolVersion: Int?, generation: Int?, description: String
    ) {
        self.family = family
        self.model = model
        self.nearestModel = nearestModel
        self.firmware = firmware
        self.protocolVersion = protocolVersion
        self.generation = generation
        self.description = description
    }
}

extension ReceiverIdentity {
    /// The identity that a receiver of the configured model is assumed to have until it answers.
    init(assuming model: ReceiverModel) {
        self.init(
            family: model.family, model: model, nearestModel: model, firmware: "",
            protocolVersion: model.minimumProtocolVersion, generation: model.generation, description: model.rawValue)
    }

    /// A receiver that sends NMEA and answers no command.
    static let speechless = ReceiverIdentity(
        family: .generic, model: nil, nearestModel: .generic, firmware: "", protocolVersion: nil, generation: nil,
        description: "NMEA receiver")
}

extension ReceiverModel {
    /// u-blox: the generation of the model's chip; nil for other makers.
    var generation: Int? {
        switch self {
        case .neo6M: 6
        case .neoM8N, .maxM8Q: 8
        case .neoM9N, .zedF9P: 9
        case .maxM10S, .samM10Q: 10
        case .l76K, .atgm336H, .pa1616, .lc76G, .generic: nil
        }
    }

    /// u-blox: the oldest protocol version that the model was sold with, times 100.
    ///
    /// Source: u-blox 8 / M8 receiver description (UBX-13003221), "Supported protocol versions"; M9 SPG interface
    /// description (UBX-19035940); UBX-21035062; UBX-22008968.
    var minimumProtocolVersion: Int? {
        switch self {
        case .neo6M: 1200
        case .neoM8N, .maxM8Q: 1500
        case .zedF9P: 2700
        case .neoM9N: 3200
        case .maxM10S, .samM10Q: 3400
        case .l76K, .atgm336H, .pa1616, .lc76G, .generic: nil
        }
    }

    /// The UART rates that the model may start with after it has lost its configuration, the likeliest first.
    ///
    /// Sources: u-blox 8 / M8 receiver description (UBX-13003221), CFG-PRT: 9600; NEO-M9N and ZED-F9P integration
    /// manuals, default interface settings: 38400; M10 SPG 5.10 integration manual: the chip's 38400, which MAX-M10S
    /// and SAM-M10Q modules lower to 9600 as their data sheets say; Quectel L76K and LC76G hardware designs: 9600 and
    /// 115200; PA1616 and ATGM336H-5N data sheets: 9600.
    public var defaultBauds: [Int] {
        switch self {
        case .neo6M, .neoM8N, .maxM8Q, .pa1616, .l76K, .atgm336H: [9600]
        case .maxM10S, .samM10Q: [9600, 38_400]
        case .neoM9N, .zedF9P: [38_400]
        case .lc76G: [115_200]
        case .generic: [9600, 4800]
        }
    }

    /// Where the model's navigation database can be kept while all its supplies are cut, in order of preference.
    ///
    /// UPD-SOS needs flash, which ROM modules (MAX-M8, M10) lack.
    /// Sources: UBX-13003221, MGA-DBD (from u-blox M8 on) and UPD-SOS; M9 and F9 integration manuals.
    var databaseKeepers: [DatabaseKeeper] {
        switch self {
        case .neoM8N, .neoM9N, .zedF9P: [.host, .flash]
        case .maxM8Q, .maxM10S, .samM10Q: [.host]
        case .neo6M, .l76K, .atgm336H, .pa1616, .lc76G, .generic: []
        }
    }
}
