/// CFG-PM2 (06 3B): the settings of power save mode, on receivers before u-blox 10.
///
/// 44 bytes in message version 1, 48 in version 2, which adds the time of EXTINT inactivity.
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), CFG-PM2.
public struct CfgPM2: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.cfgPM2
    static let byteCount = 44
    static let longByteCount = 48

    public enum Mode: UInt32, Sendable {
        case onOff = 0
        case cyclicTracking = 1
    }

    /// The largest number of seconds that the receiver spends in the Acquisition state; 0 sets no limit.
    public var maximumStartupSeconds: UInt8 = 0
    /// The bit field `flags` (X4).
    public var flags: UInt32 = 0
    /// Milliseconds from one start of the receiver to the next; 0: the receiver does not start by itself.
    public var updatePeriodMilliseconds: UInt32 = 0
    /// Milliseconds from a failed search for satellites to the next search; 0: the receiver does not search again by
    /// itself.
    public var searchPeriodMilliseconds: UInt32 = 0
    /// The offset of the grid of update periods from the start of the GPS week, in milliseconds.
    public var gridOffsetMilliseconds: UInt32 = 0
    /// Seconds that the receiver stays in tracking after its first fix.
    public var onTimeSeconds: UInt16 = 0
    public var minimumAcquisitionSeconds: UInt16 = 0
    /// Milliseconds without an edge on EXTINT after which the receiver enters backup; nil in message version 1.
    public var extintInactivityMilliseconds: UInt32?

    public init() {}

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard payload.count == Self.byteCount || payload.count == Self.longByteCount else {
            throw .wrongLength(expected: Self.longByteCount, actual: payload.count)
        }
        let isLong = payload.count == Self.longByteCount
        try require(.version, payload[0], in: isLong ? 2...2 : 1...1)
        maximumStartupSeconds = payload[2]
        flags = payload.uint32(at: 4)
        updatePeriodMilliseconds = payload.uint32(at: 8)
        searchPeriodMilliseconds = payload.uint32(at: 12)
        gridOffsetMilliseconds = payload.uint32(at: 16)
        onTimeSeconds = payload.uint16(at: 20)
        minimumAcquisitionSeconds = payload.uint16(at: 22)
        extintInactivityMilliseconds = isLong ? payload.uint32(at: 44) : nil
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(extintInactivityMilliseconds == nil ? 1 : 2)
        bytes.append(reserved: 1)
        bytes.append(maximumStartupSeconds)
        bytes.append(reserved: 1)
        bytes.append(littleEndian: flags)
        bytes.append(littleEndian: updatePeriodMilliseconds)
        bytes.append(littleEndian: searchPeriodMilliseconds)
        bytes.append(littleEndian: gridOffsetMilliseconds)
        bytes.append(littleEndian: onTimeSeconds)
        bytes.append(littleEndian: minimumAcquisitionSeconds)
        bytes.append(reserved: 20)
        if let extintInactivityMilliseconds { bytes.append(littleEndian: extintInactivityMilliseconds) }
    }
}

extension CfgPM2 {

    /// Whether the receiver stays awake while EXTINT is high.
    public var extintWakes: Bool {
        get { flags[bit: 5] }
        set { flags[bit: 5] = newValue }
    }

    /// Whether the receiver is forced into backup while EXTINT is low.
    public var extintForcesBackup: Bool {
        get { flags[bit: 6] }
        set { flags[bit: 6] = newValue }
    }

    public var updatesRTC: Bool {
        get { flags[bit: 11] }
        set { flags[bit: 11] = newValue }
    }

    public var updatesEphemeris: Bool {
        get { flags[bit: 12] }
        set { flags[bit: 12] = newValue }
    }

    /// Whether the receiver keeps searching instead of going off after a failed search.
    public var doesNotEnterOff: Bool {
        get { flags[bit: 16] }
        set { flags[bit: 16] = newValue }
    }

    /// The operating mode; nil where the receiver sends a reserved number.
    public var mode: Mode? { Mode(rawValue: flags[bits: 17, count: 2]) }

    public mutating func setMode(_ mode: Mode) {
        flags[bits: 17, count: 2] = mode.rawValue
    }
}
