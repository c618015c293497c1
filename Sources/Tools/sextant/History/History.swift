internal import ArgumentParser
internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient
internal import SextantUnits

/// `sextant history`.
struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the board's track: where it was while a client got locations.",
        discussion: """
            The track is thinned to 10 m; 30 days and 500000 points of it are kept. csv has the columns that sextant \
            track reads; gpx is GPX 1.1 as sextant decode writes it; geojson has one feature for each part of the \
            track, a LineString, or a Point for a part of one point, with start, end and coordTimes. gpx and geojson \
            begin a new part where the board slept and after more than an hour without a point, geojson also at 180 \
            degrees of longitude.

            A time is YYYY-MM-DD or YYYY-MM-DDTHH:MM[:SS], in UTC; --to of a date alone includes that day. For \
            operators, as with sextant clients.

            Exit status: 0, too where there is no track; 64 for usage; 69 where the daemon cannot be reached; 74 \
            where something could not be written; 77 where this command is not an operator's.
            """)

    @Option(
        help: ArgumentHelp(
            "Only points from this time on, such as 2026-11-28 or 2026-11-28T05:25:00Z.", valueName: "time"))
    var from: TimeOption?

    @Option(help: ArgumentHelp("Only points until this time.", valueName: "time"))
    var to: TimeOption?

    @Option(help: "csv, gpx or geojson (default: csv; nothing with --plot alone).")
    var format: HistoryFormat?

    @Option(help: ArgumentHelp("Draw the track and the visits of its time to this file.", valueName: "svg"))
    var plot: String?

    @Flag(help: "Say what town each point is near, where a table of places is installed; with --json.")
    var near = false

    @Flag(help: "Erase the whole track.")
    var erase = false

    @OptionGroup var confirmation: ConfirmationOptions

    @OptionGroup var options: ClientOptions

    func validate() throws {
        if format != nil, options.json { throw ValidationError("give --format or --json, not both") }
        if near, !options.json || erase { throw ValidationError("--near adds a key to the points of --json") }
        if erase, from != nil || to != nil || format != nil || plot != nil {
            throw ValidationError("--erase erases the whole track; leave out --from, --to, --format and --plot")
        }
        if !erase, confirmation.yes { throw ValidationError("--yes needs --erase") }
        if let from, let to, to.last < from.first { throw ValidationError("--to is before --from") }
        if erase { try confirmation.require() }
    }

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            try erase ? eraseAll(&daemon) : show(&daemon)
        }
    }

    private func eraseAll(_ daemon: inout Daemon) throws(CommandFailure) {
        guard confirmation.confirms("the whole track of the board") else { return }
        try daemon.send(DaemonRequest(.eraseHistory))
        let line = try daemon.next([.erased])
        guard !options.json else { return try StandardOutput.write(line.bytes) }
        try StandardOutput.write(line: "erased \(Text.plural(line.number(.count), "point"))")
    }

    private func show(_ daemon: inout Daemon) throws(CommandFailure) {
        let isText = format != nil || (plot == nil && !options.json)
        var text = HistoryText(format: format ?? .csv)
        var picture = plot.map { _ in HistoryPicture() }
        let places = near ? LocalPlaces.forColumns() : nil
        var count = 0
        var page = HistoryPage(next: from?.first)
        repeat {
            page = try HistoryPage.next(from: page.next, to: to?.last, limit: TrackRequest.maximumPoints, &daemon)
            for point in page.points {
                if options.json { try StandardOutput.write(places?.naming(point.line) ?? point.line.bytes) }
                if isText { text.append(point) }
                picture?.add(point)
            }
            count += page.points.count
            try text.flush()
        } while page.hasMore
        guard count > 0 else { return StandardError.write("sextant: \(History.nothing(of: page.total))") }
        if isText { try text.end() }
        guard let plot, var picture else { return }
        let visits = try Visits.list(&daemon)
        try OutputFile.write(Array(picture.svg(with: visits).utf8).span, to: plot)
    }

    private static func nothing(of total: Int) -> String {
        guard total == 0 else {
            return "none of the \(Text.plural(Double(total), "point")) that are kept is from that time"
        }
        return "there is no track; it is recorded while a client gets locations and services are on"
    }
}

/// A point of the track: the line (JSON object) from the daemon, and its decoded values.
struct HistoryPoint {
    var line: DaemonLine
    var time: UTCInstant
    /// The point's latitude and longitude in degrees, WGS 84.
    var latitude: Double
    var longitude: Double
    /// The point's height in metres above mean sea level.
    var altitude: Double?
    /// Whether the board slept just before this point; a line that joined this point to the previous point would then
    /// be wrong.
    var isAfterSleep: Bool

    init?(_ line: DaemonLine) {
        guard let time = line.text(.time).flatMap(UTCInstant.init(iso8601:)), let latitude = line.number(.latitude),
            let longitude = line.number(.longitude)
        else { return nil }
        self.line = line
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        altitude = line.number(.altitude)
        isAfterSleep = line.flag(.afterSleep) == true
    }
}

/// A page of the track: the points that the daemon sends in one answer.
struct HistoryPage {
    var points: [HistoryPoint] = []
    /// The number of points in the whole stored track.
    var total = 0
    var hasMore = false
    /// The time for the member `from` of the request for the next page; nil for the beginning of the track.
    var next: UTCInstant?

    init(next: UTCInstant?) { self.next = next }

    static func next(
        from: UTCInstant?, to: UTCInstant?, limit: Int, _ daemon: inout Daemon
    ) throws(CommandFailure) -> HistoryPage {
        try daemon.send(
            DaemonRequest(.history).with(.limit, limit).with(.from, from?.seconds).with(.to, to?.seconds))
        var page = HistoryPage(next: from)
        while true {
            let line = try daemon.next([.trackPoint, .history])
            guard line.event == .trackPoint else {
                page.total = Int(line.number(.total) ?? 0)
                page.hasMore = line.flag(.more) == true && !page.points.isEmpty
                return page
            }
            guard let point = HistoryPoint(line) else { throw .data("the daemon sent an invalid point") }
            page.points.append(point)
            // The daemon gives times in milliseconds, so the next page begins one millisecond after the last point of
            // this page.
            page.next = point.time.advanced(byNanoseconds: 1_000_000)
        }
    }
}
