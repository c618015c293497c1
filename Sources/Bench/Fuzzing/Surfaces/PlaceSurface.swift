internal import Glibc
public import PlaceTable
internal import SextantPlaces
internal import SextantUnits

/// The fuzzer's inputs about names of places: requests of clients, answers of a geocoding server, lines of an import,
/// and a damaged table.
///
/// Whatever the input, every placemark that results must be on the globe and must have no empty part.
public final class PlaceSurface {
    /// The number of inputs taken so far, and the number of placemarks that resulted from them.
    public private(set) var inputCount = 0
    public private(set) var placemarkCount = 0
    private let folder: String
    private let table: PlaceTable
    /// The bytes of the undamaged table of places; copies of them are damaged.
    private let bytes: [UInt8]
    private var mutator = Mutator()

    /// - Throws: If a table of some towns cannot be written to the folder for temporary files.
    public init() throws(PlaceTableError) {
        var template = Array("/tmp/sextant-fuzz.XXXXXX".utf8CString)
        // Safety: mkdtemp changes the text in its place.
        guard unsafe mkdtemp(&template) != nil else {
            throw PlaceTableError(.inaccessible(errno: errno), path: "/tmp/sextant-fuzz.XXXXXX")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var writer = PlaceTableWriter(name: "made-up towns")
        for line in PlaceSurface.lines { try writer.add(line: line) }
        _ = try writer.write(to: folder + "/places.sqlite")
        table = try PlaceTable(path: folder + "/places.sqlite")
        bytes = TemporaryFile.read(folder + "/places.sqlite")
    }

    deinit {
        for name in ["/places.sqlite", "/damaged.sqlite"] { unsafe unlink(folder + name) }
        unsafe rmdir(folder)
    }

    // MARK: Inputs

    /// Takes bytes as the text of a request, as a server's answer, as a line of an import, and as a line of the
    /// geocoder's socket.
    public func take(_ bytes: [UInt8]) throws(Violation) {
        inputCount += 1
        try hold(named(String(decoding: bytes, as: UTF8.self), in: table))
        try hold(answered(bytes))
        for head in PlaceSurface.heads {
            var input = PlaceInput()
            _ = try? input.read(line: head)
            for case .boundary(let border) in (try? input.read(line: bytes)) ?? [] {
                _ = border.contains(latitude: 47.4, longitude: 8.54)
            }
        }
        _ = GeocoderRequest(line: bytes)
        if case .places(let marks)? = GeocoderReply(line: bytes) { try hold(marks) }
    }

    private func named(_ text: String, in table: PlaceTable) -> [Placemark] {
        let hint = PlaceQuestion.Hint(latitude: 42.1, longitude: -72.59, radius: 50_000)
        return switch try? table.forward(PlaceQuestion(text, hint: text.utf8.count % 2 == 0 ? hint : nil)) {
        case .places(let found), .partial(let found): found
        case .nothing, nil: []
        }
    }

    private func answered(_ bytes: [UInt8]) -> [Placemark] {
        let subjects: [ServerQuestion.Subject] = [
            .forward(text: "Zürich", near: nil), .reverse(latitude: 47, longitude: 8),
        ]
        return subjects.flatMap { (try? ServerAnswer.places(in: bytes, to: ServerQuestion($0))) ?? [] }
    }

    private func hold(_ found: [Placemark]) throws(Violation) {
        guard found.count <= 2 * PlaceQuestion.maximumAnswers else { throw .tooManyPlaces }
        for place in found {
            placemarkCount += 1
            let isOnGlobe = abs(place.latitude) <= 90 && abs(place.longitude) <= 180
            guard isOnGlobe, place.radius >= 0, place.radius.isFinite else { throw .placeOutOfRange }
            let parts = [
                place.name, place.thoroughfare, place.subThoroughfare, place.locality, place.subLocality,
                place.administrativeArea, place.subAdministrativeArea, place.postalCode, place.isoCountryCode,
                place.country, place.timeZone, place.near,
            ]
            guard !parts.contains("") else { throw .emptyPartOfPlace("\(place)") }
        }
    }

    // MARK: Made-up inputs

    /// Runs the inputs of session `number`; they depend only on the seed and this number.
    public func run(seed: UInt64, number: Int) throws(Violation) {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xA076_1D64_78BD_642F)
        var input: [UInt8] = []
        for _ in 0..<FuzzSession.inputCount {
            input.removeAll(keepingCapacity: true)
            let (seed, other) = (PlaceSurface.seed(&random), PlaceSurface.seed(&random))
            mutator.append(seed, other: other, to: &input, using: &random)
            try take(input)
            try hold(at(PlaceSurface.degrees(&random), PlaceSurface.degrees(&random), in: table))
        }
        try askDamaged(&random)
    }

    private func at(_ latitude: Double, _ longitude: Double, in table: PlaceTable) -> [Placemark] {
        (try? table.reverse(latitude: latitude, longitude: longitude)).flatMap { $0 }.map { [$0] } ?? []
    }

    /// Damages some bytes of the table, and looks up places in it.
    private func askDamaged(_ random: inout SplitMix64) throws(Violation) {
        var damaged = bytes
        for _ in 0...random.below(4) { damaged[random.below(damaged.count)] = random.byte() }
        if random.oneIn(4) { damaged.removeLast(random.below(damaged.count)) }
        TemporaryFile.write(damaged, to: folder + "/damaged.sqlite")
        guard let table = try? PlaceTable(path: folder + "/damaged.sqlite") else { return }
        try hold(at(47.4, 8.54, in: table))
        try hold(named(PlaceSurface.names[random.below(PlaceSurface.names.count)], in: table))
    }

