internal import GNSS
internal import NMEA0183
internal import SextantUnits
internal import UBX

/// Well-formed messages for the fuzzer to damage: a receiver's epochs, one second apart, across midnight.
struct SeedBank {
    /// The messages of each epoch, one of every kind.
    let epochs: [[[UInt8]]]

    static let epochCount = 64

    init() {
        epochs = (0..<SeedBank.epochCount).map { index in
            SeedBank.sentences(second: (86_370 + index) % 86_400, isNextDay: index >= 30)
                + SeedBank.frames(timeOfWeek: UInt32(86_388 + index) * 1000, index: index)
        }
    }

    private static func sentences(second: Int, isNextDay: Bool) -> [[UInt8]] {
        let time = [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined() + ".00"
        let date = isNextDay ? "210926" : "200926"
        let day = isNextDay ? "21" : "20"
        let position = "4717.11437,N,00833.91522,E"
        return [
            "GNRMC,\(time),A,\(position),0.004,77.52,\(date),,,A,V", "GPRMC,\(time),V,,,,,,,\(date),,,N",
            "GNVTG,77.52,T,,M,0.004,N,0.008,K,A", "GNGGA,\(time),\(position),1,08,1.01,499.6,M,48.0,M,,",
            "GPGGA,\(time),,,,,0,00,99.99,,,,,,", "GNGNS,\(time),\(position),RRN,20,0.7,499.6,48.0,1,0,V",
            "GNGLL,4717.11364,N,00833.91565,E,\(time),A,A", "GNGSA,A,3,23,29,07,08,09,18,26,28,,,,,1.94,1.18,1.54,1",
            "GNGSA,A,3,65,66,67,80,81,82,88,,,,,,1.94,1.18,1.54,2", "GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99",
            "GPGSV,3,1,10,23,38,230,44,29,71,156,47,07,29,116,41,08,09,081,36,1",
            "GPGSV,3,2,10,10,07,189,,05,05,220,,09,34,274,42,18,25,309,44,1",
            "GPGSV,3,3,10,26,82,187,47,28,43,056,46,1",
            "GLGSV,1,1,03,65,38,230,44,66,71,156,47,88,29,116,", "BDGSV,1,1,02,201,38,230,44,202,71,156,47",
            "PQGSV,1,1,02,01,38,230,44,193,71,156,47", "GNGST,\(time),0.032,0.006,0.016,43.0,0.011,0.013,0.031",
            "GNGBS,\(time),1.6,1.4,3.2,,,,,,", "GNZDA,\(time),\(day),09,2026,00,00", "GPHDT,77.52,T", "GPTHS,77.52,A",
            "GPTXT,01,01,02,ANTSTATUS=OK", "GPDTM,W84,,0.0,N,0.0,E,0.0,W84", "GPDTM,999,,0.08,N,0.07,E,-47.7,W84",
            "PUBX,00,\(time),\(position),546.589,G3,2.1,2.0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0",
            "HCHDG,101.1,3.0,E,7.1,W", "HCHDM,238.5,M", "TIROT,-35.6,A", "PTNTHTM,16384,N,182,N,-182,N,8192,2454",
            "OHPR,10.5,-1.5,2.5,21.0,10.0,,,,,,,,,,,,,",
            "PASHR,\(time),195.30,T,-2.50,1.25,-0.04,0.007,0.007,0.066,2,1",
            "PASHR,POS,1,06,\(time),\(position),,331.0,000.7,000.0,02.7,01.2,02.4,01.6,UC00",
            "PSTI,030,\(time),A,\(position),103.323,0.25,-0.50,0.75,\(date),R,1.2,4.2",
            "PSTI,036,\(time),\(date),191.69,-16.35,0.25,R", "PGRME,15.0,M,45.0,M,25.0,M", "PGRMZ,1640,f,3",
            "PGRMF,290,293895,\(date),\(time),13,\(position),A,2,36,226,2,1", "PSRFEPE,\(time),A,0.4,6.29,5.3,0.1,1",
            "PMTK001,604,3", "PAIR001,004,0", "PCAS03,1,1", "AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0",
        ].map(sentence)
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

    private static func sentence(_ body: String) -> [UInt8] {
        var bytes: [UInt8] = []
        NMEAEncoder.append(body, to: &bytes)
        return bytes
    }

    private static func frames(timeOfWeek: UInt32, index: Int) -> [[UInt8]] {
        var frames: [[UInt8]] = [solution(timeOfWeek: timeOfWeek, index: index).frame]
        // The time of week is at the payload's offset 0, except in NAV-HPPOSLLH, where it is at offset 4.
        for (id, count) in layouts {
            var payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ index) }
            let place = id == .navHPPOSLLH ? 4 : 0
            if id.messageClass == 0x01 {
                for byte in 0..<4 {
                    payload[place + byte] = UInt8(truncatingIfNeeded: timeOfWeek >> (8 * UInt32(byte)))
                }
            }
            patch(&payload, id)
            var frame: [UInt8] = []
            UBXEncoder.append(id, payload: payload.span, into: &frame)
            frames.append(frame)
        }
        var sky: [UInt8] = []
        NavSAT.encode(timeOfWeekMilliseconds: timeOfWeek, satellites: satellites.span, into: &sky)
        var items: [UInt8] = []
        CfgVALGET.encode(
            layer: .ram, position: 0, items: [UBXConfigurationItem(key: .uart1Baud, value: 9600)].span, into: &items)
        frames.append(sky)
        frames.append(items)
        return frames
    }

