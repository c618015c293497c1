internal import ArgumentParser
internal import Configuration
internal import Emulation
internal import Fusion
internal import JSON
internal import Monitors
internal import Pictures
internal import Units

/// `sextant track`.
struct TrackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Run fusion and monitors on a table of fixes: print locations and events in order.",
        discussion: """
            Reads fixes as sextant decode --format csv writes them, by the names of their columns: time (Unix \
            seconds), latitude, longitude, and if known altitude, horizontalAccuracy, verticalAccuracy, speed, \
            course. Prints JSON, an object a line, in the order in which things become known: location; regionEnter, \
            regionExit, regionDwell; visitArrival, visitDeparture; significantChange. time, arrival and departure \
            are when something happened; confirmed is the time of the fix or the timer that made it known. \
            Impossible fixes are skipped, and counted on standard error.

            Regions are GeoJSON: Polygon, MultiPolygon, or Point with the property radius (m); id or the property id \
            names one; the properties dwell (s), notifyOnEntry and notifyOnExit are read.

            Exit status: 0; 64 for usage; 65 for a file that is not a table of fixes or not GeoJSON of regions; 74 \
            where a file could not be read or written.
            """
    )

    @Argument(help: ArgumentHelp("The fixes; - is standard input.", valueName: "fixes.csv"))
    var fixes: String

    @Option(help: ArgumentHelp("Watch these regions.", valueName: "geojson"))
    var regions: String?

    @Flag(help: "Look for visits.")
    var visits = false

    @Flag(help: "Look for significant changes: 500 m and 5 minutes.")
    var significant = false

    @Option(help: ArgumentHelp("Draw the track, regions and visits to this file.", valueName: "svg"))
    var plot: String?

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
        var run = TrackRun(features, hasVisits: visits, isDrawn: plot != nil)
        if significant { run.startSignificantChanges() }
        try run.follow(fixes)
        if let plot, let svg = run.svg(title: title) { try OutputFile.write(Array(svg.utf8).span, to: plot) }
        if let line = run.skipped { StandardError.write("sextant: \(line)") }
    }

    /// The name of the file without its folder.
    private var title: String {
        fixes == "-" ? "standard input" : String(fixes.split(separator: "/").last ?? "")
    }

    private func features() throws(CommandFailure) -> [RegionFeature] {
        guard let regions else { return [] }
        let bytes = try InputFile.contents(of: regions)
        do throws(RegionFileError) {
            return try RegionFile.read(bytes)
        } catch {
            throw .data("\(regions): \(error)")
        }
    }
}

/// A run over one table of fixes, which writes lines.
private struct TrackRun: ~Copyable {
    private var follower = TrackFollower()
    private var reader = FixReader()
    private let lines: TrackLines
    private var events: [TrackEvent] = []
    private let features: [RegionFeature]
    private var picture: TrackPicture?
    private var text = TextBuffer(capacity: 1 << 17)

    /// The most bytes that are gathered before they are written.
    private static let gathered = 65_536

    init(_ features: [RegionFeature], hasVisits: Bool, isDrawn: Bool) {
        self.features = features
        picture = isDrawn ? TrackPicture() : nil
        lines = TrackLines(regions: features, hasVisits: hasVisits)
        follower.path.regions.reserveCapacity(features.count)
        for feature in features {
            _ = follower.path.regions.add(MonitoredRegion(feature.shape, dwell: feature.dwell))
        }
    }

    mutating func startSignificantChanges() { follower.startSignificantChanges(at: .zero) }

    /// A line about the fixes that the filter refused; nil where it refused none.
    var skipped: String? {
        SkippedFixes.line(follower.path.filter.counters, timeless: reader.timelessCount, of: reader.count)
    }

    /// The picture of the track; nil where none was asked for.
    func svg(title: String) -> String? {
        picture?.svg(title: title, regions: features.map { TrackPicture.Region(name: $0.id, shape: $0.shape) })
    }

    mutating func follow(_ path: String) throws(CommandFailure) {
        var file = try InputFile(path)
        while try file.read() {
            reader.push(file.buffer.span.extracting(..<file.count))
            try drain(file.name)
        }
        reader.end()
        try drain(file.name)
        guard reader.count > 0 else { throw .data("\(file.name): there is no fix in it; add a line for each") }
    }

    private mutating func drain(_ name: String) throws(CommandFailure) {
        while let (fix, instant) = try next(name) {
            follower.follow(fix, at: instant, into: &events)
            picture?.add(fix, at: instant)
            for event in events where lines.isTold(event) {
                lines.append(event, to: &text)
                picture?.add(event)
            }
            events.removeAll(keepingCapacity: true)
            if text.count >= TrackRun.gathered { try flush() }
        }
        try flush()
    }

    private mutating func next(_ name: String) throws(CommandFailure) -> (FilterFix, MonotonicInstant)? {
        let problem: CSVError
        do throws(CSVError) {
            return try reader.next().map { ($0.fix, $0.instant) }
        } catch {
            problem = error
        }
        // The lines from the rows before the faulty one are right, and are written.
        try flush()
        throw .data("\(name): \(problem)")
    }

    private mutating func flush() throws(CommandFailure) {
        try text.withBytes { bytes throws(CommandFailure) in try StandardOutput.write(bytes) }
        text.removeAll()
    }
}
