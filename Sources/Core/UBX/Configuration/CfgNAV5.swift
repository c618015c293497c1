/// CFG-NAV5 (06 24): the navigation engine's settings; only those that the mask names are applied.
///
/// 36 bytes. Not on M10 or later, which use CFG-VALSET. Source: u-blox 8 / M8 receiver description (UBX-13003221),
/// CFG-NAV5.
public struct CfgNAV5: FixedUBXMessage, Hashable {
    public static let messageID = UBXMessageID.cfgNAV5
    static let byteCount = 36

    /// The bit field `mask` (X2), which names the settings to apply.
    public var mask: UInt16 = 0
    /// The kind of motion that the receiver expects, by its number in `DynamicModel`.
    public var dynamicModel: UInt8 = 0
    /// The fix mode: 1 two dimensions only, 2 three only, 3 either.
    public var fixMode: UInt8 = 0
    /// The altitude above mean sea level to use for fixes in two dimensions, in centimetres.
    public var fixedAltitudeCentimetres: Int32 = 0
    /// The variance of the fixed altitude, in units of 0.0001 m².
    public var fixedAltitudeVarianceE4: UInt32 = 0
    public var minimumElevationDegrees: Int8 = 0
    /// The longest time of dead reckoning, in seconds; reserved on u-blox 8.
    public var deadReckoningLimitSeconds: UInt8 = 0
    /// The PDOP above which a fix is masked, in units of 0.1.
    public var positionDOPMaskE1: UInt16 = 0
    /// The TDOP above which a time fix is masked, in units of 0.1.
    public var timeDOPMaskE1: UInt16 = 0
    public var positionAccuracyMaskMetres: UInt16 = 0
    public var timeAccuracyMaskMetres: UInt16 = 0
    public var staticHoldCentimetresPerSecond: UInt8 = 0
    public var differentialTimeoutSeconds: UInt8 = 0
    /// The number of satellites whose signals must be above `signalThreshold` for a fix.
    public var signalThresholdCount: UInt8 = 0
    /// The carrier-to-noise density in dB-Hz that `signalThresholdCount` satellites must exceed for a fix.
    public var signalThreshold: UInt8 = 0
    public var staticHoldMetres: UInt16 = 0
    /// The UTC standard by its number; 0 is automatic.
    public var utcStandard: UInt8 = 0

    public init() {}

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&mask)
        payload.field(&dynamicModel)
        payload.field(&fixMode)
        payload.field(&fixedAltitudeCentimetres)
        payload.field(&fixedAltitudeVarianceE4)
        payload.field(&minimumElevationDegrees)
        payload.field(&deadReckoningLimitSeconds)
        payload.field(&positionDOPMaskE1)
        payload.field(&timeDOPMaskE1)
        payload.field(&positionAccuracyMaskMetres)
        payload.field(&timeAccuracyMaskMetres)
        payload.field(&staticHoldCentimetresPerSecond)
        payload.field(&differentialTimeoutSeconds)
        payload.field(&signalThresholdCount)
        payload.field(&signalThreshold)
        payload.reserved(2)
        payload.field(&staticHoldMetres)
        payload.field(&utcStandard)
        payload.reserved(5)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        if mask & Self.appliesDynamicModel != 0, DynamicModel(rawValue: dynamicModel) == nil {
            throw .outOfRange(field: .dynModel, value: Int64(dynamicModel))
        }
        if mask & Self.appliesFixMode != 0 { try require(.fixMode, fixMode, in: 1...3) }
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

    /// Makes a message that sets the dynamic model and leaves the receiver's other settings unchanged.
    public init(model: DynamicModel) {
        self.init()
        mask = CfgNAV5.appliesDynamicModel
        dynamicModel = model.rawValue
    }
}
