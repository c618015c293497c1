internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient

/// `sextant sky`.
struct Sky: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the satellites that the receiver hears, and what it makes of them.",
        discussion: """
            On a terminal the picture is drawn anew with each sky view, until Ctrl-C; elsewhere views follow one another. \
            It switches the receiver on for as long as it runs, and needs full accuracy.
            A signal of 40 dB-Hz and more is strong. A position wants four satellites; where fewer are heard, look at \
            the antenna and what stands above it.
            Exit status: 0 after --count views; 64 for usage; 69 where the daemon cannot be reached or ends; 77 \
            where it may not tell.
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("End after this many sky views.", valueName: "count"))
    var count: Int?

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1") }
    }

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            var access = try DaemonAccess.required(&daemon)
            try SkyAccess.check(access)
            try options.ask(DaemonRequest(.watch).with(.satellites, true), &daemon)
            var seen = 0
            while count.map({ seen < $0 }) ?? true {
                let line = try daemon.next([.epoch, .authorization, .status])
                PositionStatus.tell(line)
                if line.event == .authorization {
                    access.update(line)
                    if let refusal = access.refusal { throw .refused(refusal) }
                    try SkyAccess.check(access)
                    continue
                }
                // An epoch without a sky view is neither printed nor counted; an epoch whose sky view has no satellite
                // is both.
                guard line.value(.satellites) != nil else { continue }
                seen += 1
                if options.json {
                    try StandardOutput.write(line.bytes)
                } else {
                    let lines = SkyLines.text(of: line)
                    guard !LiveScreen.isThere else {
                        try LiveScreen.draw(lines)
                        continue
                    }
                    for line in lines + [""] { try StandardOutput.write(line: line) }
                }
            }
        }
    }
}

/// Checks the rule that only a client with full accuracy gets satellites.
enum SkyAccess {
    /// Throws for a client with reduced accuracy, because the satellites in view reveal the position.
    static func check(_ access: DaemonAccess) throws(CommandFailure) {
        guard access.isReduced else { return }
        throw .refused(
            "\(access.name) has reduced accuracy, so it gets no satellites; an operator can give it full accuracy: "
                + "sextant clients full \(access.name)")
    }
}

/// The satellites of an epoch as lines of text: the fix, the numbers of satellites, and a row for each signal, the
/// strongest first.
enum SkyLines {
    static func text(of line: DaemonLine) -> [String] {
        let satellites = line.objects(.satellites)
        // A satellite can be received on several signals, but its name is counted only once.
        let heard = satellites.filter { $0.number(.carrierToNoise) ?? 0 > 0 }
        let used = satellites.filter { $0.flag(.used) == true }
        let lines = [
            FixLine.text(of: line),
            "in view \(names(satellites)), heard \(names(heard)), used for the position \(names(used))", "",
        ]
        let sorted = satellites.sorted { left, right in
            let (one, other) = (left.number(.carrierToNoise) ?? 0, right.number(.carrierToNoise) ?? 0)
            return one == other ? name(left) < name(right) : one > other
        }
        let heading = ["satellite", "dB-Hz", "signal", "height", "towards", "used"]
        return lines + TextTable.lines([heading] + sorted.map(row))
    }

    private static func names(_ satellites: [DaemonLine]) -> Int { Set(satellites.map(name)).count }

    private static func name(_ satellite: DaemonLine) -> String {
        "\(satellite.text(.constellation) ?? "unknown") \(satellite.integer(.number) ?? 0)"
    }

    private static func row(_ satellite: DaemonLine) -> [String] {
        let strength = satellite.number(.carrierToNoise).map { Int($0) }
        return [
            name(satellite), strength.map(String.init) ?? "-",
            // One mark for each 3 dB-Hz: strong signals reach about 50 dB-Hz, so a bar has at most about 17 marks.
            String(repeating: "#", count: max(0, strength ?? 0) / 3),
            satellite.number(.elevation).map { "\(Int($0))°" } ?? "-",
            satellite.number(.azimuth).map { "\(Int($0))°" } ?? "-", satellite.flag(.used) == true ? "yes" : "",
        ]
    }
}
