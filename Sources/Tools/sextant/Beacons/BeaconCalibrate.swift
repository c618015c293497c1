internal import ArgumentParser
internal import Beacons
internal import ClientVocabulary
internal import DaemonClient
internal import Monitors
internal import SextantJSON

extension BeaconCommands {
    /// `sextant beacons calibrate`.
    struct Calibrate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Measure how strongly a beacon is heard at known distances, and keep that; for operators.",
            discussion: """
                Put the beacon 1 m from the board's antenna, with nothing between, and keep it there for a minute. \
                The median of the seconds' strengths is kept, and goes before the power that the beacon states, until \
                sextant beacons forget. With --board it is what this board hears more or less than this beacon states \
                that is kept, for all beacons that were not calibrated themselves: use a beacon whose stated power you \
                trust.

                One place can be off by a fading dip of 4 dB and more. With --at 1 --at 2 --at 4 the command measures at \
                each of these distances, waits for Enter before each while you move the beacon, and keeps the power at \
                1 m that fits all of them: the accuracies that are told of the beacon hold more truly then.

                Exit status: 0; 64 for usage; 65 where the beacon was heard in less than half of the seconds, or where \
                two beacons send its numbers; 69 as for sextant beacons; 77 where this command is not an operator's.
                """)

        @Argument(help: ArgumentHelp("The beacon.", valueName: "UUID,MAJOR,MINOR"))
        var beacon: BeaconArgument

        @Option(help: ArgumentHelp("How long to measure at each distance.", valueName: "seconds"))
        var seconds = 60

        @Option(help: ArgumentHelp("Measure at this distance; give several for a better fit.", valueName: "metres"))
        var at: [Double] = [1]

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Keep this power at 1 m, and measure nothing.", valueName: "dBm"))
        var power: Int?

        @Flag(help: "Keep the difference to what the beacon states as the board's own.")
        var board = false

        @Flag(help: "Measure and keep nothing.")
        var dry = false

        @OptionGroup var options: ClientOptions

        func validate() throws {
            try beacon.validateIsOne()
            if let power, !Beacon.possiblePower.contains(power) {
                throw ValidationError(
                    "--power must be from \(Beacon.possiblePower.lowerBound) to \(Beacon.possiblePower.upperBound) dBm")
            }
            if power != nil, board || dry { throw ValidationError("--power goes with neither --board nor --dry") }
            guard (5...3600).contains(seconds) else { throw ValidationError("--seconds must be from 5 to 3600") }
            guard at.allSatisfy((0.3...20).contains) else {
                throw ValidationError("--at must be from 0.3 to 20 metres")
            }
        }

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                if let power { return try keep(power, &daemon) }
                var feed = try RangingFeed(beacon.constraint, &daemon)
                var places: [(metres: Double, strength: Double)] = []
                var stated: Int?
                for metres in at {
                    let calibration = try measure(at: metres, &feed, &daemon)
                    let median = try tell(calibration, at: metres)
                    places.append((metres, Double(median)))
                    stated = calibration.stated ?? stated
                }
                let power = Int(BeaconDistance.Model.usual.power(fitting: places).rounded())
                try tell(power, stated: stated)
                guard !dry else { return }
                if board {
                    guard let stated else {
                        throw .data("the beacon states no usable power to compare with; calibrate it without --board")
                    }
                    try daemon.send(DaemonRequest(.setBeaconGain).with(.gain, power - stated))
                    _ = try daemon.next([.beaconKept])
                } else {
                    try keep(power, &daemon)
                }
            }
        }

        private func measure(
            at metres: Double, _ feed: inout RangingFeed, _ daemon: inout Daemon
        ) throws(CommandFailure) -> BeaconCalibration {
            if at.count > 1 {
                StandardError.write("sextant: put the beacon \(metres) m from the board's antenna, and press Enter")
                guard readLine() != nil else { throw .data("nobody pressed Enter; nothing is kept") }
                // Advertisements that the daemon received before it answers this ping were sent while the user moved
                // the beacon, so the measurement begins after the answer.
                try daemon.send(DaemonRequest(.ping))
                _ = try daemon.next([.pong])
            }
            StandardError.write("sextant: measuring for \(seconds) s; keep the beacon at \(metres) m")
            var calibration = BeaconCalibration()
            for _ in 0..<seconds where calibration.senders == 1 { calibration.take(try feed.next(&daemon)) }
            return calibration
        }

        private func keep(_ power: Int, _ daemon: inout Daemon) throws(CommandFailure) {
            try daemon.send(DaemonRequest(.keepBeacon).with(beacon.constraint).with(.calibratedPower, power))
            _ = try daemon.next([.beaconKept])
        }

        /// Prints the signal strengths measured at one distance, and returns their median in dBm.
        private func tell(_ calibration: BeaconCalibration, at metres: Double) throws(CommandFailure) -> Int {
            let heard = calibration.strengths.count
            guard calibration.senders == 1 else {
                throw .data(
                    "\(calibration.senders) beacons send these numbers; give each numbers of its own, and measure again"
                )
            }
            guard let median = calibration.median, heard * 2 >= seconds else {
                throw .data(
                    "the beacon was heard in \(heard) of \(seconds) seconds; bring it nearer, or check its numbers")
            }
            guard !options.json else {
                try StandardOutput.write(
                    line: "{\"metres\":\(metres),\"strength\":\(median),\"seconds\":\(seconds),\"heard\":\(heard)}")
                return median
            }
            let spread = calibration.spread.map { ", the middle half from \($0.lowerBound) to \($0.upperBound)" } ?? ""
            try StandardOutput.write(
                line: "at \(metres) m: \(median) dBm (heard in \(heard) of \(seconds) s\(spread))")
            return median
        }

        private func tell(_ power: Int, stated: Int?) throws(CommandFailure) {
            guard !options.json else {
                let suffix = stated.map { ",\"stated\":\($0)" } ?? ""
                return try StandardOutput.write(line: "{\"measuredPower\":\(power)\(suffix)}")
            }
            try StandardOutput.write(line: "power at 1 m: \(power) dBm")
            let statement = stated.map { "The beacon states \($0) dBm" } ?? "The beacon states nothing usable"
            let outcome = board ? "the difference is kept as the board's own" : "what was measured is kept"
            try StandardOutput.write(line: "\(statement); \(dry ? "nothing is kept" : outcome).")
        }
    }
}

