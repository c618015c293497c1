public import SextantJSON
public import SextantUnits

/// A GNSS receiver's device, as gpsd's DEVICE object describes it.
public struct GPSDDevice: Sendable, Equatable {
    public var path: String
    /// When the device was opened; nil where the wall clock was not known.
    public var activated: UTCInstant?
    public var isActive: Bool
    /// Whether the receiver sends UBX; otherwise NMEA 0183.
    public var isUBX: Bool
    /// The serial line's baud rate in bits per second; nil on a pseudo-terminal.
    public var baud: Int?
    /// Seconds from one epoch to the next; nil where not known.
    public var cycleSeconds: Double?

    public init(path: String, isActive: Bool) {
        self.path = path
        self.isActive = isActive
        isUBX = false
    }
}

/// Writes gpsd's objects other than reports, each as a line that ends in CR and LF.
public enum GPSDReply {
    public static func appendVersion(software: String, to text: inout TextBuffer) {
        text.append("{\"class\":\"VERSION\"," as StaticString)
        // The release name is for people to read; clients rely on the version of the protocol, which is that of gpsd
        // 3.27.
        text.member("\"release\":", "sextant \(software)")
        text.member("\"rev\":", software)
        text.member("\"proto_major\":", 3)
        text.member("\"proto_minor\":", 16)
        end(&text)
    }

    public static func appendDevices(_ device: GPSDDevice?, to text: inout TextBuffer) {
        text.append("{\"class\":\"DEVICES\"," as StaticString)
        text.beginArray("\"devices\":")
        if let device {
            append(device, to: &text)
            text.append(0x2C)
        }
        text.endArray()
        end(&text)
    }

    public static func appendDevice(_ device: GPSDDevice, to text: inout TextBuffer) {
        append(device, to: &text)
        text.append("\r\n" as StaticString)
    }

    private static func append(_ device: GPSDDevice, to text: inout TextBuffer) {
        text.append("{\"class\":\"DEVICE\"," as StaticString)
        text.member("\"path\":", device.path)
        if device.isActive {
            text.member("\"driver\":", device.isUBX ? "u-blox" : "NMEA0183")
            if let activated = device.activated {
                text.member("\"activated\":", activated)
            } else {
                text.member("\"activated\":", 1)
            }
            text.member("\"flags\":", 1)
            text.member("\"native\":", device.isUBX ? 1 : 0)
            text.member("\"bps\":", device.baud)
            if device.baud != nil {
                text.member("\"parity\":", literal: "N")
                text.member("\"stopbits\":", 1)
            }
            text.member("\"cycle\":", device.cycleSeconds, decimals: 2)
        } else {
            text.member("\"activated\":", 0)
        }
        text.endObject()
    }

    public static func appendWatch(_ policy: GPSDPolicy, to text: inout TextBuffer) {
        text.append("{\"class\":\"WATCH\"," as StaticString)
        text.member("\"enable\":", policy.enable ?? false)
        text.member("\"json\":", policy.json ?? false)
        text.member("\"nmea\":", policy.nmea ?? false)
        text.member("\"raw\":", policy.raw ?? 0)
        text.member("\"scaled\":", policy.scaled ?? false)
        text.member("\"timing\":", policy.timing ?? false)
        text.member("\"split24\":", policy.split24 ?? false)
        text.member("\"pps\":", policy.pps ?? false)
        text.member("\"device\":", policy.device)
        end(&text)
    }

    public static func appendError(_ message: String, to text: inout TextBuffer) {
        text.append("{\"class\":\"ERROR\"," as StaticString)
        text.member("\"message\":", message)
        end(&text)
    }

    private static func end(_ text: inout TextBuffer) {
        text.endObject()
        text.append("\r\n" as StaticString)
    }
}
