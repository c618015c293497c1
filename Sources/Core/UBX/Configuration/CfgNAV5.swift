/// CFG-NAV5 (06 24): the navigation engine's settings; only those that the mask names are applied.
///
/// 36 bytes. Not on M10 or later, which use CFG-VALSET. Source: u-blox 8 / M8 receiver description (UBX-13003221),
/// CFG-NAV5.
public struct CfgNAV5: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.cfgNAV5
    static let byteCount = 36

    /// The bit field `mask` (X2), which names the settings to apply.
    public var mask: UInt16 = 0
    /// The number of a `DynamicModel`.
    public var dynamicModel: UInt8 = 0
    /// The fix mode: 1 two dimensions only, 2 three only, 3 either.
    public var fixMode: UInt8 = 0
    /// The altitude above mean sea level to use for fixes in two dimensions.
    public var fixedAltitudeCentimetres: Int32 = 0
    /// The variance of the fixed altitude, in square metres times 1e4.
    public var fixedAltitudeVarianceE4: UInt32 = 0
    public var minimumElevationDegrees: Int8 = 0
    /// The limit of dead reckoning in seconds; reserved on u-blox 8.
    public var deadReckoningLimitSeconds: UInt8 = 0
    /// The PDOP above which a fix is masked, times 10.
    public var positionDOPMaskE1: UInt16 = 0
    /// The TDOP above which a time fix is masked, times 10.
    public var timeDOPMaskE1: UInt16 = 0
    public var positionAccuracyMaskMetres: UInt16 = 0
    public var timeAccuracyMaskMetres: UInt16 = 0
    public var staticHoldCentimetresPerSecond: UInt8 = 0
    public var differentialTimeoutSeconds: UInt8 = 0
    /// The satellites whose signals must be above `signalThreshold` for a fix.
    public var signalThresholdCount: UInt8 = 0
    /// The signal threshold in dB-Hz.
    public var signalThreshold: UInt8 = 0
    public var staticHoldMetres: UInt16 = 0
    /// The UTC standard by its number; 0 is automatic.
    public var utcStandard: UInt8 = 0

    public init() {}

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: Self.byteCount)
        mask = payload.uint16(at: 0)
        dynamicModel = payload[2]
        fixMode = payload[3]
        fixedAltitudeCentimetres = payload.int32(at: 4)
        fixedAltitudeVarianceE4 = payload.uint32(at: 8)
        minimumElevationDegrees = payload.int8(at: 12)
        deadReckoningLimitSeconds = payload[13]
        positionDOPMaskE1 = payload.uint16(at: 14)
        timeDOPMaskE1 = payload.uint16(at: 16)
        positionAccuracyMaskMetres = payload.uint16(at: 18)
        timeAccuracyMaskMetres = payload.uint16(at: 20)
        staticHoldCentimetresPerSecond = payload[22]
        differentialTimeoutSeconds = payload[23]
        signalThresholdCount = payload[24]
        signalThreshold = payload[25]
        staticHoldMetres = payload.uint16(at: 28)
        utcStandard = payload[30]
        if mask & Self.appliesDynamicModel != 0, DynamicModel(rawValue: dynamicModel) == nil {
            throw .outOfRange(field: .dynModel, value: Int64(dynamicModel))
        }
        if mask & Self.appliesFixMode != 0 { try require(.fixMode, fixMode, in: 1...3) }
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: mask)
        bytes.append(dynamicModel)
        bytes.append(fixMode)
        bytes.append(littleEndian: fixedAltitudeCentimetres)
        bytes.append(littleEndian: fixedAltitudeVarianceE4)
        bytes.append(littleEndian: minimumElevationDegrees)
        bytes.append(deadReckoningLimitSeconds)
        bytes.append(littleEndian: positionDOPMaskE1)
        bytes.append(littleEndian: timeDOPMaskE1)
        bytes.append(littleEndian: positionAccuracyMaskMetres)
        bytes.append(littleEndian: timeAccuracyMaskMetres)
        bytes.append(staticHoldCentimetresPerSecond)
        bytes.append(differentialTimeoutSeconds)
        bytes.append(signalThresholdCount)
        bytes.append(signalThreshold)
        bytes.append(reserved: 2)
        bytes.append(littleEndian: staticHoldMetres)
        bytes.append(utcStandard)
        bytes.append(reserved: 5)
    }
}

extension CfgNAV5 {
    /// The kind of motion that the receiver expects.
    public enum DynamicModel: UInt8, Sendable {
        case portable = 0
        case stationary = 2
        case pedestrian = 3
        case automotive = 4
        case sea = 5
        case airborne1g = 6
        case airborne2g = 7
        case airborne4g = 8
        case wrist = 9
        case bike = 10
    }

    public static let appliesDynamicModel: UInt16 = 0x0001
    public static let appliesFixMode: UInt16 = 0x0004

    /// Makes a message that sets the dynamic model and leaves all other settings.
    public init(model: DynamicModel) {
        self.init()
        mask = CfgNAV5.appliesDynamicModel
        dynamicModel = model.rawValue
    }
}