    private static func seed(_ random: inout SplitMix64) -> [UInt8] {
        let texts = random.oneIn(2) ? names : structures
        return Array(texts[random.below(texts.count)].utf8)
    }

    /// An angle that is mostly on the globe, and sometimes an edge value or not a valid angle at all.
    private static func degrees(_ random: inout SplitMix64) -> Double {
        if random.oneIn(8) { return edges[random.below(edges.count)] }
        if random.oneIn(32) { return Double(bitPattern: random.next()) }
        return Double(random.below(360_000_000)) / 1_000_000 - 180
    }

    private static let edges: [Double] = [
        0, -0.0, 90, -90, 180, -180, 179.999_999, 90.000_001, .nan, .infinity, -.infinity, .leastNonzeroMagnitude,
        1e-160,
    ]

    /// The first line of a file of boundaries (GeoJSON) and that of a Nominatim dump, which both can be imported.
    private static let heads = [structures[5], structures[3]].map { Array($0.utf8) }

    private static let names = [
        "Zürich", "Zuerich", "Oerlikon, Zürich", "Цюрих", "苏黎世", "Paris, Texas", "Texas Paris", "Springfield", "Łódź",
        "St. Gallen", "Bahnhofstrasse 1, Zürich", "CHE", "スイス", "\" OR 1=1 --", "NEAR(a b)", "{a}:b",
        "\u{FDFA}\u{FDFA}", "a\u{0}b", "\u{200F}", "e\u{301}\u{301}\u{301}", "𝒵ürich", "ﬁ", "İstanbul", "Ǆ",
        String(repeating: "word ", count: 40),
    ]

    private static let structures = [
        #"{"type":"FeatureCollection","features":[{"type":"Feature","#
            + #""geometry":{"type":"Point","coordinates":[8.54,47.4]},"properties":{"geocoding":{"type":"house","name":"","housenumber":"1","street":"Bahnhofstrasse","#
            + #""city":"Zürich","country":"Schweiz","country_code":"ch"}},"bbox":[8.5,47.3,8.6,47.5]}]}"#,
        #"{"features":[{"properties":{"osm_key":"place","osm_value":"city","name":"Zürich","countrycode":"CH","#
            + #""extent":[8.4,47.4,8.6,47.3]},"geometry":{"coordinates":[8.54,47.37],"type":"Point"}}]}"#,
        #"{"error":"Unable to geocode"}"#,
        #"{"type":"NominatimDumpFile","content":{"version":"0.1.0","generator":"nominatim"}}"#,
        #"{"type":"Place","content":[{"place_id":1,"object_type":"N","object_id":2,"osm_key":"place","#
            + #""osm_value":"house","housenumber":"1","address":{"street":"Bahnhofstrasse","city":"Zürich"},"country_code":"ch","#
            + #""centroid":[8.54,47.37],"bbox":[8.5,47.3,8.6,47.4]}]}"#,
        #"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[8,47],[9,47],[9,48],[8,47]]]},"#
            + #""properties":{"boundary":"administrative","admin_level":"8","name":"Zürich"},"id":"r1"}"#,
    ]

    private static let lines =
        [
            "meta\tkind\ttowns", "meta\tsource\tmade up", "meta\tlicense\tnone", "meta\tattribution\tnone",
            "country\tCH\tSwitzerland\tSchweiz\tスイス", "code\tCH\tCH\tCHE", "country\tFR\tFrance",
            "country\tUS\tUnited States\tUSA", "country\tPL\tPoland", "state\tCH\tZH\tZurich\tZürich",
            "state\tUS\tTX\tTexas", "abbreviation\tUS\tTX\tTX", "county\tCH\tZH\tD\tBezirk Zürich",
            "place\tZürich\t47.36667\t8.55\t415367\tCH\tZH\tD\tEurope/Zurich\t\tZuerich\tЦюрих\t苏黎世",
            "place\tZürich (Kreis 11) / Oerlikon\t47.40823\t8.54258\t17922\tCH\tZH\tD\tEurope/Zurich\t\tOerlikon",
            "place\tParis\t48.85341\t2.3488\t2138551\tFR\t\t\tEurope/Paris\t",
            "place\tParis\t33.66094\t-95.55551\t24782\tUS\tTX\t\tAmerica/Chicago\t",
            "place\tŁódź\t51.77058\t19.47395\t640000\tPL\t\t\tEurope/Warsaw\t",
        ]
        + (0..<600).map { number in
            // Towns all over the globe, ten with each name.
            let latitude = Double(number * 7919 % 1780) / 10 - 89
            let longitude = Double(number * 104_729 % 3600) / 10 - 180
            return "place\tSpringfield \(number / 10)\t\(latitude)\t\(longitude)\t\(number * 997)"
                + "\tUS\tTX\t\tAmerica/Chicago\t"
        }
}

/// Reads and writes whole files in the temporary folder of these inputs; a file that cannot be read counts as empty.
private enum TemporaryFile {
    static func read(_ path: String) -> [UInt8] {
        guard let file = unsafe fopen(path, "r") else { return [] }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = unsafe fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        return bytes
    }

    static func write(_ bytes: [UInt8], to path: String) {
        guard let file = unsafe fopen(path, "w") else { return }
        _ = unsafe fwrite(bytes, 1, bytes.count, file)
        unsafe fclose(file)
    }
}
