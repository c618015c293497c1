/// NAV-CLOCK (01 22): the receiver's clock against GPS time.
///
/// 20 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-CLOCK; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavCLOCK: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.navCLOCK
    static let byteCount = 20

    /// GPS time of week of the navigation epoch.
    public var timeOfWeekMilliseconds: UInt32 = 0
    public var biasNanoseconds: Int32 = 0
    public var driftNanosecondsPerSecond: Int32 = 0
    public var timeAccuracyNanoseconds: UInt32 = 0
    public var frequencyAccuracyPicosecondsPerSecond: UInt32 = 0

    public init() {}

    public init(
        timeOfWeekMilliseconds: UInt32,
        biasNanoseconds: Int32,
        driftNanosecondsPerSecond: Int32,
        timeAccuracyNanoseconds: UInt32,
        frequencyAccuracyPicosecondsPerSecond: UInt32
    ) {
        self.timeOfWeekMilliseconds = timeOfWeekMilliseconds
        self.biasNanoseconds = biasNanoseconds
        self.driftNanosecondsPerSecond = driftNanosecondsPerSecond
        self.timeAccuracyNanoseconds = timeAccuracyNanoseconds
        self.frequencyAccuracyPicosecondsPerSecond = frequencyAccuracyPicosecondsPerSecond
    }

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: Self.byteCount)
        timeOfWeekMilliseconds = payload.uint32(at: 0)
        biasNanoseconds = payload.int32(at: 4)
        driftNanosecondsPerSecond = payload.int32(at: 8)
        timeAccuracyNanoseconds = payload.uint32(at: 12)
        frequencyAccuracyPicosecondsPerSecond = payload.uint32(at: 16)
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: timeOfWeekMilliseconds)
        bytes.append(littleEndian: biasNanoseconds)
        bytes.append(littleEndian: driftNanosecondsPerSecond)
        bytes.append(littleEndian: timeAccuracyNanoseconds)
        bytes.append(littleEndian: frequencyAccuracyPicosecondsPerSecond)
    }
}
