/// The talker: the two letters that name the system (or several systems) on which a sentence reports.
public struct NMEATalker: Sendable, Hashable {
    /// The two letters as a number, the first one in the high byte.
    public var rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    @inline(__always)
    init(_ first: UInt8, _ second: UInt8) {
        rawValue = UInt16(first) << 8 | UInt16(second)
    }

    public static let gps = NMEATalker(0x47, 0x50)  // GP
    public static let glonass = NMEATalker(0x47, 0x4C)  // GL
    public static let galileo = NMEATalker(0x47, 0x41)  // GA
    public static let beidou = NMEATalker(0x47, 0x42)  // GB
    public static let beidouLegacy = NMEATalker(0x42, 0x44)  // BD
    public static let qzss = NMEATalker(0x47, 0x51)  // GQ
    public static let qzssLegacy = NMEATalker(0x51, 0x5A)  // QZ
    public static let navic = NMEATalker(0x47, 0x49)  // GI
    public static let combined = NMEATalker(0x47, 0x4E)  // GN
    /// Quectel's talker for BeiDou and, with the numbers 193 to 202, for QZSS.
    public static let quectel = NMEATalker(0x50, 0x51)  // PQ
}
