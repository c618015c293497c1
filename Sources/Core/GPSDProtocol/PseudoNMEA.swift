public import GNSS
public import SextantJSON
internal import SextantUnits

/// Writes an epoch as NMEA 0183 sentences, for clients that read only NMEA while the receiver sends UBX.
///
/// Each epoch gives RMC and GGA, and, with a sky view, GSA and GSV; the talker is GN, and satellites have the numbers
/// of `GPSDSatelliteNumber`.
public enum PseudoNMEA {
    public static func append(_ epoch: Epoch, to text: inout TextBuffer) {
        appendRMC(epoch.fix, to: &text)
        appendGGA(epoch.fix, to: &text)
        if epoch.hasSky {
            appendGSA(epoch, to: &text)
            appendGSV(epoch.satellites, to: &text)
        }
    }

    private static func appendRMC(_ fix: Fix, to text: inout TextBuffer) {
        sentence(&text) { text in
            text.append("GNRMC," as StaticString)
            appendTimeOfDay(fix, to: &text)
            text.append(fix.hasPosition ? ",A," : ",V," as StaticString)
            appendPosition(fix, to: &text)
            if fix.hasPosition, let speed = fix.speed { text.append(speed * 3600 / 1852, decimals: 3) }
            text.append(0x2C)
            if fix.hasPosition, let course = fix.courseOverGround { text.append(course, decimals: 2) }
            text.append(0x2C)
            if fix.isTimeValidated, let time = fix.time { appendDate(time, to: &text) }
            text.append(",,," as StaticString)
            text.append(fix.hasPosition ? mode(of: fix) : 0x4E)
        }
    }

    private static func appendGGA(_ fix: Fix, to text: inout TextBuffer) {
        sentence(&text) { text in
            text.append("GNGGA," as StaticString)
            appendTimeOfDay(fix, to: &text)
            text.append(0x2C)
            appendPosition(fix, to: &text)
            text.append(quality(of: fix))
            text.append(0x2C)
            if let used = fix.satellitesUsed { text.append(Int(min(used, 99)), width: 2) }
            text.append(0x2C)
            if let dilution = fix.dilution.horizontal { text.append(dilution, decimals: 2) }
            text.append(0x2C)
            let hasHeight = fix.hasPosition
            if hasHeight, let altitude = fix.altitudeAboveMeanSeaLevel { text.append(altitude, decimals: 3) }
            text.append(",M," as StaticString)
            if hasHeight, let separation = fix.geoidSeparation { text.append(separation, decimals: 3) }
            text.append(",M,," as StaticString)
        }
    }

    private static func appendGSA(_ epoch: Epoch, to text: inout TextBuffer) {
        let dilution = epoch.fix.dilution
        for constellation in Constellation.allCases {
            var slots = 0
            for satellite in epoch.satellites
            where satellite.isUsed && satellite.id.constellation == constellation && (satellite.signal ?? 0) == 0 {
                slots += 1
            }
            guard slots > 0 else { continue }
            sentence(&text) { text in
                text.append("GNGSA,A," as StaticString)
                text.append(epoch.fix.type.hasHeight ? 0x33 : epoch.fix.hasPosition ? 0x32 : 0x31)
                var written = 0
                for satellite in epoch.satellites
                where written < 12 && satellite.isUsed && satellite.id.constellation == constellation
                    && (satellite.signal ?? 0) == 0
                {
                    text.append(0x2C)
                    text.append(GPSDSatelliteNumber.prn(of: satellite.id), width: 2)
                    written += 1
                }
                for _ in written..<12 { text.append(0x2C) }
                appendDilution(dilution.position, to: &text)
                appendDilution(dilution.horizontal, to: &text)
                appendDilution(dilution.vertical, to: &text)
            }
        }
    }

    private static func appendDilution(_ value: Double?, to text: inout TextBuffer) {
        text.append(0x2C)
        if let value { text.append(value, decimals: 2) }
    }

