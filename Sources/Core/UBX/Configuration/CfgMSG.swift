/// CFG-MSG (06 01): sets a message's rate n: the message is sent with every nth navigation solution, or never if n is
/// 0.
///
/// 3 bytes for the port that the command arrives on, 8 for all ports. Not on M10 or later, which use CFG-VALSET.
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), CFG-MSG.
public struct CfgMSG: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.cfgMSG

    /// A message's rate n on each port: the message is sent with every nth navigation solution, or never if n is 0.
    public struct PortRates: Sendable, Hashable {
        public var i2c: UInt8
        public var uart1: UInt8
        public var uart2: UInt8
        public var usb: UInt8
        public var spi: UInt8

        public init(i2c: UInt8, uart1: UInt8, uart2: UInt8, usb: UInt8, spi: UInt8) {
            self.i2c = i2c
            self.uart1 = uart1
            self.uart2 = uart2
            self.usb = usb
            self.spi = spi
        }
    }

    public enum Rate: Sendable, Hashable {
        case thisPort(UInt8)
        case ports(PortRates)
    }

    /// The message whose rate is set; NMEA sentences have class 0xF0.
    public var subject: UBXMessageID
    public var rate: Rate

    public init(subject: UBXMessageID, rate: Rate) {
        self.subject = subject
        self.rate = rate
    }

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard payload.count == 3 || payload.count == 8 else {
            throw .wrongLength(expected: 3, actual: payload.count)
        }
        subject = UBXMessageID(messageClass: payload[0], id: payload[1])
        guard payload.count == 8 else {
            rate = .thisPort(payload[2])
            return
        }
        rate = .ports(
            PortRates(i2c: payload[2], uart1: payload[3], uart2: payload[4], usb: payload[5], spi: payload[6]))
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(subject.messageClass)
        bytes.append(subject.id)
        switch rate {
        case .thisPort(let rate):
            bytes.append(rate)
        case .ports(let rates):
            bytes.append(rates.i2c)
            bytes.append(rates.uart1)
            bytes.append(rates.uart2)
            bytes.append(rates.usb)
            bytes.append(rates.spi)
            bytes.append(reserved: 1)
        }
    }
}
