/// The key by which a kept answer of the server is found: what was requested, in which language, and in which detail.
///
/// Each client has its own answers; a key is looked up only among those of one client.
public struct ServerKey: Sendable, Hashable {
    public enum Subject: Sendable, Hashable {
        /// A request for the names of a point: the grid cell that the point lies in, and the point in
        /// hundred-thousandths of a degree.
        case cell(row: Int, column: Int, latitudeE5: Int, longitudeE5: Int)
        /// A request for the places with a name: the words in the form for comparisons, and the circle whose places
        /// come first.
        case text(String)
    }

    public var subject: Subject
    /// The language of the answer; empty for the server's default language.
    public var language: String
    public var level: ServerLevel

    /// The side of a cell of the grid in degrees; it is 55 m of latitude.
    static let cell = 0.0005
    /// The radius in metres above which a circle covers the whole globe.
    private static let widest = 20_100_000.0
    /// The distance in metres within which the answer for one point is also used for another.
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

    /// The grid cells that can contain a point within `reach` of this key's point.
    ///
    /// These are one more to each side, and more columns near the poles.
    public var cellsNear: (rows: ClosedRange<Int>, columns: ClosedRange<Int>)? {
        guard case .cell(let row, let column, let latitude, _) = subject else { return nil }
        let width =
            ServerKey.cell * ServerQuestion.metresPerDegree
            * UnitVector(latitude: Double(latitude) / 100_000, longitude: 0).x
        let columns = Int(min(64, (ServerKey.reach / max(width, 0.1)).rounded(.up)))
        return (row - 1...row + 1, column - columns...column + columns)
    }

    /// Whether the answer for another point, in hundred-thousandths of a degree, is also valid for this key's point.
    public func holds(latitudeE5: Int, longitudeE5: Int) -> Bool {
        guard case .cell(_, _, let latitude, let longitude) = subject else { return false }
        let here = UnitVector(latitude: Double(latitude) / 100_000, longitude: Double(longitude) / 100_000)
        let there = UnitVector(latitude: Double(latitudeE5) / 100_000, longitude: Double(longitudeE5) / 100_000)
        return here.distance(to: there) <= ServerKey.reach
    }
}
