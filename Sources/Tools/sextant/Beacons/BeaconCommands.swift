internal import ArgumentParser
internal import Beacons
internal import ClientVocabulary
internal import DaemonClient

/// `sextant beacons`.
struct BeaconCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacons",
        abstract: "Hear Bluetooth beacons: how near they are, and what is monitored; or send as one.",
        discussion: """
            A beacon sends a UUID and two numbers, major and minor; write UUID, UUID,MAJOR or UUID,MAJOR,MINOR. \
            Anybody can send any of them, so a beacon is never proof of a place. Distances are rough: half of them \
            err by more than a third. Regions of beacons: sextant regions add NAME --beacon UUID.

            While beacons are ranged, the radio of a Raspberry Pi listens for half of the time as long as none is silent, \
            because its Wi-Fi has the same radio; bluetooth.rangingDuty in the board's file changes that.

            Exit status: 0; 64 for usage; 69 where the daemon cannot be reached, or where no radio hears beacons; 77 \
            where it may not tell.
            """,
        subcommands: [
            Show.self, Watch.self, Range.self, List.self, Name.self, Forget.self, Advertise.self, Calibrate.self,
            Display.self,
        ],
        defaultSubcommand: Show.self)

    /// `sextant beacons` alone.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show the radio, and this client's regions of beacons (default).",
            discussion: """
                With --json the daemon's status follows the regions, an object a line.

                Exit status: 0; 64 for usage; 69 where the daemon cannot be reached.
                """)

        @OptionGroup var options: ClientOptions

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                let isKnown = daemon.hello.text(.client) != nil
                let regions = isKnown ? try Regions.registered(&daemon).filter { $0.text(.uuid) != nil } : []
                try daemon.send(DaemonRequest(.status))
                let status = try daemon.next([.status])
                guard !options.json else {
                    for line in regions + [status] { try StandardOutput.write(line.bytes) }
                    return
                }
                for line in BeaconLines.status(status.object(.beacons)) { try StandardOutput.write(line: line) }
                guard !regions.isEmpty else { return }
                for line in RegionLines.table(of: regions) { try StandardOutput.write(line: line) }
            }
        }
    }

    /// `sextant beacons watch`.
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show every beacon around, once a second; for operators. Ctrl-C ends it.",
            discussion: "Exit status: 0 after --count seconds; 64 for usage; 69 as for sextant beacons.")

        @OptionGroup var options: RangingOptions

        func run() throws { try options.run(nil) }
    }

    /// `sextant beacons range`.
    struct Range: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show once a second which of these beacons are near, and how near. Ctrl-C ends it.",
            discussion: "Exit status: 0 after --count seconds; 64 for usage; 69 as for sextant beacons.")

        @Argument(help: ArgumentHelp("The beacons.", valueName: "UUID[,MAJOR[,MINOR]]"))
        var beacons: BeaconArgument

        @OptionGroup var options: RangingOptions

        func run() throws { try options.run(beacons.constraint) }
    }

    /// `sextant beacons advertise`.
    struct Advertise: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Be a beacon until Ctrl-C; for operators.",
            discussion: """
                One advertisement is sent at a time: a second command's takes the place of the first's, which ends. \
                Where the radio goes away, that is told, and it is sent again once there is one.

                Exit status: 64 for usage; 69 where the daemon cannot be reached or ends, or cannot send.
                """)

        @Argument(help: "The beacon's UUID.")
        var uuid: String

        @Argument(help: "Its major number.")
        var major: UInt16

        @Argument(help: "Its minor number.")
        var minor: UInt16

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("How strongly it is heard at 1 m; -59 unless given.", valueName: "dBm"))
        var power: Int?

        @OptionGroup var options: ClientOptions

        private static let powers = Int(Beacon.possiblePower.lowerBound)...Int(Beacon.possiblePower.upperBound)

        func validate() throws {
            guard BeaconUUID(uuid) != nil else {
                throw ValidationError("\"\(uuid)\" is no UUID, such as E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
            }
            if let power, !Advertise.powers.contains(power) {
                throw ValidationError(
                    "--power must be from \(Advertise.powers.lowerBound) to \(Advertise.powers.upperBound) dBm")
            }
        }

        func run() throws {
            let beacon = BeaconUUID(uuid).flatMap { BeaconConstraint(uuid: $0, major: major, minor: minor) }
            try options.run { daemon throws(CommandFailure) in
                try daemon.send(DaemonRequest(.advertise).with(beacon).with(.measuredPower, power))
                // The daemon sends the advertisement until this connection closes; the loop ends when the daemon exits
                // or refuses.
                while true { try tell(try daemon.next([.advertising])) }
            }
        }

        private func tell(_ line: DaemonLine) throws(CommandFailure) {
            guard !options.json else { return try StandardOutput.write(line.bytes) }
            guard let reason = line.text(.reason) else {
                return try StandardOutput.write(line: "sends as beacon \(uuid),\(major),\(minor); Ctrl-C ends it")
            }
            StandardError.write("sextant: it is not sent for now: \(reason); waiting for the radio")
        }
    }

    /// `sextant beacons display`.
    struct Display: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tell the daemon that the board's display lit up; for operators and for scripts of a display.",
            discussion: """
                Regions of beacons that ask for it then tell their state if the board is in them.

                Exit status: 0; 64 for usage; 69 where the daemon cannot be reached; 77 where this command is not an \
                operator's.
                """)

        @OptionGroup var options: ClientOptions

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                try daemon.send(DaemonRequest(.display))
                let answer = try daemon.next([.displayed])
                if options.json { try StandardOutput.write(answer.bytes) }
            }
        }
    }
}

