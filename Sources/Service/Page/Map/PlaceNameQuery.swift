internal import PlaceTable
internal import SextantJSON
internal import SextantPlaces

/// The names of places near some points, from the installed tables of places.
///
/// The tables are opened for one request and closed after it, so that a page that is not asked for names holds no
/// memory for them.
struct PlaceNameQuery {
    /// The largest number of points in one request.
    static let longest = 64

    /// Degrees north and east.
    private let points: [(latitude: Double, longitude: Double)]

    /// - Parameter text: The points, separated by semicolons; each is a latitude and a longitude, separated by a comma.
    init(_ text: String) throws(Refusal) {
        let pairs = text.split(separator: ";").map { $0.split(separator: ",").compactMap { Double($0) } }
        let isOnGlobe = pairs.allSatisfy { $0.count == 2 && PlaceRules.isPlace(latitude: $0[0], longitude: $0[1]) }
        guard (1...PlaceNameQuery.longest).contains(pairs.count), isOnGlobe else {
            throw Refusal(400, "at: 1 to \(PlaceNameQuery.longest) points, such as 47.4,8.5;47.1,7.2.")
        }
        points = pairs.map { ($0[0], $0[1]) }
    }

    /// The answer for the viewer: a name for each point, and the attribution that the data's licences demand.
    ///
    /// A name is like "near Oerlikon, Zürich", or null if nothing is known. The list is empty if no table can be read.
    func answer(_ tables: PlaceTables = PlaceTables()) -> [UInt8] {
        guard let found = try? tables.tables() else { return PageText.list("near", []) }
        let names = points.map { point -> [UInt8] in
            let mark = try? tables.reverse(latitude: point.latitude, longitude: point.longitude)
            return Array((mark?.near.map { JSONValue.quoted($0) } ?? "null").utf8)
        }
        let sources = Set(found.map(\.about.attribution)).sorted().joined(separator: " ")
        return PageText.list("near", names, more: ",\"attribution\":\(JSONValue.quoted(sources))")
    }
}

extension PageService {
    func sendNames(_ exchange: Exchange) throws(Refusal) {
        exchange.answer(
            200, try PlaceNameQuery(exchange.query("at") ?? "").answer(), type: PageText.json, headers: PageText.noStore
        )
    }
}
