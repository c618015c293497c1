/// An NMEA sentence under construction, without `$` and checksum; each field begins with a comma.
///
/// One object is used for all sentences, so that its memory is allocated only once.
struct SentenceBody {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(96) }

    /// Discards the previous sentence and begins a new one with talker and formatter, as in `GNRMC`.
    mutating func begin(_ talker: String, _ formatter: String = "") {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: talker.utf8)
        bytes.append(contentsOf: formatter.utf8)
    }

    mutating func field(_ text: String = "") {
        bytes.append(UInt8(ascii: ","))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func emptyFields(_ count: Int) {
        for _ in 0..<count { field() }
    }

    /// Adds a whole number with leading zeros up to a width; the field stays empty if the number is nil.
    mutating func field(_ value: Int?, width: Int) {
        field()
        if let value { digits(value, width: width) }
    }

    /// Adds a number with fixed decimals; the field stays empty if the number is nil.
    mutating func field(_ value: Double?, decimals: Int) {
        field()
        guard let value else { return }
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((abs(value) * Double(scale)).rounded())
        if value < 0, scaled != 0 { bytes.append(UInt8(ascii: "-")) }
        digits(scaled / scale, width: 1)
        bytes.append(UInt8(ascii: "."))
        if decimals > 0 { digits(scaled % scale, width: decimals) }
    }

    /// Adds a time of day as `hhmmss.ss`, truncated to hundredths.
    mutating func time(ofDay nanoseconds: Int64) {
        let hundredths = Int(nanoseconds / 10_000_000)
        let seconds = hundredths / 100
        field()
        digits(seconds / 3600, width: 2)
        digits(seconds / 60 % 60, width: 2)
        digits(seconds % 60, width: 2)
        bytes.append(UInt8(ascii: "."))
        digits(hundredths % 100, width: 2)
    }

    /// Adds a coordinate as degrees and minutes with five decimals, then its hemisphere.
    mutating func coordinate(_ degrees: Double, degreeWidth: Int, positive: String, negative: String) {
        let total = Int((abs(degrees) * 6_000_000).rounded())
        let (whole, minutes) = (total / 6_000_000, total % 6_000_000)
        field()
        digits(whole, width: degreeWidth)
        digits(minutes / 100_000, width: 2)
        bytes.append(UInt8(ascii: "."))
        digits(minutes % 100_000, width: 5)
        field(degrees < 0 ? negative : positive)
    }

    private mutating func digits(_ value: Int, width: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        var (power, count) = (1 as UInt, 1)
        while count < width || magnitude / power >= 10 {
            power *= 10
            count += 1
        }
        while power > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(magnitude / power % 10))
            power /= 10
        }
    }
}
