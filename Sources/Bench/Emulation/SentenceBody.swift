/// A sentence under construction: fields with a comma before each, without `$` and checksum.
struct SentenceBody {
    private(set) var bytes: [UInt8]

    /// Begins with talker and formatter, as in `GNRMC`.
    init(_ address: String) {
        bytes = Array(address.utf8)
    }

    mutating func field(_ text: String = "") {
        bytes.append(UInt8(ascii: ","))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func emptyFields(_ count: Int) {
        for _ in 0..<count { field() }
    }

    /// A whole number with leading zeros up to a width; the field is empty where there is none.
    mutating func field(_ value: Int?, width: Int) {
        field(value.map { Self.digits($0, width: width) } ?? "")
    }

    /// A number with fixed decimals; the field is empty where there is none.
    mutating func field(_ value: Double?, decimals: Int) {
        guard let value else { return field() }
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((abs(value) * Double(scale)).rounded())
        let sign = value < 0 && scaled != 0 ? "-" : ""
        field("\(sign)\(scaled / scale).\(Self.digits(scaled % scale, width: decimals))")
    }

    /// `hhmmss.ss`, cut to hundredths.
    mutating func time(ofDay nanoseconds: Int64) {
        let hundredths = Int(nanoseconds / 10_000_000)
        let seconds = hundredths / 100
        let clock = (seconds / 3600, seconds / 60 % 60, seconds % 60, hundredths % 100)
        field(
            Self.digits(clock.0, width: 2) + Self.digits(clock.1, width: 2) + Self.digits(clock.2, width: 2) + "."
                + Self.digits(clock.3, width: 2)
        )
    }

    /// Degrees and minutes with five decimals, then the hemisphere.
    mutating func coordinate(_ degrees: Double, degreeWidth: Int, positive: String, negative: String) {
        let total = Int((abs(degrees) * 6_000_000).rounded())
        let (whole, minutes) = (total / 6_000_000, total % 6_000_000)
        field(
            Self.digits(whole, width: degreeWidth) + Self.digits(minutes / 100_000, width: 2) + "."
                + Self.digits(minutes % 100_000, width: 5)
        )
        field(degrees < 0 ? negative : positive)
    }

    private static func digits(_ value: Int, width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(width - text.count, 0)) + text
    }
}