    private static func solution(timeOfWeek: UInt32, index: Int) -> NavPVT {
        var pvt = NavPVT()
        pvt.timeOfWeekMilliseconds = timeOfWeek
        pvt.year = 2026
        pvt.month = 9
        pvt.day = index >= 30 ? 21 : 20
        let second = (86_370 + index) % 86_400
        pvt.hour = UInt8(second / 3600)
        pvt.minute = UInt8(second / 60 % 60)
        pvt.second = UInt8(second % 60)
        pvt.validityFlags = 7
        pvt.fixType = .threeD
        pvt.isFixOK = true
        pvt.latitudeE7 = 472_852_395
        pvt.longitudeE7 = 85_652_537
        pvt.satellitesUsed = 9
        pvt.horizontalAccuracyMillimetres = 1500
        return pvt
    }

    private static let satellites: [Satellite] = (1...12).map { number in
        var satellite = Satellite(id: SatelliteID(number % 2 == 0 ? .gps : .glonass, UInt8(number)), isUsed: true)
        satellite.elevation = Int16(number * 7)
        satellite.azimuth = Int16(number * 29)
        satellite.carrierToNoise = 40
        return satellite
    }

    /// Payload lengths that the decoders accept, by message.
    private static let layouts: [(UBXMessageID, Int)] = [
        (.navPOSECEF, 20), (.navPOSLLH, 28), (.navSTATUS, 16), (.navDOP, 18), (.navSOL, 52), (.navPVT, 84),
        (.navVELECEF, 20), (.navVELNED, 36), (.navHPPOSLLH, 36), (.navTIMEGPS, 16), (.navTIMEUTC, 20),
        (.navTIMELS, 24), (.navSVINFO, 8 + 12 * 3), (.navEOE, 4), (.hnrPVT, 72),
        (.monVER, 100), (.monRXR, 1), (.ackAck, 2), (.ackNak, 2), (.mgaACK, 8),
        (.mgaDBD, 80), (.mgaINI, 24), (.mgaINI, 20), (.updSOS, 8), (.cfgPRT, 20), (.cfgNAV5, 36), (.cfgPM2, 48),
        (.cfgRST, 4), (.cfgRXM, 2), (.cfgRATE, 6), (.cfgMSG, 3), (.cfgCFG, 13), (.cfgVALSET, 9), (.rxmPMREQ, 16),
    ]

    /// Sets the fields that must have certain values for the decoder to accept the payload.
    private static func patch(_ payload: inout [UInt8], _ id: UBXMessageID) {
        switch id {
        case .navSOL: payload[10] = 3
        case .navSTATUS: payload[4] = 3
        case .navPVT: payload[20] = 3
        case .hnrPVT: payload[16] = 3
        case .navHPPOSLLH: (payload[0], payload[3]) = (0, 0)
        case .navTIMELS: payload[4] = 0
        case .navSVINFO: payload[4] = 3
        case .cfgVALSET: (payload[0], payload[1]) = (0, 1)
        case .mgaINI: (payload[0], payload[1]) = (payload.count == 24 ? 0x10 : 0x01, 0)
        default: break
        }
    }
}
