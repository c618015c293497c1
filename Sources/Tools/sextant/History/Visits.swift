internal import ArgumentParser
internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient
internal import SextantUnits

/// `sextant visits`.
struct Visits: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the board's visits, where it stayed and how long, or show them as they come.",
        discussion: """
            A departure is when the board left the place itself: the time of the first fix clearly elsewhere, less the \
            travel time back to the place, as found afterwards. A region's event is when its border was crossed, so \
            the two may differ by as long as the receiver slept between these fixes.

            Exit status: 0; 64 for usage; 69 where the daemon cannot be reached; 77 where it may not tell.
            """,
        subcommands: [List.self, Watch.self], defaultSubcommand: List.self)

    /// `sextant visits list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the board's visits: where it stayed, and how long.",
            discussion: """
                The same place has the same number on another day. Visits are noticed while a client gets \
                locations; the newest 1000 are kept. Where a table of places is installed, near says what town each \
                was near. Erasing forgets the places too. For operators, as with sextant clients.

                Exit status: 0, too where there is none; 64 for usage; 69 where the daemon cannot be reached; 77 \
                where this command is not an operator's.
                """)

        @Option(help: ArgumentHelp("Only this many of the newest visits.", valueName: "count"))
        var last: Int?

        @Flag(help: "Erase all visits, and the sites that were learned from them.")
        var erase = false

        @OptionGroup var confirmation: ConfirmationOptions

        @OptionGroup var options: ClientOptions

        func validate() throws {
            if let last, last < 1 { throw ValidationError("--last must be at least 1") }
            if erase, last != nil { throw ValidationError("--erase erases all visits; leave out --last") }
            if !erase, confirmation.yes { throw ValidationError("--yes needs --erase") }
            if erase { try confirmation.require() }
        }

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                if erase { return try eraseAll(&daemon) }
                let visits = try Visits.list(&daemon, last: last)
                let places = visits.isEmpty ? nil : LocalPlaces.forColumns()
                if options.json {
                    for visit in visits { try StandardOutput.write(places?.naming(visit) ?? visit.bytes) }
                } else if !visits.isEmpty {
                    for line in VisitLines.table(of: visits, places) { try StandardOutput.write(line: line) }
                }
                if visits.isEmpty {
                    StandardError.write("sextant: there are no visits; stays are noticed while a client gets locations")
                }
            }
        }

        private func eraseAll(_ daemon: inout Daemon) throws(CommandFailure) {
            guard confirmation.confirms("all visits of the board") else { return }
            try daemon.send(DaemonRequest(.eraseVisits))
            let line = try daemon.next([.erased])
            guard !options.json else { return try StandardOutput.write(line.bytes) }
            try StandardOutput.write(line: "erased \(Text.plural(line.number(.count), "visit"))")
        }
    }

    /// Requests the latest visits from the daemon, a page at a time, and returns them, the oldest first.
    ///
    /// - Parameter last: The largest number of visits to return; nil for all.
    static func list(_ daemon: inout Daemon, last: Int? = nil) throws(CommandFailure) -> [DaemonLine] {
        var visits: [DaemonLine] = []
        while true {
            let limit = min(VisitRequest.maximumVisits, last.map { $0 - visits.count } ?? VisitRequest.maximumVisits)
            guard limit > 0 else { return visits }
            try daemon.send(
                DaemonRequest(.visits).with(.limit, limit).with(.before, visits.first?.integer(.visit)))
            var page: [DaemonLine] = []
            while true {
                let line = try daemon.next([.pastVisit, .visits])
                guard line.event == .pastVisit else { break }
                page.append(line)
            }
            visits = page + visits
            guard page.count == limit else { return visits }
        }
    }
}

/// Visits as readable lines.
enum VisitLines {
    /// A `visit` event as a line.
    static func text(of visit: DaemonLine) -> String {
        let (arrival, departure) = (visit.text(.arrival), visit.text(.departure))
        let place =
            "\(Text.fixed(visit.number(.latitude) ?? 0, 6)) \(Text.fixed(visit.number(.longitude) ?? 0, 6)), "
            + "± \(Text.fixed(visit.number(.horizontalAccuracy) ?? 0, 0)) m"
        guard departure != nil else { return "\(self.arrival(of: visit) ?? "-")  arrived at \(place)" }
        let stay = duration(arrival, departure).map { " after \($0)" } ?? ""
        return "\(self.departure(of: visit) ?? "-")  left \(place)\(stay)"
    }

    static func table(of visits: [DaemonLine], _ places: LocalPlaces?) -> [String] {
        let heading = [
            "arrival", "departure", "stayed", "site", "latitude", "longitude", "radius", "sure",
        ]
        return LocalPlaces.table(heading, visits.map(cells), of: visits, places)
    }

    private static func cells(_ visit: DaemonLine) -> [String] {
        let (arrival, departure) = (visit.text(.arrival), visit.text(.departure))
        return [
            self.arrival(of: visit) ?? "earlier", self.departure(of: visit) ?? "still there",
            duration(arrival, departure) ?? "-", "\(Int(visit.number(.place) ?? 0))",
            Text.fixed(visit.number(.latitude) ?? 0, 6), Text.fixed(visit.number(.longitude) ?? 0, 6),
            "\(Text.fixed(visit.number(.horizontalAccuracy) ?? 0, 0)) m",
            "\(Text.fixed((visit.number(.confidence) ?? 0) * 100, 0)) %",
        ]
    }

    /// The time of arrival as text; if it is not exact, the earliest and the latest possible time; nil if nothing is
    /// known.
    private static func arrival(of visit: DaemonLine) -> String? {
        time(visit.text(.arrival), visit.text(.arrivalNotBefore), visit.text(.arrivalNotAfter))
    }

    private static func departure(of visit: DaemonLine) -> String? {
        time(visit.text(.departure), visit.text(.departureNotBefore), visit.text(.departureNotAfter))
    }

    private static func time(_ time: String?, _ first: String?, _ last: String?) -> String? {
        guard let first, let last else { return time.map(second) }
        let isOneDay = first.prefix(10) == last.prefix(10)
        return "\(second(first)) to \(isOneDay ? String(second(last).dropFirst(11)) : second(last))"
    }

    /// An ISO 8601 time without its milliseconds, because the arrival is not known to the millisecond.
    private static func second(_ time: String) -> String { time.prefix(19) + "Z" }

    private static func duration(_ arrival: String?, _ departure: String?) -> String? {
        guard let first = arrival.flatMap(UTCInstant.init(iso8601:)),
            let last = departure.flatMap(UTCInstant.init(iso8601:))
        else { return nil }
        let minutes = (last.nanoseconds - first.nanoseconds + 30_000_000_000) / 60_000_000_000
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
