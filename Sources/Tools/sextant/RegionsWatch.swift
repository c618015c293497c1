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
                that watch at once an event may come to both or to one of them. Ctrl-C ends it.

                Exit status: 69 where the daemon cannot be reached, ends, or may not tell, or where there is no \
                region; 64 for usage.
                """)

        @OptionGroup var options: ClientOptions

        @Option(help: ArgumentHelp("End after this many events, with status 0.", valueName: "count"))
        var count: Int?

        func validate() throws {
            if let count, count < 1 { throw ValidationError("--count must be at least 1") }
        }

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                var access = try DaemonAccess.required(&daemon)
                if let note = access.regionNote, access.isReduced { throw .unavailable(note) }
                let book = try RegionBook(&daemon)
                var watch = RegionWatch(isJSON: options.json, book)
                while count.map({ watch.told < $0 }) ?? true {
                    let line = try watch.next(&daemon)
                    if line.event == .authorization {
                        access.update(line)
                        if let problem = access.refusal ?? (access.isReduced ? access.regionNote : nil) {
                            throw .unavailable(problem)
                        }
                    } else {
                        try watch.take(line, &daemon)
                    }
                }
            }
        }
    }
}

/// The client's regions and the transitions of each that are told.
private struct RegionBook {
    private var wanted: [String: Set<String>] = [:]
    /// Events that came while the list of regions was awaited.
    private(set) var events: [DaemonLine] = []

    /// Asks the daemon for the regions, which makes it send their events from then on.
    init(_ daemon: inout Daemon) throws(CommandFailure) {
        try ask(&daemon)
        guard !wanted.isEmpty else {
            throw .unavailable("there are no regions to watch; add one: sextant regions add, or import")
        }
        StandardError.write("sextant: \(StatusLines.plural(Double(wanted.count), "region")); Ctrl-C ends it")
    }

    /// Asks for the regions again, because another command may have changed them.
    mutating func ask(_ daemon: inout Daemon) throws(CommandFailure) {
        wanted = [:]
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
        var transitions: Set<String> = ["dwell", "determined"]
        if line.flag(.notifyOnEntry) ?? true { transitions.insert("enter") }
        if line.flag(.notifyOnExit) ?? true { transitions.insert("exit") }
        wanted[name] = transitions
    }

    func isWanted(_ event: DaemonLine) -> Bool {
        guard let name = event.text(.identifier), let transition = event.text(.transition) else { return false }
        return wanted[name]?.contains(transition) ?? true
    }

    mutating func takeEvent() -> DaemonLine? { events.isEmpty ? nil : events.removeFirst() }
}

/// Prints region events, and acknowledges each after it is printed.
private struct RegionWatch {
    private let isJSON: Bool
    private var book: RegionBook
    private(set) var told = 0

    init(isJSON: Bool, _ book: RegionBook) {
        self.isJSON = isJSON
        self.book = book
    }

    /// The next region event, or a change of this client's access.
    mutating func next(_ daemon: inout Daemon) throws(CommandFailure) -> DaemonLine {
        if let line = book.takeEvent() { return line }
        return try daemon.next([.regionEvent, .authorization])
    }

    /// Takes an event; conditions of a `CLMonitor` belong to another program and are left to it.
    mutating func take(_ event: DaemonLine, _ daemon: inout Daemon) throws(CommandFailure) {
        guard event.text(.monitor) == nil, let number = event.integer(.number) else { return }
        try book.ask(&daemon)
        if book.isWanted(event) {
            try isJSON ? StandardOutput.write(event.bytes) : StandardOutput.write(line: RegionLines.text(of: event))
            told += 1
        }
        try daemon.send(DaemonRequest(.acknowledge).with(.number, number))
    }
}
