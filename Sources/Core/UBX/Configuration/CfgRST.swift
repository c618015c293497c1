/// CFG-RST (06 04): restarts the receiver, or stops and starts its GNSS part; the receiver never acknowledges it.
///
/// 4 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221),
/// CFG-RST; the same in UBX-21035062 and UBX-22008968.
public struct CfgRST: FixedUBXMessage, Hashable {
    public static let messageID = UBXMessageID.cfgRST
    static let byteCount = 4

    /// The bit field `navBbrMask` (X2), the data to clear; see `hotStart` and `coldStart`.
    public var clearedSections: UInt16 = 0
    /// The kind of reset, by its number in `Mode`.
    public var resetMode: UInt8 = 0

    public init() {}

    public init(clearedSections: UInt16, resetMode: UInt8) {
        self.clearedSections = clearedSections
        self.resetMode = resetMode
    }

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&clearedSections)
        payload.field(&resetMode)
        payload.reserved(1)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard Mode(rawValue: resetMode) != nil else { throw .outOfRange(field: .resetMode, value: Int64(resetMode)) }
    }
}

extension CfgRST {
    public enum Mode: UInt8, Sendable {
        /// A reset by the watchdog, at once.
        case hardware = 0
        case software = 1
        /// A restart of the GNSS part alone, by software.
        case softwareGNSS = 2
        /// A reset by the watchdog, after a shutdown.
        case hardwareAfterShutdown = 4
        case stopGNSS = 8
        case startGNSS = 9
    }

    /// Clears no data.
    public static let hotStart: UInt16 = 0x0000
    /// Clears all data.
    public static let coldStart: UInt16 = 0xFFFF

    public init(clearedSections: UInt16, mode: Mode) {
        self.init(clearedSections: clearedSections, resetMode: mode.rawValue)
    }

    public var mode: Mode? { Mode(rawValue: resetMode) }
}
