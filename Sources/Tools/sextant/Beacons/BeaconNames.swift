internal import ArgumentParser
internal import Beacons
internal import ClientVocabulary
internal import DaemonClient
internal import Monitors

extension BeaconCommands {
    /// `sextant beacons list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the beacons that have a name or were calibrated; for operators.",
            discussion: """
                For each: its name, what it states and what this board measured of its power at 1 m, when it was last \
                heard since the daemon's start, and its battery where it tells that (Eddystone-TLM). The radio listens \
                only while a region, a ranging or a spot needs it.

                Exit status: 0; 64 for usage; 69 where the daemon cannot be reached; 77 where this command is not an \
                operator's.
                """)

        @OptionGroup var options: ClientOptions

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                try daemon.send(DaemonRequest(.knownBeacons))
                var beacons: [DaemonLine] = []
                while true {
                    let line = try daemon.next([.knownBeacon, .knownBeacons])
                    if options.json { try StandardOutput.write(line.bytes) }
                    guard line.event == .knownBeacon else {
                        guard !options.json else { return }
                        for text in BeaconLines.known(beacons, gain: line.number(.gain) ?? 0) {
                            try StandardOutput.write(line: text)
                        }
                        return
                    }
                    beacons.append(line)
                }
            }
        }
    }

    /// `sextant beacons name`.
    struct Name: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a beacon a name, which is shown wherever the beacon is; for operators.",
            discussion: """
                The name is kept until sextant beacons forget.

                Exit status: 0; 64 for usage; 69 where the daemon cannot be reached, takes no more beacons, or another \
                beacon has the name; 77 where this command is not an operator's.
                """)

        @Argument(help: ArgumentHelp("The beacon.", valueName: "UUID,MAJOR,MINOR"))
        var beacon: BeaconArgument

        @Argument(help: "Its name, of at most \(BeaconBook.maximumNameBytes) bytes.")
        var name: String

        @OptionGroup var options: ClientOptions

        func validate() throws {
            try beacon.validateIsOne()
            guard (1...BeaconBook.maximumNameBytes).contains(name.utf8.count) else {
                throw ValidationError("a name has from 1 to \(BeaconBook.maximumNameBytes) bytes")
            }
        }

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                try daemon.send(DaemonRequest(.keepBeacon).with(beacon.constraint).with(.name, name))
                let answer = try daemon.next([.beaconKept])
                if options.json { try StandardOutput.write(answer.bytes) }
            }
        }
    }

    /// `sextant beacons forget`.
    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget a beacon's name and what was measured of it; for operators.",
            discussion: """
                Exit status: 0; 64 for usage; 69 where the daemon cannot be reached or knows no such beacon; 77 where \
                this command is not an operator's.
                """)

        @Argument(help: ArgumentHelp("The beacon.", valueName: "UUID,MAJOR,MINOR"))
        var beacon: BeaconArgument

        @OptionGroup var options: ClientOptions

        func validate() throws { try beacon.validateIsOne() }

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                try daemon.send(DaemonRequest(.forgetBeacon).with(beacon.constraint))
                let answer = try daemon.next([.beaconForgotten])
                if options.json { try StandardOutput.write(answer.bytes) }
            }
        }
    }
}

extension BeaconArgument {
    /// Throws unless the argument has UUID, major and minor number, and so names a single beacon.
    func validateIsOne() throws {
        guard constraint.minor != nil else { throw ValidationError("name one beacon: UUID,MAJOR,MINOR") }
    }
}
