/// CFG-PRT (06 00): a port's protocols, and a UART's baud rate.
///
/// 20 bytes. Not on M10 or later, which use CFG-VALSET. Source: u-blox 8 / M8 receiver description (UBX-13003221),
/// CFG-PRT, "Port configuration for UART" and "for USB"; the USB form has no mode and no baud rate.
public struct CfgPRT: FixedUBXMessage, Hashable {
    public static let messageID = UBXMessageID.cfgPRT
    static let byteCount = 20

    /// The port: 1 UART1, 2 UART2, 3 USB.
    public var portID: UInt8 = 0
    /// The bit field `txReady` (X2); 0 turns the TX-ready pin off.
    public var transmitReady: UInt16 = 0
    /// The bit field `mode` (X4), for example `mode8N1`; 0 for USB.
    public var mode: UInt32 = 0
    /// The baud rate in bits per second; 0 for USB.
    public var baud: UInt32 = 0
    /// `inProtoMask` (X2), the protocols that the port accepts: bit 0 UBX, 1 NMEA, 2 RTCM 2, 5 RTCM 3.
    public var inputProtocols: UInt16 = 0
    /// `outProtoMask` (X2), the protocols that the port sends: bit 0 UBX, 1 NMEA, 5 RTCM 3.
    public var outputProtocols: UInt16 = 0
    /// `flags` (X2): bit 1 switches on the extended transmission timeout.
    public var flags: UInt16 = 0

    public init() {}

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&portID)
        payload.reserved(1)
        payload.field(&transmitReady)
        payload.field(&mode)
        payload.field(&baud)
        payload.field(&inputProtocols)
        payload.field(&outputProtocols)
        payload.field(&flags)
        payload.reserved(2)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(.portID, portID, in: 1...3)
    }
}

extension CfgPRT {
    /// The mode 8N1: 8 data bits (3 in bits 7:6), no parity (4 in bits 11:9), 1 stop bit, and bit 4, which u-blox 5
    /// requires to be set.
    public static let mode8N1: UInt32 = 0x08D0
    public static let ubx: UInt16 = 0x01
    public static let nmea: UInt16 = 0x02

    /// Makes a message that configures UART1 with 8 data bits, no parity and 1 stop bit.
    public init(uart1Baud baud: UInt32, inputProtocols: UInt16, outputProtocols: UInt16) {
        self.init()
        portID = 1
        mode = CfgPRT.mode8N1
        self.baud = baud
        self.inputProtocols = inputProtocols
        self.outputProtocols = outputProtocols
    }

    /// Makes a message that configures USB.
    public init(usbInputProtocols: UInt16, outputProtocols: UInt16) {
        self.init()
        portID = 3
        inputProtocols = usbInputProtocols
        self.outputProtocols = outputProtocols
    }
}
