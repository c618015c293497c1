internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient

extension Regions {
    /// `sextant regions watch`.
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the regions' events as they come: entered, left, stayed in, found to be in.",
            discussion: """
                Events that waited come first. The daemon forgets an event once it is printed; with two commands \
                that watch at once an event may come to both or to one of them. With --near an event also says what \
                town the centre of its circle is near. Ctrl-C ends it.

                Exit status: 64 for usage; 69 where the daemon cannot be reached or ends, or where there is no \
                region; 77 where it may not tell.
                """)

        @OptionGroup var options: ClientOptions

        @Flag(help: "Say what town the region is near, where a table of places is installed; with --json the key near.")
        var near = false

        @Option(help: ArgumentHelp("End after this many events, with status 0.", valueName: "count"))
        var count: Int?

        func validate() throws {
            if let count, count < 1 { throw ValidationError("--count must be at least 1") }
        }

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                var access = try DaemonAccess.required(&daemon)
                if let note = access.regionNote, access.isReduced { throw .refused(note) }
                let book = try RegionBook(&daemon)
                if !options.json { try daemon.send(DaemonRequest(.watchStatus)) }
                var watch = RegionWatch(isJSON: options.json, book, near ? .forColumns() : nil)
                while count.map({ watch.told < $0 }) ?? true {
                    let line = try watch.next(&daemon)
                    PositionStatus.tellTrouble(line)
                    if line.event == .authorization {
                        access.update(line)
                        if let problem = access.refusal ?? (access.isReduced ? access.regionNote : nil) {
                            throw .refused(problem)
                        }
                    } else if line.event == .regionEvent {
                        try watch.take(line, &daemon)
                    }
                }
            }
        }
    }
}

/// The client's regions, and the region events that came while the list of regions was awaited.
private struct RegionBook {
    /// The client's regions by identifier, as the daemon lists them.
    private var regions: [String: DaemonLine] = [:]
    /// The region events that came while the list of regions was awaited.
    private(set) var events: [DaemonLine] = []

    /// Requests the list of the client's regions; with this request the daemon begins to send the regions' events.
    init(_ daemon: inout Daemon) throws(CommandFailure) {
        try ask(&daemon)
        guard !regions.isEmpty else {
            throw .unavailable("there are no regions to watch; add one: sextant regions add, or import")
        }
        StandardError.write("sextant: \(Text.plural(Double(regions.count), "region")); Ctrl-C ends it")
    }

    /// Requests the list of regions again, because another command may have added or removed regions.
    mutating func ask(_ daemon: inout Daemon) throws(CommandFailure) {
        regions = [:]
        try daemon.send(DaemonRequest(.registrations))
        while true {
            let line = try daemon.next()
            switch line.event {
            case .registration: note(line)
            case .registrations: return
            case .regionEvent, .authorization: events.append(line)
            default: break
            }
        }
    }

    private mutating func note(_ line: DaemonLine) {
        guard line.text(.kind) == "region", line.text(.monitor) == nil, let name = line.text(.identifier) else {
            return
        }
        regions[name] = line
    }

    /// The region to which an event belongs; nil if the region was removed since.
    func region(of event: DaemonLine) -> DaemonLine? { event.text(.identifier).flatMap { regions[$0] } }

    func isWanted(_ event: DaemonLine) -> Bool {
        guard event.text(.identifier) != nil, let transition = event.word(.transition, as: TransitionName.self) else {
            return false
        }
        guard let region = region(of: event) else { return true }
        return switch transition {
        case .enter: region.flag(.notifyOnEntry) ?? true
        case .exit: region.flag(.notifyOnExit) ?? true
        case .dwell, .determined: true
        }
    }

    mutating func takeEvent() -> DaemonLine? { events.isEmpty ? nil : events.removeFirst() }
}

/// Prints region events, and acknowledges each event to the daemon after printing it.
private struct RegionWatch {
    private let isJSON: Bool
    /// The place tables, which name the places of the events; nil if the user wants no names, or if no table is
    /// installed.
    private let places: LocalPlaces?
    private var book: RegionBook
    private(set) var told = 0

    init(isJSON: Bool, _ book: RegionBook, _ places: LocalPlaces?) {
        self.isJSON = isJSON
        self.book = book
        self.places = places
    }

    /// Returns the next region event, change of this client's authorization, or `status` of the daemon.
    mutating func next(_ daemon: inout Daemon) throws(CommandFailure) -> DaemonLine {
        if let line = book.takeEvent() { return line }
        return try daemon.next([.regionEvent, .authorization, .status])
    }

    /// Handles a region event; ignores the events of a `CLMonitor`'s conditions, which another program manages.
    mutating func take(_ event: DaemonLine, _ daemon: inout Daemon) throws(CommandFailure) {
        guard event.text(.monitor) == nil, let number = event.integer(.number) else { return }
        try book.ask(&daemon)
        if book.isWanted(event) {
            try tell(event)
            told += 1
        }
        try daemon.send(DaemonRequest(.acknowledge).with(.number, number))
    }

    private func tell(_ event: DaemonLine) throws(CommandFailure) {
        let near = places?.near(of: book.region(of: event))
        if isJSON {
            try StandardOutput.write(LocalPlaces.bytes(of: event, near: near))
        } else {
            try StandardOutput.write(line: RegionLines.text(of: event) + (near.map { ", \($0)" } ?? ""))
        }
    }
}
