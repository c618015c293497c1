/// RXM-PMREQ (02 41): puts the receiver into backup mode, for a given time or until a wake-up source wakes it.
///
/// 8 bytes, or 16 with `force` and wake-up sources from protocol version 18 on. The receiver may acknowledge the
/// request and still not sleep: that it sleeps is shown only by its silence or by a MON-RXR message. Source: u-blox 8 /
/// M8 receiver description (UBX-13003221), RXM-PMREQ; the long form also in UBX-21035062 and UBX-22008968.
public struct RxmPMREQ: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.rxmPMREQ

    /// The input pins on which an edge wakes the receiver.
    public struct WakeupSources: OptionSet, Sendable, Hashable {
        public var rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let uartRX = WakeupSources(rawValue: 0x08)
        public static let extint0 = WakeupSources(rawValue: 0x20)
    }

    public enum Form: Sendable, Hashable {
        case short
        case long(force: Bool, wakeupSources: WakeupSources)
    }

    /// The duration in milliseconds, at most 12 days; 0 lasts until the receiver is woken.
    public var durationMilliseconds: UInt32
    public var isBackup: Bool
    public var form: Form

    public init(durationMilliseconds: UInt32, isBackup: Bool, form: Form) {
        self.durationMilliseconds = durationMilliseconds
        self.isBackup = isBackup
        self.form = form
    }

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard payload.count == 8 || payload.count == 16 else {
            throw .wrongLength(expected: 16, actual: payload.count)
        }
        guard payload.count == 16 else {
            durationMilliseconds = payload.uint32(at: 0)
            isBackup = payload.uint32(at: 4)[bit: 1]
            form = .short
            return
        }
        try require(.version, payload[0], in: 0...0)
        durationMilliseconds = payload.uint32(at: 4)
        let flags = payload.uint32(at: 8)
        isBackup = flags[bit: 1]
        form = .long(force: flags[bit: 2], wakeupSources: WakeupSources(rawValue: payload.uint32(at: 12)))
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        var flags: UInt32 = 0
        flags[bit: 1] = isBackup
        switch form {
        case .short:
            bytes.append(littleEndian: durationMilliseconds)
            bytes.append(littleEndian: flags)
        case .long(let force, let wakeupSources):
            flags[bit: 2] = force
            bytes.append(reserved: 4)
            bytes.append(littleEndian: durationMilliseconds)
            bytes.append(littleEndian: flags)
            bytes.append(littleEndian: wakeupSources.rawValue)
        }
    }
}
