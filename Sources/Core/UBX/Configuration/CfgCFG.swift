/// CFG-CFG (06 09): clears, saves and loads sections of the configuration.
///
/// 12 bytes, or 13 with the byte that names the memories. M10 and later accept it only for clearing and loading
/// everything. Source: u-blox 8 / M8 receiver description (UBX-13003221), CFG-CFG.
public struct CfgCFG: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.cfgCFG

    /// The memories that can keep the configuration.
    public struct Devices: OptionSet, Sendable, Hashable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let batteryBackedRAM = Devices(rawValue: 0x01)
        public static let flash = Devices(rawValue: 0x02)
        public static let eeprom = Devices(rawValue: 0x04)
    }

    /// The sections to clear, as bits: 0 ports, 1 messages, 2 INF, 3 navigation, 4 receiver manager; the document lists
    /// others.
    public var clearMask: UInt32
    public var saveMask: UInt32
    public var loadMask: UInt32
    /// The memories in which sections are cleared, saved and loaded; nil in the 12-byte form, which uses every memory
    /// that the receiver has.
    public var devices: Devices?

    public init(clearMask: UInt32, saveMask: UInt32, loadMask: UInt32, devices: Devices?) {
        self.clearMask = clearMask
        self.saveMask = saveMask
        self.loadMask = loadMask
        self.devices = devices
    }

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard payload.count == 12 || payload.count == 13 else {
            throw .wrongLength(expected: 12, actual: payload.count)
        }
        clearMask = payload.uint32(at: 0)
        saveMask = payload.uint32(at: 4)
        loadMask = payload.uint32(at: 8)
        devices = payload.count == 13 ? Devices(rawValue: payload[12]) : nil
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: clearMask)
        bytes.append(littleEndian: saveMask)
        bytes.append(littleEndian: loadMask)
        if let devices { bytes.append(devices.rawValue) }
    }
}
