import Boards
import Emulation
import Engine
import Foundation
import HostSleep
import HostSwitches
import Receivers
import SextantUnits
import Testing

@testable import Simulation

@Suite("A day with host sleep")
struct HostSleepTests {
    /// A Zero 2 W with a PiJuice that motion wakes, and a client that asks for 100 m, as
    /// `sextant simulate --motion-sensor --host-sleep pijuice` has them.
    private static func settings(_ trajectory: Trajectory) -> SimulationSettings {
        var settings = SimulationSettings(
            model: .neoM8N, trajectory: trajectory, accuracy: 100, hasMotionSensor: true)
        var allowed = HostSleepSettings()
        allowed.isAllowed = true
        let model = HostSwitchModel.pijuice
        let costs = HostCosts(.zero2W, idleMilliwatts: settings.host.idleMilliwatts)
        let cut = Double(model.traits.cutDelay)
        let breakEven = costs.breakEven(
            cutDelay: cut, offMilliwatts: model.offMilliwatts * HostCosts.converterEfficiency)
        settings.hostSleep = HostSleepModel(
            HostSleepConfiguration(allowed, traits: model.traits, hasMotionWake: true, breakEven: breakEven),
            costs: costs, offMilliwatts: model.offMilliwatts, cutSeconds: cut)
        return settings
    }

    /// A run, and what it is judged by.
    private struct Run {
        var settings: SimulationSettings
        var result: SimulationResult
        var score: RunScore

        /// - Parameter learned: What an earlier run taught the daemon.
        init(_ trajectory: Trajectory, learned: [UInt8]? = nil, isRecorded: Bool = false) throws {
            settings = HostSleepTests.settings(trajectory)
            settings.learned = learned
            settings.isRecorded = isRecorded
            let truth = try settings.truth()
            result = try Simulation.run(settings, on: truth)
            score = try result.score(of: settings, against: truth)
        }

        init(_ name: String, learned: [UInt8]? = nil) throws {
            try self.init(try TrajectoryFile.read(path: Samples.truthPath(name)), learned: learned)
        }

