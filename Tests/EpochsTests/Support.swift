import Epochs
import GNSS
import NMEA0183
import SextantUnits
import Testing
import UBX

/// Hears messages as a line would bring them, and keeps the epochs that come of them.
struct Listener {
    private var assembler: EpochAssembler
    private(set) var epochs: [Epoch] = []
    private var now = MonotonicInstant.zero

    init(reference: DateReference = .near(day(2026, 9, 20)), source: EpochSource = .line) {
        assembler = EpochAssembler(reference: reference, source: source)
    }

    var isOpen: Bool { assembler.isOpen }

    /// Hears sentences by their bodies, a millisecond apart.
    mutating func hear(_ bodies: [String]) throws {
        for body in bodies {
            var bytes: [UInt8] = []
            NMEAEncoder.append(body, to: &bytes)
            bytes.removeLast(2)
            var fields = NMEAFields()
            let match = NMEAFraming.match(bytes.span, fields: &fields)
            try #require(match == .sentence(length: bytes.count), "\(body)")
            tick()
            guard (try? assembler.push(fields, in: bytes.span, at: now)) != nil else { continue }
            collect()
        }
    }

    mutating func hear(_ bodies: String...) throws { try hear(bodies) }

    mutating func hear(_ message: some UBXMessage) throws {
        var payload: [UInt8] = []
        message.appendPayload(to: &payload)
        try hear(type(of: message).messageID, payload)
    }

    mutating func hear(_ id: UBXMessageID, _ payload: [UInt8]) throws {
        tick()
        try assembler.push(id, payload: payload.span, at: now)
        collect()
    }

    mutating func hear(satellites: [Satellite], timeOfWeek: UInt32) throws {
        var frame: [UInt8] = []
        NavSAT.encode(timeOfWeekMilliseconds: timeOfWeek, satellites: satellites.span, into: &frame)
        try hear(.navSAT, Array(frame[UBXFraming.payloadRange(frameLength: frame.count)]))
    }

    mutating func setReference(_ reference: DateReference) { assembler.setReference(reference) }

    /// Lets seconds pass without a byte.
    mutating func pause(seconds: Int64) { now = now.advanced(byNanoseconds: seconds * 1_000_000_000) }

    mutating func silence() {
        assembler.silence()
        collect()
    }

    mutating func finish() {
        assembler.finish()
        collect()
    }

    private mutating func tick() { now = now.advanced(byNanoseconds: 1_000_000) }

    private mutating func collect() {
        for index in assembler.closedEpochs { epochs.append(assembler.closed(index)) }
    }
}

func day(_ year: Int32, _ month: UInt8, _ day: UInt8, seconds: Int64 = 0) -> UTCInstant {
    // A date written in a test exists.
    UTCInstant(date: CivilDate(year: year, month: month, day: day) ?? CivilDate(daysSince1970: 0), timeOfDay: 0)
        .advanced(byNanoseconds: seconds * 1_000_000_000)
}

/// `hhmmss.ss` of a second of the day and hundredths.
func clock(_ second: Int, _ hundredths: Int = 0) -> String {
    [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined() + "." + twoDigits(hundredths)
}

private func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

let position = "4717.11437,N,00833.91522,E"
let latitude = 47.2852395
let longitude = 8.565253666666667

func rmc(_ time: String, date: String = "200926", valid: Bool = true) -> String {
    valid ? "GPRMC,\(time),A,\(position),10.0,77.52,\(date),,,A" : "GPRMC,\(time),V,,,,,,,\(date),,,N"
}

func gga(
    _ time: String, quality: Int = 1, satellites: Int = 8, dilution: String = "1.01", altitude: String = "499.6"
) -> String {
    "GPGGA,\(time),\(position),\(quality),\(satellites),\(dilution),\(altitude),M,48.0,M,,"
}

func gll(_ time: String) -> String { "GPGLL,\(position),\(time),A,A" }
let vtg = "GPVTG,77.52,T,,M,10.0,N,18.52,K,A"
let gsa = "GPGSA,A,3,01,02,03,04,05,,,,,,,,1.94,1.18,1.54"
let gsv = ["GPGSV,2,1,06,01,38,230,44,02,71,156,47,03,29,116,41,04,09,081,36", "GPGSV,2,2,06,05,07,189,30,06,05,220,"]

/// An epoch as u-blox's default output orders it.
func ublox(_ time: String, date: String = "200926") -> [String] {
    [rmc(time, date: date), vtg, gga(time), gsa] + gsv + [gll(time)]
}

/// A NAV-PVT of 2026-09-20, a Sunday: the time of week is the second of the day and the leap seconds.
func pvt(second: Int, millisecond: Int = 0, fixType: FixType = .threeD) -> NavPVT {
    var message = NavPVT()
    message.timeOfWeekMilliseconds = UInt32((second + 18) * 1000 + millisecond)
    (message.year, message.month, message.day) = (2026, 9, 20)
    (message.hour, message.minute) = (UInt8(second / 3600), UInt8(second / 60 % 60))
    message.second = UInt8(second % 60)
    message.nanosecond = Int32(millisecond) * 1_000_000
    message.validityFlags = 7
    message.fixType = fixType
    message.isFixOK = fixType != .noFix
    message.latitudeE7 = 472_852_000
    message.longitudeE7 = 85_652_000
    message.heightAboveEllipsoidMillimetres = 547_000
    message.altitudeAboveMeanSeaLevelMillimetres = 499_000
    message.horizontalAccuracyMillimetres = 1500
    message.groundSpeedMillimetresPerSecond = 5000
    message.courseOverGroundE5 = 7_750_000
    message.satellitesUsed = 9
    return message
}