/// The options of the commands that show beacons as they are received.
struct RangingOptions: ParsableArguments {
    @OptionGroup var client: ClientOptions

    @Option(help: ArgumentHelp("End after this many seconds, with status 0.", valueName: "count"))
    var count: Int?

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1") }
    }

    /// - Parameter beacons: The beacons to show; nil for all beacons.
    func run(_ beacons: BeaconConstraint?) throws {
        try client.run { daemon throws(CommandFailure) in
            var ranging = try RangingFeed(beacons, &daemon)
            var seen = 0
            while count.map({ seen < $0 }) ?? true {
                let line = try ranging.next(&daemon)
                if client.json {
                    try StandardOutput.write(line.bytes)
                } else {
                    for text in BeaconLines.text(of: line) { try StandardOutput.write(line: text) }
                }
                seen += 1
            }
        }
    }
}

/// Requests beacon ranging from the daemon, which then reports once per second the beacons that it receives.
struct RangingFeed {
    /// - Parameter beacons: The beacons to report; nil for all beacons.
    init(_ beacons: BeaconConstraint?, _ daemon: inout Daemon) throws(CommandFailure) {
        if beacons != nil {
            let access = try DaemonAccess.required(&daemon)
            if access.isReduced, let note = access.regionNote { throw .refused(note) }
        }
        try daemon.send(DaemonRequest(.rangeBeacons).with(beacons))
    }

    /// Waits for the report of the next second; if the Bluetooth radio fails, prints that on standard error and goes on
    /// waiting.
    mutating func next(_ daemon: inout Daemon) throws(CommandFailure) -> DaemonLine {
        while true {
            let line = try daemon.next([.beacons, .rangingFailed])
            guard line.event == .rangingFailed else { return line }
            guard line.failure != .denied else {
                let name = DaemonAccess(daemon.hello).name
                throw .refused(
                    "\(name) may not be told of beacons; an operator can allow it: sextant clients allow \(name)")
            }
            let reason = line.text(.reason) ?? "the daemon does not say why"
            guard line.failure == .rangingFailure else {
                throw .unavailable("beacons cannot be heard: \(reason); see sudo sextant doctor --beacons")
            }
            StandardError.write("sextant: the radio cannot be used: \(reason); waiting for it")
        }
    }
}