        var sleep: SimulationResult.HostSleep { get throws { try #require(result.sleep) } }
    }

    private static let first = Result { try Run("daily-life-24h") }
    /// A day that begins with what the first one taught: the motion sensor has proved itself.
    private static let second = Result { try Run("daily-life-24h", learned: first.get().result.sleep?.learned) }
    /// Ten days at rest, with the motion sensor's false alarms.
    private static let resting = Result {
        let (start, place) = (1_790_000_000.0, (48.0, 11.0))
        let trajectory = Trajectory(
            points: [start, start + 864_000].map {
                TrajectoryPoint(time: $0, latitude: place.0, longitude: place.1)
            })
        return try Run(trajectory, learned: first.get().result.sleep?.learned, isRecorded: true)
    }

    @Test(.enabled(if: Samples.hasTruths, Samples.noTruths))
    func `SLEEP-04: once its sensor has proved itself, a day costs a twelfth of a board that is always on`() throws {
        let run = try Self.second.get()
        let score = run.score
        let alwaysOn = run.settings.host.idleMilliwatts + score.alwaysOnJoules / (score.hours * 3600) * 1000
        #expect(score.deviceMilliwatts < alwaysOn / 12)
        #expect(try run.sleep.boots <= 30)
        // Of the whole day the last location is too far off for less than a hundredth.
        let moving = score.moving.movingShare * (try #require(score.moving.violatedMoving))
        let resting = (1 - score.moving.movingShare) * (try #require(score.moving.violatedRest))
        #expect(moving + resting < 0.01)
    }

    /// The seconds from a boot's end to the first location, by what woke the board; and from that to the boot's end.
    private struct Wake {
        var isByMotion: Bool
        /// Seconds from the alarm, or from the later of motion and cut, until clients are served.
        var booted: Double
        var searched: Double
    }

    private func wakes(_ run: Run) throws -> [Wake] {
        let start = run.settings.trajectory.startTime
        let spells = try run.sleep.spells
        return spells.indices.dropFirst(4).compactMap { index -> Wake? in
            guard spells[index].state == .on, spells[index - 1].state == .booting else { return nil }
            let (served, woken, stopped) = (spells[index].from, spells[index - 1].from, spells[index - 4].from)
            let fix = run.result.record.deliveries.first { $0.time - start >= served }
            guard let fix, fix.time - start < spells[index].until else { return nil }
            let motion = run.result.motions.first { edge in
                edge.isMoving && (stopped...woken + 0.001).contains(edge.time - start)
            }
            // Motion is felt while the board stops too, and wakes it right after the cut.
            let cut = spells[index - 2].from
            let called = motion.map { max($0.time - start, cut) } ?? woken
            return Wake(isByMotion: motion != nil, booted: served - called, searched: fix.time - start - served)
        }
    }

    @Test(.enabled(if: Samples.hasTruths, Samples.noTruths))
    func `SLEEP-06: an alarm is served a boot later, most motions are located a hot start and 3 s after that`() throws {
        let run = try Self.second.get()
        let boot = try #require(run.settings.hostSleep).costs.bootSeconds
        let wakes = try wakes(run)
        #expect(wakes.count { $0.isByMotion } >= 10)
        #expect(wakes.allSatisfy { $0.booted <= boot + 1 })
        let searches = wakes.filter(\.isByMotion).map(\.searched)
        // A hot start takes 6.5 s. After a rest whose ephemerides are too old by then the receiver reads them anew.
        let hot = searches.count { $0 <= 6.5 + 3 }
        #expect(Double(hot) >= 0.7 * Double(searches.count), "\(searches.sorted())")
    }

    @Test(.enabled(if: Samples.hasTruths, Samples.noTruths))
    func `SLEEP-13: after two hours off with a backup supply, 19 of 20 starts are hot`() throws {
        let searches = try wakes(Self.resting.get()).filter { !$0.isByMotion }.map(\.searched)
        #expect(searches.count > 50)
        let hot = searches.count { $0 <= 10 }
        #expect(Double(hot) >= 0.95 * Double(searches.count), "\(hot) of \(searches.count)")
    }

    @Test(.enabled(if: Samples.hasTruths, Samples.noTruths))
    func `SLEEP-12: the recordings of a hundred boots give the same again, and a boot that is left out is missed`()
        throws
    {
        let recording = try Self.resting.get().result.recording
        let (differences, chain) = try Self.replay(recording)
        #expect(differences == 0)
        #expect(chain.boots > 100 && chain.breaks == [], "\(chain.boots)")

        var (reader, shorter, boots) = (try FlightReader(recording), FlightFormat.head, 0)
        while let record = try reader.next() {
            if case .started = record.input { boots += 1 }
            guard boots != 50 else { continue }
            FlightFormat.append(record.input, at: record.instant, digest: record.digest, to: &shorter)
        }
        #expect(try Self.replay(shorter).chain.breaks == [50])
    }

    private static func replay(_ recording: [UInt8]) throws -> (differences: Int, chain: BootChain) {
        var replay = try Replay(recording)
        var chain = BootChain()
        while try replay.step({ chain.take($0, $1) }) {}
        return (replay.differences, chain)
    }

    @Test(.enabled(if: Samples.hasTruths, Samples.noTruths))
    func `SLEEP-14: over a hundred sleeps the account is the time in each state times its power`() throws {
        let run = try Self.resting.get()
        let (sleep, ledger) = (try run.sleep, try #require(run.result.sleep?.ledger))
        #expect(ledger.boots > 100 && ledger.untimed == 0)
        // What came after the last boot is not on the card yet.
        let end = try #require(sleep.spells.lastIndex { $0.state == .booting })
        var allJoules = 0.0
        for state in HostLedger.State.allCases {
            let spells = sleep.spells[...end].filter { $0.state.rawValue == state.name.description }
            let (seconds, joules) = spells.reduce((0.0, 0.0)) { ($0.0 + $1.until - $1.from, $0.1 + $1.joules) }
            allJoules += joules
            #expect(abs(ledger.spent(state).seconds - seconds) <= 0.01 * seconds, "\(state)")
            guard state != .on else { continue }
            #expect(abs(ledger.spent(state).joules - joules) <= 0.01 * joules, "\(state)")
        }
        // Who asked pays for the wakes that come of it.
        let woken = HostLedger.Reason.allCases.reduce(0) { $0 + ledger.wakes($1).joules }
        #expect(abs(ledger.clients.reduce(0) { $0 + $1.joules } - woken) <= 1e-6 * woken)
        #expect(ledger.clients.map(\.name) == ["local"])
        // While it is on, the receiver and the host's wake-ups come to what the idle host draws.
        let rest = run.result.drawnJoules + Double(run.result.hostWakes) * run.settings.host.wakeMillijoules / 1000
        #expect(abs(ledger.total.joules - allJoules - rest) <= 0.01 * allJoules)
    }

    @Test(.enabled(if: Samples.hasTruths, Samples.noTruths))
    func `SLEEP-20: the page has the figures of the simulation, what is assumed, the limit, and what no one has tried`()
        throws
    {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Sources/Core/HostSleep/README.md"), encoding: .utf8)
        let rows = [
            ("the first day", try Self.first.get()), ("once the sensor is proven", try Self.second.get()),
            ("a hike of four hours", try Run("hike-4h")), ("seven hours of sport", try Run("multisport-7h")),
        ]
        for (name, run) in rows {
            let (score, milliwatts) = (run.score.moving, run.score.deviceMilliwatts)
            let life = 10_000 * HostCosts.converterEfficiency / milliwatts
            let off = ((score.violatedMoving ?? 0) * 1000).rounded() / 10
            let row = """
                | host sleep, \(name) | \(Int(milliwatts.rounded())) mW | \(Int(life.rounded())) h | \
                \(try run.sleep.boots) | \(off) % | \(Int((score.rightAgainP90 ?? 0).rounded())) s |
                """
            #expect(page.contains(row), "\(row)")
        }
        for words in [
            "**Nothing here has met a real switch so far**", "[assumed]", "**Motion is the limit**",
            "a fifth of the day",
        ] { #expect(page.contains(words), "\(words)") }
    }
}
