internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient
internal import SextantJSON
internal import SextantPlaces

/// `sextant where`.
struct Where: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "where",
        abstract: "Say in words where the board is, or where a point is.",
        discussion: """
            Without a point it tells the last location that the daemon has; the receiver is not switched on for it. \
            With a point it needs no daemon. The names are those of the installed tables of places.

            Exit status: 0; 64 for usage; 65 where a table is damaged; 69 where the daemon cannot be reached, or \
            where a point is asked about and there is no table; 75 where no location is known yet; 77 where it may \
            not tell.
            """)

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("A latitude and a longitude in degrees.", valueName: "degrees"))
    var point: [String] = []

    @Flag(help: "Add the country.")
    var country = false

    @OptionGroup var options: ClientOptions

    func validate() throws {
        if !point.isEmpty { _ = try PointArguments(point) }
    }

    func run() throws {
        let places = LocalPlaces()
        guard !point.isEmpty else {
            return try options.run { daemon throws(CommandFailure) in
                let location = try lastLocation(&daemon)
                if let failure = places.failure { StandardError.write("sextant: no names: \(failure.message)") }
                try tell(location, places)
            }
        }
        let point = try PointArguments(point)
        try CommandFailure.reporting { () throws(CommandFailure) in
            if let failure = places.failure { throw failure }
            try tell(ToldLocation(latitude: point.latitude, longitude: point.longitude), places)
        }
    }

    /// The newest location that this command is allowed to see.
    private func lastLocation(_ daemon: inout Daemon) throws(CommandFailure) -> ToldLocation {
        _ = try DaemonAccess.required(&daemon)
        if let known = daemon.hello.object(.location).flatMap(ToldLocation.init) { return known }
        // The daemon sent its first line before the authorization, so that line has no location; the first line of a
        // new connection can have one.
        let again = try Daemon(path: options.socket)
        if let known = again.hello.object(.location).flatMap(ToldLocation.init) { return known }
        try daemon.send(DaemonRequest(.status))
        let reason = PositionStatus.reason(of: try daemon.next([.status]))
        throw .later("the daemon has no location yet; \(reason ?? "sextant locate waits for one")")
    }

    private func tell(_ location: ToldLocation, _ places: LocalPlaces) throws(CommandFailure) {
        let mark = places.failure == nil ? try places.reverse(location.latitude, location.longitude) : nil
        if options.json {
            var members = mark.map(PlacemarkLines.members) ?? [:]
            for (key, value) in location.members { members[key] = value }
            return try StandardOutput.write(line: JSONValue.object(members).text)
        }
        var words = mark?.near
        if country, let near = words, let name = mark?.country { words = "\(near), \(name)" }
        try StandardOutput.write(line: "\(words.map { "\($0): " } ?? "")\(location.text)")
    }
}

/// A location that the command describes in words.
private struct ToldLocation {
    let latitude: Double
    let longitude: Double
    private let accuracy: Double?
    private let age: Double?

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
        accuracy = nil
        age = nil
    }

    init?(_ line: DaemonLine) {
        guard let latitude = line.number(.latitude), let longitude = line.number(.longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        accuracy = line.number(.horizontalAccuracy)
        age = line.number(.age)
    }

    var text: String {
        var parts = ["\(Text.fixed(latitude, 5)), \(Text.fixed(longitude, 5))"]
        if let accuracy { parts.append("± \(Text.fixed(accuracy, 0)) m") }
        if let age { parts.append("\(ToldLocation.words(forSeconds: age)) ago") }
        return parts.joined(separator: ", ")
    }

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = ["latitude": .number(latitude), "longitude": .number(longitude)]
        if let accuracy { members["horizontalAccuracy"] = .number(accuracy) }
        if let age { members["age"] = .number(age) }
        return members
    }

    private static func words(forSeconds seconds: Double) -> String {
        switch seconds {
        case ..<100: "\(Text.fixed(seconds, 0)) s"
        case ..<6000: "\(Text.fixed(seconds / 60, 0)) min"
        case ..<172_800: "\(Text.fixed(seconds / 3600, 0)) h"
        default: "\(Text.fixed(seconds / 86_400, 0)) days"
        }
    }
}

/// A latitude and a longitude among a command's arguments, where "-33.9" is a number and not an option.
struct PointArguments {
    let latitude: Double
    let longitude: Double

    init(_ arguments: [String]) throws {
        let words = try Operands(arguments).words
        let numbers = words.map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }.map { Double($0) }
        guard words.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
            throw ValidationError("give a latitude and a longitude in degrees, such as 47.41 8.54")
        }
        guard (-90...90).contains(latitude) else {
            throw ValidationError("the latitude \(words[0]) is outside -90 to 90")
        }
        guard (-180...180).contains(longitude) else {
            throw ValidationError("the longitude \(words[1]) is outside -180 to 180")
        }
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// The operands of a command: its arguments without the options.
///
/// Negative numbers count as operands, and so do all arguments after `--`.
struct Operands {
    let words: [String]

    init(_ arguments: [String]) throws {
        let parts = arguments.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false)
        if let option = parts[0].first(where: Operands.isOption) {
            throw ValidationError("Unknown option '\(option)'")
        }
        words = parts.flatMap { $0 }
    }

    /// Whether an argument begins with a hyphen as an option does, without being a negative number.
    private static func isOption(_ word: String) -> Bool {
        word.hasPrefix("-") && word.count > 1 && Double(word.hasSuffix(",") ? String(word.dropLast()) : word) == nil
    }
}
