internal import ArgumentParser
internal import ClientProtocol
internal import ClientVocabulary
internal import Configuration
internal import DaemonClient
internal import Monitors
internal import SextantJSON
internal import SextantPlaces

/// `sextant regions`.
struct Regions: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Monitor regions, and show when the board enters, leaves or stays.",
        discussion: """
            The regions belong to the client of this command: sextant, if its manifest is installed. They are kept \
            over restarts of the daemon and the board until they are removed. Events need full accuracy, and the \
            client authorized always, or while in use as long as a command of it runs; events that no command has \
            shown wait for sextant regions watch. An event's time is when the border was crossed, on the line between \
            the fixes before and behind it; the departure of sextant visits is estimated otherwise, so the two may \
            differ by as long as the receiver slept between these fixes.

            Exit status: 0; 64 for usage; 65 for a region, a name or a file that is wrong; 69 where the daemon \
            cannot be reached, or takes a region no more; 74 where a file could not be read; 77 where it may not.
            """,
        subcommands: [Add.self, List.self, Remove.self, Import.self, Watch.self], defaultSubcommand: List.self)

    /// `sextant regions add`.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Monitor a circle, or the reach of beacons; a region of the same name is replaced.",
            discussion: """
                A circle has --latitude, --longitude and --radius; --near takes the place of the coordinates where a \
                table of places is installed. With --beacon the board is in the region while it hears a beacon of \
                this UUID, or of this UUID and these numbers; with --within, while it is that near. Distances of \
                beacons are rough: half of them err by more than a third.

                Exit status: 0; 64 for usage; 65 for a name that no table has; 69 where the daemon cannot be reached \
                or takes no more regions, where no radio hears beacons, or where there is no table.
                """)

        @Argument(help: "The region's name.")
        var name: String

        @Option(
            parsing: .unconditional, help: ArgumentHelp("Of the centre, north positive, WGS 84.", valueName: "degrees"))
        var latitude: Double?

        @Option(
            parsing: .unconditional, help: ArgumentHelp("Of the centre, east positive.", valueName: "degrees"))
        var longitude: Double?

        @Option(help: ArgumentHelp("The centre is this place's.", valueName: "name"))
        var near: String?

        @Option(help: ArgumentHelp("The radius over ground, at most 1000000.", valueName: "metres"))
        var radius: Double?

        @Option(help: ArgumentHelp("The beacons in whose reach the region is.", valueName: "UUID[,MAJOR[,MINOR]]"))
        var beacon: BeaconArgument?

        @Option(
            help: ArgumentHelp("How near the beacon must be, from 0.3 to 50; for beacons.", valueName: "metres"))
        var within: Double?

        @Flag(help: "Report the state also when the display lights up; for beacons.")
        var onDisplay = false

        @Option(help: ArgumentHelp("Report also when the board has stayed this long.", valueName: "seconds"))
        var dwell: Double?

        @Flag(help: "Do not report when the board enters.")
        var noEntry = false

        @Flag(help: "Do not report when the board leaves.")
        var noExit = false

        @OptionGroup var options: ClientOptions

        func validate() throws {
            if noEntry, noExit, dwell == nil { throw ValidationError("it would report nothing; leave out --no-exit") }
            guard !name.isEmpty else { throw ValidationError("a region needs a name") }
            let centre = [latitude, longitude].compactMap(\.self)
            let isCircle = radius != nil && (near == nil ? centre.count == 2 : centre.isEmpty)
            let isNothing = radius == nil && near == nil && centre.isEmpty
            guard beacon == nil ? isCircle : isNothing else {
                throw ValidationError(
                    "give --latitude, --longitude and --radius, or --near and --radius, or --beacon alone")
            }
            if onDisplay, beacon == nil { throw ValidationError("--on-display needs --beacon") }
            if within != nil, beacon == nil { throw ValidationError("--within needs --beacon") }
            if let within, !RegionRequest.withinRange.contains(within) {
                throw ValidationError("--within must be from 0.3 to 50 metres")
            }
            let problem: String?
            do throws(RegionShapeError) {
                problem = try order(latitude ?? 0, longitude ?? 0).problem
            } catch {
                problem = "\(error)"
            }
            if let problem { throw ValidationError("\(name): \(problem)") }
        }

        func run() throws {
            var centre = (latitude: latitude ?? 0, longitude: longitude ?? 0)
            if let near {
                try CommandFailure.reporting { () throws(CommandFailure) in
                    let mark = try LocalPlaces().place(named: near)
                    centre = (mark.latitude, mark.longitude)
                    StandardError.write("sextant: the centre is \(PlacemarkLines.text(of: mark))")
                }
            }
            let order = try order(centre.latitude, centre.longitude)
            try options.run { daemon throws(CommandFailure) in
                try Regions.place([order], &daemon, isJSON: options.json)
            }
        }

        private func order(_ latitude: Double, _ longitude: Double) throws(RegionShapeError) -> RegionOrder {
            if let beacon {
                return RegionOrder(
                    name, beacon.constraint, within: within, dwell: dwell, notifyOnEntry: !noEntry,
                    notifyOnExit: !noExit,
                    notifyOnDisplay: onDisplay)
            }
            return RegionOrder(
                RegionFeature(
                    id: name,
                    shape: try RegionShape(latitude: latitude, longitude: longitude, radius: radius ?? .nan),
                    dwell: dwell, notifyOnEntry: !noEntry, notifyOnExit: !noExit))
        }
    }

    /// `sextant regions import`.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Monitor the regions of a GeoJSON file.",
            discussion: """
                A region is a Polygon, a MultiPolygon, or a Point with the property radius (m); its id or the property \
                id names it, and the properties dwell (s), notifyOnEntry and notifyOnExit are read. Regions of the same \
                name are replaced, others stay. Where the file is wrong, nothing changes.

                Exit status: 0; 64 for usage; 65 for a file that is wrong; 69 where the daemon cannot be reached, or \
                did not take all regions, each of which is named; 74 where the file could not be read.
                """)

        @Argument(help: ArgumentHelp("The regions; - is standard input.", valueName: "file.geojson"))
        var file: String

        @OptionGroup var options: ClientOptions

        func run() throws {
            do throws(CommandFailure) {
                let orders = try orders()
                var daemon = try Daemon(path: options.socket)
                try Regions.place(orders, &daemon, isJSON: options.json)
            } catch {
                error.report()
                throw ExitCode(error.status)
            }
        }

        private func orders() throws(CommandFailure) -> [RegionOrder] {
            let features: [RegionFeature] = try InputFile.parsed(file, RegionFile.read)
            let orders = features.map(RegionOrder.init)
            for (index, order) in orders.enumerated() {
                guard let problem = order.problem else { continue }
                throw .data("\(file): feature \(index + 1) (\"\(order.name)\"): \(problem)")
            }
            return orders
        }
    }

    /// `sextant regions remove`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop monitoring regions.",
            discussion: """
                Their events that were not shown yet are forgotten.

                Exit status: 0; 64 for usage; 65 for a name that no region has, and nothing is removed then; 69 \
                where the daemon cannot be reached.
                """)

        @Argument(help: "The regions' names.")
        var names: [String] = []

        @Flag(help: "All regions.")
        var all = false

        @OptionGroup var options: ClientOptions

        func validate() throws {
            guard names.isEmpty == all else {
                throw ValidationError(all ? "give names or --all, not both" : "name the regions, or give --all")
            }
        }

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                let known = try Regions.registered(&daemon).compactMap { $0.text(.identifier) }
                if let name = names.first(where: { !known.contains($0) }) {
                    throw .data("no region is called \"\(name)\"; sextant regions list names them; nothing was removed")
                }
                for name in all ? known : names {
                    // The daemon handles requests in order, so its answer to the ping shows that the region is removed.
                    try daemon.send(DaemonRequest(.unmonitorRegion).with(.identifier, name))
                    try daemon.send(DaemonRequest(.ping))
                    _ = try daemon.next([.pong])
                    let text = "{\"event\":\"removed\",\"identifier\":\(JSONValue.quoted(name))}"
                    try StandardOutput.write(line: options.json ? text : "\(name) is no longer watched")
                }
            }
        }
    }

    /// The command `sextant regions list`, which `sextant regions` alone runs too.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the regions, and whether the board is in them (default).",
            discussion: "Exit status: 0; 64 for usage; 69 where the daemon cannot be reached.")

        @OptionGroup var options: ClientOptions

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                let regions = try Regions.registered(&daemon)
                let hasCircle = regions.contains { $0.number(.latitude) != nil }
                let places = hasCircle ? LocalPlaces.forColumns() : nil
                if options.json {
                    for region in regions { try StandardOutput.write(places?.naming(region) ?? region.bytes) }
                } else if !regions.isEmpty {
                    for line in RegionLines.table(of: regions, places) { try StandardOutput.write(line: line) }
                }
                guard !regions.isEmpty else {
                    return StandardError.write("sextant: there are no regions; add one: sextant regions add")
                }
                Regions.note(DaemonAccess(daemon.hello))
            }
        }
    }

    // MARK: Shared by the subcommands

    /// The client's regions, without the conditions of a `CLMonitor`, which another program manages.
    static func registered(_ daemon: inout Daemon) throws(CommandFailure) -> [DaemonLine] {
        try daemon.send(DaemonRequest(.registrations))
        var regions: [DaemonLine] = []
        while true {
            let line = try daemon.next([.registration, .registrations])
            guard line.event == .registration else { return regions }
            if line.text(.kind) == "region", line.text(.monitor) == nil { regions.append(line) }
        }
    }

    /// Sends the requests one by one, and prints each region that the daemon refused; the first refusal decides the
    /// exit status.
    static func place(
        _ orders: [RegionOrder], _ daemon: inout Daemon, isJSON: Bool
    ) throws(CommandFailure) {
        let access = DaemonAccess(daemon.hello)
        var failures: [CommandFailure] = []
        for order in orders {
            // The daemon answers the ping after it has sent all its lines about the region.
            try daemon.send(order.request, DaemonRequest(.ping))
            let answer = try daemon.answer([.monitoring, .monitoringFailed])
            var small: DaemonLine?
            while true {
                let line = try daemon.answer([.monitoringFailed, .pong])
                if line.event == .pong { break }
                if line.word(.reason) == FailureReason.smallRadius { small = line }
            }
            if let failure = order.refusal(answer, access) {
                if !failures.isEmpty { failure.report() }
                failures.append(failure)
            } else if !isJSON, orders.count == 1 {
                try StandardOutput.write(line: "\(order.name) is watched")
            }
            if isJSON { try StandardOutput.write(answer.bytes) }
            guard let small else { continue }
            if isJSON { try StandardOutput.write(small.bytes) }
            StandardError.write(
                "sextant: \(order.name): its radius is smaller than positions are exact, so that events may come late "
                    + "or never; give it \(Int(small.number(.radius) ?? 0)) m or more")
        }
        if !isJSON, orders.count > 1 {
            let taken = Text.plural(Double(orders.count - failures.count), "region is", "regions are")
            try StandardOutput.write(line: "\(taken) watched")
        }
        if let failure = failures.first { throw failure }
        note(access)
    }

    /// Prints why region events may stay away, if there is a reason.
    static func note(_ access: DaemonAccess) {
        if let note = access.regionNote { StandardError.write("sextant: events may not come: \(note)") }
    }
}
