internal import ArgumentParser
internal import GeocoderClient
internal import SextantJSON
internal import SextantPlaces

/// `sextant geocode`.
struct Geocode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "geocode",
        abstract: "Find the place of a name, or with --reverse the names of a point.",
        discussion: """
            The answers are those of the server that /etc/sextant/sextant.json5 names, where sextant-geocoder.socket \
            is enabled and it answers (© OpenStreetMap contributors); else those of the installed tables of places, best \
            first. There a place of the name with more people comes first, and before all those in the circle of \
            --region. Words beside a name must be its country, state, county or a city near it. What is found for a \
            part of the words alone is marked as partial.

            Exit status: 0, too where nothing is found, which is said on standard error; 64 for usage; 65 where a \
            table is damaged; 69 where there is none and no server answers; 75 where the server was asked too often.
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The name, as one word or several; a latitude and a longitude.", valueName: "query"))
    var query: [String] = []

    @Flag(help: "Name a point: a latitude and a longitude in degrees.")
    var reverse = false

    @Flag(help: "Print JSON, an object for each place.")
    var json = false

    @Option(help: ArgumentHelp("At most this many places, 1 to 10.", valueName: "count"))
    var limit = PlaceQuestion.maximumAnswers

    @Option(
        help: ArgumentHelp(
            "Name countries in this language, such as de, pt-BR or zh-Hant, and ask the server in it.",
            valueName: "language"))
    var language: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Places in this circle come first.", valueName: "latitude,longitude,radius"))
    var region: String?

    @Flag(help: "Ask the tables alone, and no server.")
    var local = false

    func validate() throws {
        guard (1...PlaceQuestion.maximumAnswers).contains(limit) else {
            throw ValidationError("--limit must be from 1 to \(PlaceQuestion.maximumAnswers)")
        }
        _ = try hint()
        if reverse {
            _ = try PointArguments(query)
        } else {
            guard try Operands(query).words.contains(where: { $0.contains { $0 != " " } }) else {
                throw ValidationError("give the name of a place, or --reverse with a latitude and a longitude")
            }
        }
    }

    func run() throws {
        let point = reverse ? try PointArguments(query) : nil
        let text = try Operands(query).words.joined(separator: " ")
        let hint = try hint()
        try CommandFailure.reporting { () throws(CommandFailure) in
            let places = LocalPlaces()
            if !local, let found = try serverPlaces(point, text, hint, places) { return try tell(found, text) }
            if let failure = places.failure { throw failure }
            if let point {
                let found = try places.reverse(point.latitude, point.longitude).map { [$0] } ?? []
                return try tell(found, text)
            }
            let question = PlaceQuestion(text, hint: hint, limit: limit)
            switch try places.forward(question) {
            case .places(let found): try tell(found, text)
            case .partial(let found): try tell(found, text, isPartial: true)
            case .nothing: try tell([], text)
            }
        }
    }

    /// Asks the board's geocoding service for the places; nil if it has no answer, so that the place tables on the
    /// board must answer.
    private func serverPlaces(
        _ point: PointArguments?, _ text: String, _ hint: PlaceQuestion.Hint?, _ places: LocalPlaces
    ) throws(CommandFailure) -> [Placemark]? {
        let socket = GeocoderSocket.installed
        guard socket.isThere else { return nil }
        let asked = point.map { (latitude: $0.latitude, longitude: $0.longitude) }
        let subject: ServerQuestion.Subject =
            asked.map { .reverse(latitude: $0.latitude, longitude: $0.longitude) }
            ?? .forward(text: text, near: hint)
        switch socket.ask(ServerQuestion(subject, language: language), until: socket.deadline()) {
        case .places(let marks)? where !marks.isEmpty:
            return places.completed(Array(marks.prefix(asked == nil ? limit : 1)), of: asked)
        case .tooMany(let seconds)?:
            throw .later(
                "too many lookups for the server; it takes more in \(Int(seconds.rounded(.up))) s, and --local asks the "
                    + "tables alone")
        default: return nil
        }
    }

    private func hint() throws -> PlaceQuestion.Hint? {
        guard let region else { return nil }
        let numbers = region.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1], let radius = numbers[2],
            let hint = PlaceQuestion.Hint(latitude: latitude, longitude: longitude, radius: radius)
        else {
            throw ValidationError(
                "--region \(region): give degrees north, degrees east and metres, such as 47.4,8.5,5000")
        }
        return hint
    }

    private func tell(
        _ marks: [Placemark], _ text: String, isPartial: Bool = false
    ) throws(CommandFailure) {
        let countries = language.map(CountryNames.init)
        for var mark in marks {
            if let code = mark.isoCountryCode, let name = countries?.name(of: code) { mark.country = name }
            guard json else {
                try StandardOutput.write(line: PlacemarkLines.text(of: mark))
                continue
            }
            var members = PlacemarkLines.members(of: mark)
            if isPartial { members["partial"] = .bool(true) }
            try StandardOutput.write(line: JSONValue.object(members).text)
        }
        if marks.isEmpty { StandardError.write("sextant: nothing is found for \(text)") }
        if isPartial, !marks.isEmpty {
            StandardError.write("sextant: only a part of \(text) is found; the rest is not in the tables")
        }
    }
}

/// Placemarks as lines of text for the user, and as members of a JSON object.
enum PlacemarkLines {
    static func text(of mark: Placemark) -> String {
        var parts: [String] = []
        let street = [mark.thoroughfare, mark.subThoroughfare].compactMap(\.self).joined(separator: " ")
        let names = [
            mark.name, street.isEmpty ? nil : street, mark.subLocality, mark.locality, mark.subAdministrativeArea,
            mark.administrativeArea, mark.country,
        ]
        for name in names.compactMap(\.self) where parts.last != name { parts.append(name) }
        let point = "\(Text.fixed(mark.latitude, 5)), \(Text.fixed(mark.longitude, 5))"
        return "\(parts.joined(separator: ", ")): \(point), ± \(Text.fixed(mark.radius, 0)) m"
    }

    /// The members of a placemark's JSON object, named as the `CLPlacemark` properties are.
    static func members(of mark: Placemark) -> [String: JSONValue] {
        var members = mark.members
        members["horizontalAccuracy"] = members["radius"]
        if mark.source == .server { members["attribution"] = .string(ServerAnswer.attribution) }
        return members
    }
}
