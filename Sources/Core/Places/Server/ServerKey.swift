/// The key under which the geocoder keeps an answer of the server: what was requested, in which language, and at which
/// level of detail.
///
/// Each client has its own answers; a key is looked up only among the keys of one client.
public struct ServerKey: Sendable, Hashable {
    public enum Subject: Sendable, Hashable {
        /// A request for the names of a point: the grid cell in which the point lies, and the point's coordinates in
        /// hundred-thousandths of a degree.
        case cell(row: Int, column: Int, latitudeE5: Int, longitudeE5: Int)
        /// A request for the places with a name: the folded words (lower-case, without marks), and the circle whose
        /// places come first.
        case text(String)
    }

    public var subject: Subject
    /// The language of the answer; empty for the server's default language.
    public var language: String
    public var level: ServerLevel

    /// The side of a cell of the grid in degrees; it is 55 m of latitude.
    static let cell = 0.0005
    /// The radius in metres that stands for every larger one, because a circle of this radius covers the whole globe.
    private static let widest = 20_100_000.0
    /// The distance in metres between two points within which the answer for one is also used for the other.
    public static let reach = 30.0

    public init(_ question: ServerQuestion) {
        language = question.language ?? ""
        level = question.level
        switch question.subject {
        case .reverse(let latitude, let longitude):
            subject = .cell(
                row: Int((latitude / ServerKey.cell).rounded(.down)),
                column: Int((longitude / ServerKey.cell).rounded(.down)),
                latitudeE5: Int((latitude * 100_000).rounded()), longitudeE5: Int((longitude * 100_000).rounded()))
        case .forward(let text, let near):
            let words = FoldedText(text).words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
            let circle = near.map { near in
                let point = [near.latitude, near.longitude].map(ServerQuestion.decimal).joined(separator: ",")
                return "\(point),\(Int(min(near.radius, ServerKey.widest)))"
            }
            subject = .text(words + (circle.map { "|\($0)" } ?? ""))
        }
    }

    /// The rows and columns of grid cells that can contain a point within `reach` of this key's point.
    ///
    /// These are the cell's own row and one more to each side, and its own column and one more to each side or, near
    /// the poles, several.
    public var cellsNear: (rows: ClosedRange<Int>, columns: ClosedRange<Int>)? {
        guard case .cell(let row, let column, let latitude, _) = subject else { return nil }
        let width =
            ServerKey.cell * ServerQuestion.metresPerDegree
            * UnitVector(latitude: Double(latitude) / 100_000, longitude: 0).x
        let columns = Int(min(64, (ServerKey.reach / max(width, 0.1)).rounded(.up)))
        return (row - 1...row + 1, column - columns...column + columns)
    }

    /// Whether the answer for another point, given in hundred-thousandths of a degree, is also valid for this key's
    /// point.
    public func holds(latitudeE5: Int, longitudeE5: Int) -> Bool {
        guard case .cell(_, _, let latitude, let longitude) = subject else { return false }
        let here = UnitVector(latitude: Double(latitude) / 100_000, longitude: Double(longitude) / 100_000)
        let there = UnitVector(latitude: Double(latitudeE5) / 100_000, longitude: Double(longitudeE5) / 100_000)
        return here.distance(to: there) <= ServerKey.reach
    }
}
