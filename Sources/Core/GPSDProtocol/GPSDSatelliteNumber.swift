internal import GNSS

/// The `PRN` that gpsd gives a satellite: its number in NMEA 4.0 where there is one, otherwise a number from gpsd's own
/// ranges.
///
/// Source: gpsd_json(5), SKY, "PRN"; the ranges as gpsd 3.27.5 reports them.
enum GPSDSatelliteNumber {
    @inline(__always)
    static func prn(of id: SatelliteID) -> Int {
        let number = Int(id.number)
        switch id.constellation {
        case .gps: return number
        case .sbas: return number <= 151 ? number - 87 : number
        case .galileo: return 300 + number
        case .beidou: return 400 + number
        case .imes: return 172 + number
        case .qzss: return 192 + number
        case .glonass: return number == 255 ? 0 : 64 + number
        case .navic: return 500 + number
        }
    }
}
