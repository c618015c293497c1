/// What a UBX message is: its class and its id within the class.
///
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), "UBX messages overview".
public struct UBXMessageID: Hashable, Sendable {
    public var messageClass: UInt8
    public var id: UInt8

    public init(messageClass: UInt8, id: UInt8) {
        self.messageClass = messageClass
        self.id = id
    }

    private init(_ messageClass: UInt8, _ id: UInt8) {
        self.init(messageClass: messageClass, id: id)
    }
}

extension UBXMessageID {
    public static let navPOSECEF = UBXMessageID(0x01, 0x01)
    public static let navPOSLLH = UBXMessageID(0x01, 0x02)
    public static let navSTATUS = UBXMessageID(0x01, 0x03)
    public static let navDOP = UBXMessageID(0x01, 0x04)
    public static let navSOL = UBXMessageID(0x01, 0x06)
    public static let navPVT = UBXMessageID(0x01, 0x07)
    public static let navVELECEF = UBXMessageID(0x01, 0x11)
    public static let navVELNED = UBXMessageID(0x01, 0x12)
    public static let navHPPOSECEF = UBXMessageID(0x01, 0x13)
    public static let navHPPOSLLH = UBXMessageID(0x01, 0x14)
    public static let navTIMEGPS = UBXMessageID(0x01, 0x20)
    public static let navTIMEUTC = UBXMessageID(0x01, 0x21)
    public static let navCLOCK = UBXMessageID(0x01, 0x22)
    public static let navTIMELS = UBXMessageID(0x01, 0x26)
    public static let navSVINFO = UBXMessageID(0x01, 0x30)
    public static let navORB = UBXMessageID(0x01, 0x34)
    public static let navSAT = UBXMessageID(0x01, 0x35)
    public static let navSIG = UBXMessageID(0x01, 0x43)
    public static let navAOPSTATUS = UBXMessageID(0x01, 0x60)
    public static let navEOE = UBXMessageID(0x01, 0x61)

    public static let rxmPMREQ = UBXMessageID(0x02, 0x41)

    public static let infERROR = UBXMessageID(0x04, 0x00)
    public static let infWARNING = UBXMessageID(0x04, 0x01)
    public static let infNOTICE = UBXMessageID(0x04, 0x02)
    public static let infTEST = UBXMessageID(0x04, 0x03)
    public static let infDEBUG = UBXMessageID(0x04, 0x04)

    public static let ackNak = UBXMessageID(0x05, 0x00)
    public static let ackAck = UBXMessageID(0x05, 0x01)

    public static let cfgPRT = UBXMessageID(0x06, 0x00)
    public static let cfgMSG = UBXMessageID(0x06, 0x01)
    public static let cfgRST = UBXMessageID(0x06, 0x04)
    public static let cfgRATE = UBXMessageID(0x06, 0x08)
    public static let cfgCFG = UBXMessageID(0x06, 0x09)
    public static let cfgRXM = UBXMessageID(0x06, 0x11)
    public static let cfgNAVX5 = UBXMessageID(0x06, 0x23)
    public static let cfgNAV5 = UBXMessageID(0x06, 0x24)
    public static let cfgPM2 = UBXMessageID(0x06, 0x3B)
    public static let cfgGNSS = UBXMessageID(0x06, 0x3E)
    public static let cfgPMS = UBXMessageID(0x06, 0x86)
    public static let cfgVALSET = UBXMessageID(0x06, 0x8A)
    public static let cfgVALGET = UBXMessageID(0x06, 0x8B)
    public static let cfgVALDEL = UBXMessageID(0x06, 0x8C)

    public static let updSOS = UBXMessageID(0x09, 0x14)

    public static let monVER = UBXMessageID(0x0A, 0x04)
    public static let monHW = UBXMessageID(0x0A, 0x09)
    public static let monRXR = UBXMessageID(0x0A, 0x21)
    public static let monRF = UBXMessageID(0x0A, 0x38)

    public static let mgaINI = UBXMessageID(0x13, 0x40)
    public static let mgaANO = UBXMessageID(0x13, 0x20)
    public static let mgaACK = UBXMessageID(0x13, 0x60)
    public static let mgaDBD = UBXMessageID(0x13, 0x80)

    public static let hnrPVT = UBXMessageID(0x28, 0x00)
}
