/// The ground at a point by the coarse cells of a table: the sea, or the land of a country.
public enum Ground: Sendable, Hashable {
    case sea
    /// The sea within 12 nautical miles of land, as near as the cells tell: the nearest place tells whose waters they are.
    case territorialSea
    /// A coast or a border is near, or the cells do not know the country: the nearest place tells it.
    case undecided
    /// The id of the country's area.
    case country(UInt16)

    /// Whether this is the sea, in a country's waters or beyond them.
    var isSea: Bool { self == .sea || self == .territorialSea }
}

/// The cells in which a table tells land from sea and one country from another: 0.02° wide and high, 2.2 km or less.
///
/// A row of cells is kept as its runs from the west, from 180° W on. A run is two numbers: how many cells it has, and what
/// they are: 0 sea, 1 undecided, 2 to 65 537 the id of a country's area and 2, 65 538 territorial sea. A number has 7 bits
/// a byte, the lowest first; all bytes of a number but the last have the highest bit set.
public enum LandCells {
    /// Cells in a degree.
    static let perDegree = 50.0
    /// Cells in a row.
    static let columns = 18_000
    /// Rows, the first of which is the southernmost.
    static let rows = 9000
    /// The number of the territorial sea, behind those of all countries.
    private static let territorialSea = 65_538

    /// The row of a latitude in degrees.
    public static func row(latitude: Double) -> Int { min(rows - 1, Int((latitude + 90) * perDegree)) }

    /// The ground at a longitude in degrees.
    ///
    /// Undecided where the row ends too soon, as one of a damaged table does.
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

    /// A number of three bytes at most; nil where there is none.
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