    private static func appendGSV(_ satellites: [Satellite], to text: inout TextBuffer) {
        var listed = 0
        for satellite in satellites where (satellite.signal ?? 0) == 0 { listed += 1 }
        let sentences = (listed + 3) / 4
        var index = 0
        for number in 0..<sentences {
            sentence(&text) { text in
                text.append("GNGSV," as StaticString)
                text.append(number: sentences)
                text.append(0x2C)
                text.append(number: number + 1)
                text.append(0x2C)
                text.append(listed, width: 2)
                var written = 0
                while written < 4, index < satellites.count {
                    let satellite = satellites[index]
                    index += 1
                    guard (satellite.signal ?? 0) == 0 else { continue }
                    text.append(0x2C)
                    text.append(GPSDSatelliteNumber.prn(of: satellite.id), width: 2)
                    text.append(0x2C)
                    if let elevation = satellite.elevation { text.append(number: Int(elevation)) }
                    text.append(0x2C)
                    if let azimuth = satellite.azimuth { text.append(Int(azimuth), width: 3) }
                    text.append(0x2C)
                    if let ratio = satellite.carrierToNoise { text.append(Int(ratio), width: 2) }
                    written += 1
                }
            }
        }
    }
}

extension PseudoNMEA {
    /// Writes a sentence: `$`, the body that the closure `body` writes, the checksum and the line end.
    private static func sentence(_ text: inout TextBuffer, _ body: (inout TextBuffer) -> Void) {
        text.append(0x24)
        let start = text.count
        body(&text)
        var checksum: UInt8 = 0
        text.withBytes(start..<text.count) { bytes in
            for index in bytes.indices { checksum ^= bytes[index] }
        }
        text.append(0x2A)
        text.append(hexadecimal(checksum >> 4))
        text.append(hexadecimal(checksum & 15))
        text.append("\r\n" as StaticString)
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x37 + digit }

    private static func appendTimeOfDay(_ fix: Fix, to text: inout TextBuffer) {
        guard fix.isTimeValidated, let time = fix.time else { return }
        let hundredths = Int(time.timeOfDay / 10_000_000)
        text.append(hundredths / 360_000, width: 2)
        text.append(hundredths / 6000 % 60, width: 2)
        text.append(hundredths / 100 % 60, width: 2)
        text.append(0x2E)
        text.append(hundredths % 100, width: 2)
    }

    private static func appendDate(_ time: UTCInstant, to text: inout TextBuffer) {
        let date = time.date
        text.append(Int(date.day), width: 2)
        text.append(Int(date.month), width: 2)
        text.append(Int(date.year % 100), width: 2)
    }

    /// Appends latitude, N or S, longitude, and E or W, with a comma after each.
    private static func appendPosition(_ fix: Fix, to text: inout TextBuffer) {
        guard fix.hasPosition, let latitude = fix.latitude, let longitude = fix.longitude else {
            text.append(",,,," as StaticString)
            return
        }
        appendAngle(latitude, degreeDigits: 2, to: &text)
        text.append(latitude < 0 ? ",S," : ",N," as StaticString)
        appendAngle(longitude, degreeDigits: 3, to: &text)
        text.append(longitude < 0 ? ",W," : ",E," as StaticString)
    }

    /// Writes an angle as `dddmm.mmmmmm`, from a whole number of millionths of a minute, so that minutes never round up
    /// to 60.
    private static func appendAngle(_ degrees: Double, degreeDigits: Int, to text: inout TextBuffer) {
        let units = Int64(saturating: abs(degrees) * 60 * 1e6)
        text.append(Int(clamping: units / 60_000_000), width: degreeDigits)
        text.append(Int(units / 1_000_000 % 60), width: 2)
        text.append(0x2E)
        text.append(Int(units % 1_000_000), width: 6)
    }

    private static func quality(of fix: Fix) -> UInt8 {
        guard fix.hasPosition else { return 0x30 }
        switch fix.quality {
        case .differential: return 0x32
        case .precise: return 0x33
        case .rtkFixed: return 0x34
        case .rtkFloat: return 0x35
        case .deadReckoning: return 0x36
        case .manualInput: return 0x37
        case .simulated: return 0x38
        case .unknown, .invalid, .autonomous, .surveyedTime: return 0x31
        }
    }

    private static func mode(of fix: Fix) -> UInt8 {
        switch fix.quality {
        case .differential: 0x44
        case .precise: 0x50
        case .rtkFixed: 0x52
        case .rtkFloat: 0x46
        case .deadReckoning: 0x45
        case .manualInput: 0x4D
        case .simulated: 0x53
        case .unknown, .invalid, .autonomous, .surveyedTime: 0x41
        }
    }
}
