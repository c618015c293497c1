internal import ArgumentParser
internal import Beacons
internal import Configuration
internal import Fusion
internal import Monitors
internal import Pictures
internal import SextantUnits

/// `sextant track`.
struct TrackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Run fusion and monitors on tables of fixes and advertisements: print what happened in order.",
        discussion: """
            Reads fixes as sextant decode --format csv writes them, by the names of their columns: time (Unix \
            seconds), latitude, longitude, and if known altitude, horizontalAccuracy, verticalAccuracy, speed, \
            course. Prints JSON, an object a line, in the order in which things become known: location; regionEnter, \
            regionExit, regionDwell; visitArrival, visitDeparture; significantChange. time, arrival and departure \
            are when something happened; confirmed is the time of the fix or the timer that made it known. \
            Impossible fixes are skipped, and counted on standard error.

            Regions are GeoJSON: Polygon, MultiPolygon, or Point with the property radius (m); id or the property id \
            names one; the properties dwell (s), notifyOnEntry and notifyOnExit are read.

            Advertisements of beacons, as a scanner heard them, have the columns time, uuid, major, minor, and if \
            known rssi, measuredPower (both dBm) and address (of the sender); one without rssi is heard all the \
            same. Both tables are merged by their times. Printed are: beacons, once a second, the nearest first, as \
            the daemon ranges them, and once that none is near; regionEnter and regionExit of each --beacon, with its \
            name as given; regionDetermined, the first state known, which is no entry. A recording has no radio's \
            duty: it is taken as listening all the time from the first row to the last, and the board as at rest. \
            Advertisements that stand behind later rows are skipped, and counted on standard error. A flight \
            recording holds the radio's own bytes, with its duty: sextant replay runs it.

            Exit status: 0; 64 for usage; 65 for a file that is not a table of fixes, one of advertisements, or not \
            GeoJSON of regions; 74 where a file could not be read or written.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The fixes; - is standard input. May be left out with --advertisements.", valueName: "fixes.csv"))
    var fixes: String?

    @Option(help: ArgumentHelp("Advertisements of beacons; - is standard input.", valueName: "csv"))
    var advertisements: String?

    @Option(
        help: ArgumentHelp(
            "Tell these beacons alone, and their reach as a region; several may be given.",
            valueName: "UUID[,MAJOR[,MINOR]]"))
    var beacon: [BeaconArgument] = []

    @Option(help: ArgumentHelp("Watch these regions.", valueName: "geojson"))
    var regions: String?

    @Flag(help: "Look for visits.")
    var visits = false

    @Flag(help: "Look for significant changes: 500 m and 5 minutes.")
    var significant = false

    @Option(help: ArgumentHelp("Draw the track, regions and visits to this file.", valueName: "svg"))
    var plot: String?

    func validate() throws {
        guard fixes != nil || advertisements != nil else {
            throw ValidationError("give a table of fixes, or --advertisements")
        }
        if fixes == nil, regions != nil || visits || significant || plot != nil {
            throw ValidationError("--regions, --visits, --significant and --plot need a table of fixes")
        }
        if advertisements == nil, !beacon.isEmpty { throw ValidationError("--beacon needs --advertisements") }
        if fixes == "-", advertisements == "-" { throw ValidationError("only one table can be on standard input") }
    }

    func run() throws {
        do throws(CommandFailure) {
            try track()
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }

    private func track() throws(CommandFailure) {
        let features = try features()
        var run = TrackRun(self, features, try TableSource(fixes), try TableSource(advertisements))
        try run.follow()
        if let plot, let svg = run.svg(title: title) { try OutputFile.write(Array(svg.utf8).span, to: plot) }
        for line in run.skipped { StandardError.write("sextant: \(line)") }
    }

    /// The name of the table's file, without its folder.
    private var title: String {
        fixes == "-" ? "standard input" : String(fixes?.split(separator: "/").last ?? "")
    }

    fileprivate func features() throws(CommandFailure) -> [RegionFeature] {
        guard let regions else { return [] }
        return try InputFile.parsed(regions, RegionFile.read)
    }
}

/// Evaluates a table of fixes, a table of advertisements, or both, and writes the events as lines.
private struct TrackRun: ~Copyable {
    private var follower = TrackFollower()
    private var fixes: TableSource<FixReader>
    private var advertisements: TableSource<AdvertisementReader>
    private let constraints: [BeaconConstraint]
    /// The evaluation of the advertisements; nil before the first advertisement, and if there is no table of
    /// advertisements.
    private var beacons: BeaconTrack?
    private let lines: TrackLines
    private var events: [TrackEvent] = []
    private var beaconEvents: [BeaconTrack.Event] = []
    private let features: [RegionFeature]
    private var picture: TrackPicture?
    private var output = TrackOutput()

    init(
        _ command: TrackCommand, _ features: [RegionFeature], _ fixes: consuming TableSource<FixReader>,
        _ advertisements: consuming TableSource<AdvertisementReader>
    ) {
        self.features = features
        self.fixes = fixes
        self.advertisements = advertisements
        constraints = command.beacon.map(\.constraint)
        lines = TrackLines(regions: features, beacons: command.beacon.map(\.text), hasVisits: command.visits)
        picture = command.plot != nil ? TrackPicture() : nil
        follower.path.regions.reserveCapacity(features.count)
        for feature in features {
            _ = follower.path.regions.add(MonitoredRegion(feature.shape, dwell: feature.dwell))
        }
        if command.significant { follower.startSignificantChanges(at: .zero) }
    }

    /// Lines of text that say how many rows were skipped, and why.
    var skipped: [String] {
        var lines: [String] = []
        let counters = follower.path.filter.counters
        if let line = SkippedFixes.line(counters, timeless: fixes.reader.timelessCount, of: fixes.reader.count) {
            lines.append(line)
        }
        if let stale = beacons?.staleCount, stale > 0 {
            lines.append(
                "\(stale) of \(advertisements.reader.count) advertisements were not taken: older than what stands "
                    + "before them")
        }
        return lines
    }

    /// The SVG picture of the track; nil if the user asked for none.
    func svg(title: String) -> String? {
        picture?.svg(title: title, regions: features.map { TrackPicture.Region(name: $0.id, shape: $0.shape) })
    }

    /// Processes the rows of both tables, in the order of their times.
    mutating func follow() throws(CommandFailure) {
        while try fill() {
            if isFixNext { followFix() } else { followAdvertisement() }
            try output.flushIfFull()
        }
        beacons?.finish(into: &beaconEvents)
        tellBeacons()
        try output.flush()
        try fixes.check()
        try advertisements.check()
    }

    /// Reads until the next row of each table is there or the table has ended; returns false if both tables have ended.
    private mutating func fill() throws(CommandFailure) -> Bool {
        try fixes.fill(&output)
        try advertisements.fill(&output)
        return fixes.head != nil || advertisements.head != nil
    }

    /// Whether the next row to process is a fix; a fix comes before an advertisement of the same time.
    private var isFixNext: Bool {
        guard let fix = fixes.head?.instant else { return false }
        guard let heard = advertisements.head?.instant else { return true }
        return fix <= heard
    }

    private mutating func followFix() {
        guard let (fix, instant) = fixes.take() else { return }
        listen(since: instant)
        follower.found(fix, at: instant, into: &events)
        picture?.add(fix, at: instant)
        tell()
    }

    private mutating func followAdvertisement() {
        guard let heard = advertisements.take() else { return }
        listen(since: heard.instant)
        // Events that become due before this advertisement, only because time has passed, are written before the events
        // of the advertisement.
        follower.advance(to: heard.instant, into: &events)
        tell()
        beacons?.heard(heard, into: &beaconEvents)
        tellBeacons()
    }

    private mutating func listen(since start: MonotonicInstant) {
        if advertisements.isGiven, beacons == nil { beacons = BeaconTrack(constraints, at: start) }
    }

    /// Writes the events of the fixes; before each, writes the beacon events up to its time.
    private mutating func tell() {
        for event in events {
            beacons?.advance(to: event.confirmed, into: &beaconEvents)
            tellBeacons()
            guard lines.isTold(event) else { continue }
            lines.append(event, to: &output.text)
            picture?.add(event)
        }
        events.removeAll(keepingCapacity: true)
    }

    private mutating func tellBeacons() {
        for event in beaconEvents { lines.append(event, to: &output.text) }
        beaconEvents.removeAll(keepingCapacity: true)
    }
}
