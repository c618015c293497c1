/// UPD-SOS (09 14): saves the receiver's battery-backed memory in flash, and reports whether it was saved or restored.
///
/// 4 bytes when sent to the receiver, 8 when sent by it. An empty message asks whether the last start restored the
/// memory. Source: u-blox 8 / M8 receiver description (UBX-13003221), UPD-SOS; the same in UBX-22008968.
public enum UpdSOS: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.updSOS

    /// Whether the last start restored the receiver's memory from flash.
    public enum Restoration: UInt8, Sendable {
        case unknown = 0
        case failed = 1
        case restored = 2
        case noBackup = 3
    }

    /// To the receiver: save the memory in flash; the host must stop GNSS first.
    case createBackup
    /// To the receiver: clear the copy in flash.
    case clearBackup
    /// From the receiver: whether the memory was saved in flash.
    case backupCreated(Bool)
    /// From the receiver: whether the last start restored the memory.
    case restoration(Restoration)

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard payload.count == 4 || payload.count == 8 else {
            throw .wrongLength(expected: 8, actual: payload.count)
        }
        if payload.count == 4 {
            try require(.cmd, payload[0], in: 0...1)
            self = payload[0] == 0 ? .createBackup : .clearBackup
        } else {
            try require(.cmd, payload[0], in: 2...3)
            self = try payload[0] == 2 ? Self.created(payload[4]) : Self.restored(payload[4])
        }
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        switch self {
        case .createBackup: Self.append(command: 0, to: &bytes)
        case .clearBackup: Self.append(command: 1, to: &bytes)
        case .backupCreated(let success): Self.append(command: 2, response: success ? 1 : 0, to: &bytes)
        case .restoration(let restoration): Self.append(command: 3, response: restoration.rawValue, to: &bytes)
        }
    }

    private static func created(_ response: UInt8) throws(UBXPayloadError) -> UpdSOS {
        try require(.response, response, in: 0...1)
        return .backupCreated(response == 1)
    }

    private static func restored(_ response: UInt8) throws(UBXPayloadError) -> UpdSOS {
        guard let restoration = Restoration(rawValue: response) else {
            throw .outOfRange(field: .response, value: Int64(response))
        }
        return .restoration(restoration)
    }

    private static func append(command: UInt8, response: UInt8? = nil, to bytes: inout [UInt8]) {
        bytes.append(command)
        bytes.append(reserved: 3)
        guard let response else { return }
        bytes.append(response)
        bytes.append(reserved: 3)
    }
}
