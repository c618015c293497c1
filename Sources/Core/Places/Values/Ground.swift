/// What is at a point according to a table's coarse cells: the sea, or the land of a country.
public enum Ground: Sendable, Hashable {
    case sea
    /// The sea within about 12 nautical miles of land; it belongs to the country of the nearest place.
    case territorialSea
    /// A cell near a coast or a border, or of an unknown country; there the nearest place tells the country.
    case undecided
    /// Land of a country, with the id of the country's area.
    case country(UInt16)

    /// Whether this is the sea, in or outside a country's waters.
    var isSea: Bool { self == .sea || self == .territorialSea }
}

/// The grid cells by which a table distinguishes land from sea, and countries from each other.
///
/// A cell is 0.02° wide and high, which is at most 2.2 km. A row of cells is stored as runs of equal cells, from 180° W
/// to the east. A run is two numbers: the count of its cells, and their kind. The kinds are 0 for sea, 1 for undecided,
/// 2 to 65 537 for a country (the id of its area plus 2), and 65 538 for territorial sea. Each byte holds 7 bits of a
/// number, the lowest first; the highest bit is set in all bytes of a number except its last.
public enum LandCells {
    /// The number of cells in a degree.
    static let perDegree = 50.0
    /// The number of cells in a row.
    static let columns = 18_000
    /// The number of rows of cells; the first row is the southernmost.
    static let rows = 9000
    /// The kind of a cell of territorial sea, as it is stored; the numbers that stand for countries are lower.
    private static let territorialSea = 65_538

    /// The row of cells in which a latitude lies, given in degrees.
    public static func row(latitude: Double) -> Int { min(rows - 1, Int((latitude + 90) * perDegree)) }

    /// The land or sea at a longitude in degrees, read from one row of cells.
    ///
    /// The result is "undecided" if the row is too short, which happens only in a damaged table.
    public static func ground(longitude: Double, in row: borrowing Span<UInt8>) -> Ground {
        let column = Int((longitude + 180) * perDegree) % columns
        var (offset, end) = (0, 0)
        while let count = number(at: &offset, in: row), let kind = number(at: &offset, in: row) {
            end += count
            guard column < end else { continue }
            switch kind {
            case 0: return .sea
            case 1: return .undecided
            case territorialSea: return .territorialSea
            default: return UInt16(exactly: kind - 2).map { .country($0) } ?? .undecided
            }
        }
        return .undecided
    }

    /// The bytes of a row's runs.
    public static func bytes(of runs: [(count: Int, ground: Ground)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for run in runs {
            append(run.count, to: &bytes)
            switch run.ground {
            case .sea: append(0, to: &bytes)
            case .undecided: append(1, to: &bytes)
            case .territorialSea: append(territorialSea, to: &bytes)
            case .country(let area): append(Int(area) + 2, to: &bytes)
            }
        }
        return bytes
    }

    /// Reads a number of at most three bytes; nil if the bytes end before the number does, or the number is longer.
    private static func number(at offset: inout Int, in bytes: borrowing Span<UInt8>) -> Int? {
        var value = 0
        for shift in [0, 7, 14] {
            guard offset < bytes.count else { return nil }
            let byte = bytes[offset]
            offset += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
