internal import ArgumentParser
internal import Beacons
internal import ClientVocabulary
internal import DaemonClient
internal import SextantJSON

extension BeaconCommands {
    /// `sextant beacons calibrate`.
    struct Calibrate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Measure how strongly a beacon is heard at 1 m, and keep that; for operators.",
            discussion: """
                Put the beacon 1 m from the board's antenna, with nothing between, and keep it there for a minute. \
                The median of the seconds' strengths is kept, and goes before the power that the beacon states, until \
                sextant beacons forget. With --board it is what this board hears more or less than this beacon states \
                that is kept, for all beacons that were not calibrated themselves: use a beacon whose stated power you \
                trust. A place can be off by a fading dip of 4 dB and more: measure in three places, and keep the \
                middle one with --power.

                Exit status: 0; 64 for usage; 65 where the beacon was heard in less than half of the seconds, or where \
                two beacons send its numbers; 69 as for sextant beacons; 77 where this command is not an operator's.
                """)

        @Argument(help: ArgumentHelp("The beacon.", valueName: "UUID,MAJOR,MINOR"))
        var beacon: BeaconArgument

        @Option(help: ArgumentHelp("How long to measure.", valueName: "seconds"))
        var seconds = 60

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
        }

        func run() throws {
            try options.run { daemon throws(CommandFailure) in
                if let power { return try keep(power, &daemon) }
                var feed = try RangingFeed(beacon.constraint, &daemon)
                StandardError.write("sextant: measuring for \(seconds) s; keep the beacon at 1 m")
                var calibration = BeaconCalibration()
                for _ in 0..<seconds where calibration.senders == 1 { calibration.take(try feed.next(&daemon)) }
                try tell(calibration)
                guard !dry, let median = calibration.median else { return }
                if board {
                    guard let stated = calibration.stated else {
                        throw .data("the beacon states no usable power to compare with; calibrate it without --board")
                    }
                    try daemon.send(DaemonRequest(.setBeaconGain).with(.gain, median - stated))
                    _ = try daemon.next([.beaconKept])
                } else {
                    try keep(median, &daemon)
                }
            }
        }

        private func keep(_ power: Int, _ daemon: inout Daemon) throws(CommandFailure) {
            try daemon.send(DaemonRequest(.keepBeacon).with(beacon.constraint).with(.calibratedPower, power))
            _ = try daemon.next([.beaconKept])
        }

        private func tell(_ calibration: BeaconCalibration) throws(CommandFailure) {
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
                var text = "{\"measuredPower\":\(median),\"seconds\":\(seconds),\"heard\":\(heard)"
                if let stated = calibration.stated { text += ",\"stated\":\(stated)" }
                return try StandardOutput.write(line: text + "}")
            }
            let spread = calibration.spread.map { ", the middle half from \($0.lowerBound) to \($0.upperBound)" } ?? ""
            let share = "heard in \(heard) of \(seconds) s\(spread)"
            try StandardOutput.write(line: "measured power: \(median) dBm (\(share))")
            let stated = calibration.stated.map { "The beacon states \($0) dBm" } ?? "The beacon states nothing usable"
            let outcome = board ? "the difference is kept as the board's own" : "what was measured is kept"
            try StandardOutput.write(line: "\(stated); \(dry ? "nothing is kept" : outcome).")
        }
    }
}

/// The strengths of one beacon at 1 m.
struct BeaconCalibration {
    /// In dBm, one of each second in which the beacon was heard, in order.
    private(set) var strengths: [Int] = []
    /// The strength at 1 m that the beacon itself states, in dBm; nil where the value is implausible.
    private(set) var stated: Int?

    /// The most beacons that sent its numbers at once.
    private(set) var senders = 1

    /// Takes the beacons of a second; while a sender's address changes, the stronger counts.
    mutating func take(_ line: DaemonLine) {
        senders = line.objects(.beacons).compactMap { $0.integer(.senders) }.reduce(senders, max)
        let heard = line.objects(.beacons).filter { ($0.integer(.rssi) ?? 0) != 0 }
        guard let nearest = heard.max(by: { ($0.integer(.rssi) ?? 0) < ($1.integer(.rssi) ?? 0) }),
            let strength = nearest.integer(.rssi)
        else { return }
        stated = nearest.integer(.measuredPower) ?? stated
        let place = strengths.firstIndex { $0 > strength } ?? strengths.endIndex
        strengths.insert(strength, at: place)
    }

    var median: Int? { quantile(0.5) }

    /// The middle half of the strengths.
    var spread: ClosedRange<Int>? {
        guard let low = quantile(0.25), let high = quantile(0.75) else { return nil }
        return low...high
    }

    private func quantile(_ share: Double) -> Int? {
        strengths.isEmpty ? nil : strengths[Int((Double(strengths.count - 1) * share).rounded())]
    }
}