/// The signal strengths of a beacon that were measured at one distance.
struct BeaconCalibration {
    /// Strengths in dBm, one for each second in which the beacon was received, the weakest first.
    private(set) var strengths: [Int] = []
    /// The strength at 1 m that the beacon itself states in its advertisements, in dBm; nil if no plausible value was
    /// received.
    private(set) var stated: Int?

    /// The largest number of beacons that sent the same UUID, major and minor number at the same time.
    private(set) var senders = 1

    /// Adds the strength from the daemon's report of one second.
    ///
    /// While the beacon changes its Bluetooth address, the report lists the beacon twice; the stronger entry counts.
    mutating func take(_ line: DaemonLine) {
        senders = line.objects(.beacons).compactMap { $0.integer(.senders) }.reduce(senders, max)
        let heard = line.objects(.beacons).filter { ($0.integer(.rssi) ?? 0) != 0 }
        guard let nearest = heard.max(by: { ($0.integer(.rssi) ?? 0) < ($1.integer(.rssi) ?? 0) }),
            let strength = nearest.integer(.rssi)
        else { return }
        stated = nearest.integer(.measuredPower) ?? stated
        let index = strengths.firstIndex { $0 > strength } ?? strengths.endIndex
        strengths.insert(strength, at: index)
    }

    var median: Int? { quantile(0.5) }

    /// The middle half of the strengths, in dBm: from the lower to the upper quartile.
    var spread: ClosedRange<Int>? {
        guard let low = quantile(0.25), let high = quantile(0.75) else { return nil }
        return low...high
    }

    private func quantile(_ share: Double) -> Int? {
        strengths.isEmpty ? nil : strengths[Int((Double(strengths.count - 1) * share).rounded())]
    }
}
