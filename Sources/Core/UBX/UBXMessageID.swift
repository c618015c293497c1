/// The class of a UBX message, and its id within the class.
///
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), "UBX messages overview".
public struct UBXMessageID: Hashable, Sendable {
    public var messageClass: UInt8
    public var id: UInt8

    @inlinable
    public init(messageClass: UInt8, id: UInt8) {
        self.messageClass = messageClass
        self.id = id
    }

    @inlinable @inline(__always)
    init(_ messageClass: UInt8, _ id: UInt8) {
        self.init(messageClass: messageClass, id: id)
    }
}

// The ids are computed properties, because comparing with a stored property would cost a function call.
extension UBXMessageID {
    @inlinable public static var navPOSECEF: UBXMessageID { UBXMessageID(0x01, 0x01) }
    @inlinable public static var navPOSLLH: UBXMessageID { UBXMessageID(0x01, 0x02) }
    @inlinable public static var navSTATUS: UBXMessageID { UBXMessageID(0x01, 0x03) }
    @inlinable public static var navDOP: UBXMessageID { UBXMessageID(0x01, 0x04) }
    @inlinable public static var navSOL: UBXMessageID { UBXMessageID(0x01, 0x06) }
    @inlinable public static var navPVT: UBXMessageID { UBXMessageID(0x01, 0x07) }
    @inlinable public static var navVELECEF: UBXMessageID { UBXMessageID(0x01, 0x11) }
    @inlinable public static var navVELNED: UBXMessageID { UBXMessageID(0x01, 0x12) }
    @inlinable public static var navHPPOSLLH: UBXMessageID { UBXMessageID(0x01, 0x14) }
    @inlinable public static var navTIMEGPS: UBXMessageID { UBXMessageID(0x01, 0x20) }
    @inlinable public static var navTIMEUTC: UBXMessageID { UBXMessageID(0x01, 0x21) }
    @inlinable public static var navTIMELS: UBXMessageID { UBXMessageID(0x01, 0x26) }
    @inlinable public static var navSVINFO: UBXMessageID { UBXMessageID(0x01, 0x30) }
    @inlinable public static var navSAT: UBXMessageID { UBXMessageID(0x01, 0x35) }
    @inlinable public static var navAOPSTATUS: UBXMessageID { UBXMessageID(0x01, 0x60) }
    @inlinable public static var navEOE: UBXMessageID { UBXMessageID(0x01, 0x61) }

    @inlinable public static var rxmPMREQ: UBXMessageID { UBXMessageID(0x02, 0x41) }

    @inlinable public static var ackNak: UBXMessageID { UBXMessageID(0x05, 0x00) }
    @inlinable public static var ackAck: UBXMessageID { UBXMessageID(0x05, 0x01) }

    @inlinable public static var cfgPRT: UBXMessageID { UBXMessageID(0x06, 0x00) }
    @inlinable public static var cfgMSG: UBXMessageID { UBXMessageID(0x06, 0x01) }
    @inlinable public static var cfgRST: UBXMessageID { UBXMessageID(0x06, 0x04) }
    @inlinable public static var cfgRATE: UBXMessageID { UBXMessageID(0x06, 0x08) }
    @inlinable public static var cfgCFG: UBXMessageID { UBXMessageID(0x06, 0x09) }
    @inlinable public static var cfgRXM: UBXMessageID { UBXMessageID(0x06, 0x11) }
    @inlinable public static var cfgNAVX5: UBXMessageID { UBXMessageID(0x06, 0x23) }
    @inlinable public static var cfgNAV5: UBXMessageID { UBXMessageID(0x06, 0x24) }
    @inlinable public static var cfgPM2: UBXMessageID { UBXMessageID(0x06, 0x3B) }
    @inlinable public static var cfgGNSS: UBXMessageID { UBXMessageID(0x06, 0x3E) }
    @inlinable public static var cfgPMS: UBXMessageID { UBXMessageID(0x06, 0x86) }
    @inlinable public static var cfgVALSET: UBXMessageID { UBXMessageID(0x06, 0x8A) }
    @inlinable public static var cfgVALGET: UBXMessageID { UBXMessageID(0x06, 0x8B) }

    @inlinable public static var updSOS: UBXMessageID { UBXMessageID(0x09, 0x14) }

    @inlinable public static var monVER: UBXMessageID { UBXMessageID(0x0A, 0x04) }
    @inlinable public static var monRXR: UBXMessageID { UBXMessageID(0x0A, 0x21) }

    @inlinable public static var mgaINI: UBXMessageID { UBXMessageID(0x13, 0x40) }
    @inlinable public static var mgaACK: UBXMessageID { UBXMessageID(0x13, 0x60) }
    @inlinable public static var mgaDBD: UBXMessageID { UBXMessageID(0x13, 0x80) }

    @inlinable public static var hnrPVT: UBXMessageID { UBXMessageID(0x28, 0x00) }
}
