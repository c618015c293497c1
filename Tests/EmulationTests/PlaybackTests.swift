import Emulation
import Testing

@Suite("RecordingPlayer") struct RecordingPlayerTests {
    private static func bursts(_ player: RecordingPlayer) -> [Burst] {
        var player = player
        var bursts: [Burst] = []
        while let burst = player.nextBurst() { bursts.append(burst) }
        return bursts
    }

    private static func player(_ bytes: [UInt8]) -> RecordingPlayer {
        RecordingPlayer(recording: bytes, bitsPerSecond: 9600, isLooping: false)
    }

    private static func recorded(_ output: SyntheticReceiver.Output, rate: Int, acquisition: Acquisition) -> [Burst] {
        var configuration = Samples.configuration(output)
        configuration.rate = rate
        configuration.acquisition = acquisition
        return Samples.bursts(100, configuration)
    }

    @Test(arguments: SyntheticReceiver.Output.allCases, [1, 5, 10])
    func `finds the epochs in a recording of a receiver`(output: SyntheticReceiver.Output, rate: Int) {
        let sent = Self.recorded(output, rate: rate, acquisition: .none)
        let player = Self.player(sent.flatMap(\.bytes))
        #expect(Self.bursts(player) == sent)
        #expect(player.usualPeriod == 1_000_000_000 / Int64(rate))
    }

    @Test func `bytes before the first time in a recording are sent with the first burst`() {
        let sent = Self.recorded(.nmea, rate: 1, acquisition: .coldStart)
        let bursts = Self.bursts(Self.player(sent.flatMap(\.bytes)))
        #expect(bursts.count == 93)
        #expect(bursts[0].bytes == sent[...7].flatMap(\.bytes))
    }

    @Test func `only comments at the head of a recording are removed`() {
        let line = Array("$GNRMC,100007.00,V,,,,,,,,,,N*6A\r\n# kept\n".utf8)
        let bursts = Self.bursts(Self.player(Array("# Date: 2026-03-01\n#\r\n# more\n".utf8) + line))
        #expect(bursts.map(\.bytes) == [line])
    }

    @Test func `keeps its usual period over midnight and over a jump in time`() {
        let lines = ["235958.00", "235959.00", "000000.00", "000001.00", "120000.00", "120001.00"].map { time in
            let body = "GNRMC,\(time),V,,,,,,,,,,N"
            let checksum = body.utf8.reduce(0, ^)
            let digits = String(checksum, radix: 16, uppercase: true)
            return Array("$\(body)*\(digits.utf8.count < 2 ? "0" : "")\(digits)\r\n".utf8)
        }
        let bursts = Self.bursts(Self.player(lines.flatMap { $0 }))
        #expect(bursts.map(\.offset) == (0..<6).map { $0 * 1_000_000_000 })
    }

    @Test func `a recording without times is played at the line's speed`() {
        let bytes = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let bursts = Self.bursts(Self.player(bytes))
        #expect(bursts.flatMap(\.bytes) == bytes)
        #expect(bursts[3].offset == 800_000_000)
    }

    @Test func `a looped recording has one period between its last and its first epoch`() {
        let sent = Self.recorded(.ubx, rate: 5, acquisition: .none)
        var player = RecordingPlayer(recording: sent.flatMap(\.bytes), bitsPerSecond: 9600, isLooping: true)
        for lap in 0..<3 as Range<Int64> {
            for burst in sent {
                let offset = burst.offset + lap * 20_000_000_000
                #expect(player.nextBurst() == Burst(offset: offset, bytes: burst.bytes))
            }
        }
    }

    @Test func `an empty recording gives no bursts, even when looped`() {
        var player = RecordingPlayer(recording: Array("# only\n".utf8), bitsPerSecond: 9600, isLooping: true)
        #expect(player.nextBurst() == nil)
    }

    @Test(
        .enabled(if: Samples.hasRecordings, Samples.noRecordings),
        arguments: [
            ("bt451.log", 500), ("cat-ms352.log", 500), ("gp-320fw-2019-04-06-overflow.log", 1000),
            ("mt3339.log", 1000),
            ("navisys-gr8013.log", 1000), ("quectelLC79D-1.log", 1000), ("sirfstarv-nmea.log", 1000),
            ("skytraq-fix.log", 1000), ("ublox-8.log", 1000), ("ublox-aek-4t.log", 1000), ("ublox-neo-m8n.log", 200),
            ("ublox-zed-f9p-rtk.log", 1000), ("ublox8-uniqid-monhw.log", 1000),
        ])
    func `plays recordings of real receivers completely and at their rate`(name: String, milliseconds: Int64) throws {
        let recording = try #require(Samples.recording(name))
        let bursts = Self.bursts(Self.player(recording))
        let played = bursts.flatMap(\.bytes)
        #expect(recording.suffix(played.count) == played[...])
        #expect(recording.count - played.count < 400)
        #expect(Self.player(recording).usualPeriod == milliseconds * 1_000_000)
        #expect(bursts.count > 3)
    }
}

@Suite("Pacer") struct PacerTests {
    private static let burst = Burst(offset: 2_000_000_000, bytes: [UInt8](repeating: 0x55, count: 960))

    private static func pacer(_ bitsPerSecond: Int?, _ change: (inout Pacer.Configuration) -> Void = { _ in }) -> Pacer
    {
        var configuration = Pacer.Configuration(bitsPerSecond: bitsPerSecond)
        change(&configuration)
        return Pacer(configuration: configuration)
    }

    @Test func `960 bytes take a second at 9600 baud, in pieces of 16`() {
        var pacer = Self.pacer(9600)
        let crumbs = pacer.crumbs(of: Self.burst)
        #expect(crumbs.count == 60)
        #expect(crumbs.allSatisfy { $0.bytes.count == 16 })
        #expect(crumbs[0].offset == 2_016_666_666)
        #expect(crumbs[59].offset == 3_000_000_000)
        #expect(crumbs.flatMap(\.bytes) == Self.burst.bytes)
    }

    @Test func `a burst waits until the line has sent the one before`() {
        var pacer = Self.pacer(9600)
        _ = pacer.crumbs(of: Self.burst)
        let late = pacer.crumbs(of: Burst(offset: 2_500_000_000, bytes: [1, 2, 3]))
        #expect(late.map(\.offset) == [3_003_125_000])
    }

    @Test func `the speed setting divides all offsets`() {
        var pacer = Self.pacer(9600) { $0.speed = 4 }
        #expect(pacer.crumbs(of: Self.burst).last?.offset == 750_000_000)
    }

    @Test func `bytes to a socket are not delayed`() {
        var pacer = Self.pacer(nil)
        #expect(pacer.crumbs(of: Self.burst).allSatisfy { $0.offset == 2_000_000_000 })
    }

    @Test func `whole bursts are dropped when too many bytes wait`() {
        var pacer = Self.pacer(9600) { $0.backlogLimitBytes = 100 }
        _ = pacer.crumbs(of: Self.burst)
        #expect(pacer.crumbs(of: Self.burst).isEmpty)
        #expect(pacer.droppedBursts == 1)
        #expect(pacer.crumbs(of: Burst(offset: 2_900_000_000, bytes: [1])).count == 1)
    }
}

@Suite("Faults") struct FaultsTests {
    private static let crumbs = (0..<1000).map { index in
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: index &* 16 &+ $0) }
        return Crumb(offset: Int64(index) * 10_000_000, bytes: bytes[...])
    }

    private static func run(_ change: (inout Faults.Configuration) -> Void) -> (faults: Faults, steps: [Step]) {
        var configuration = Faults.Configuration(seed: 11)
        change(&configuration)
        var faults = Faults(configuration: configuration)
        var steps: [Step] = []
        for crumb in crumbs { steps += faults.steps(from: crumb) }
        steps += faults.finalSteps()
        return (faults, steps)
    }

    private static func written(_ steps: [Step]) -> [UInt8] {
        steps.flatMap { step -> [UInt8] in
            guard case .write(let bytes) = step.action else { return [] }
            return bytes
        }
    }

    @Test func `without faults the bytes are unchanged`() {
        #expect(Self.run { _ in }.steps == Self.crumbs.map { Step(at: $0.offset, action: .write(Array($0.bytes))) })
    }

    @Test func `counts the dropped bytes`() {
        let (faults, steps) = Self.run { $0.dropProbability = 0.05 }
        #expect((650...950).contains(faults.droppedBytes))
        #expect(Self.written(steps).count == 16_000 - faults.droppedBytes)
    }

    @Test func `counts the flipped bits`() {
        let (faults, steps) = Self.run { $0.flipProbability = 0.05 }
        let changed = zip(Self.written(steps), Self.crumbs.flatMap(\.bytes)).map { ($0 ^ $1).nonzeroBitCount }
        #expect((650...950).contains(faults.flippedBits))
        #expect(changed.reduce(0, +) == faults.flippedBits)
    }

    @Test func `the same seed gives the same faults`() {
        let run = { Self.run { ($0.dropProbability, $0.flipProbability) = (0.1, 0.1) }.steps }
        #expect(run() == run())
    }

    @Test func `sends nothing during a pause`() {
        let (faults, steps) = Self.run { $0.pauses = [.init(afterSeconds: 2, lengthSeconds: 3)] }
        #expect(faults.silencedBytes == 300 * 16)
        #expect(!steps.contains { (2_000_000_000..<5_000_000_000).contains($0.at) })
        #expect(steps.count == 700)
    }

    @Test func `disconnects, stays silent and reconnects`() {
        let (faults, steps) = Self.run { $0.disconnects = [.init(afterSeconds: 2, lengthSeconds: 3)] }
        #expect(faults.silencedBytes == 300 * 16)
        #expect(steps[200] == Step(at: 2_000_000_000, action: .disconnect))
        #expect(steps[201] == Step(at: 5_000_000_000, action: .reconnect))
        #expect(steps.count == 702)
    }

    @Test func `reconnects even when the stream has ended`() {
        let (_, steps) = Self.run { $0.disconnects = [.init(afterSeconds: 9, lengthSeconds: 30)] }
        #expect(steps.last == Step(at: 39_000_000_000, action: .reconnect))
    }
}

@Suite("ReceiverScript") struct ReceiverScriptTests {
    private static func script(
        _ configuration: SyntheticReceiver.Configuration, faults: Faults.Configuration, durationSeconds: Double?
    ) -> ReceiverScript {
        ReceiverScript(
            source: .synthetic(Samples.receiver(configuration)),
            pacer: Pacer(configuration: Pacer.Configuration(bitsPerSecond: 38_400)),
            faults: Faults(configuration: faults),
            durationSeconds: durationSeconds
        )
    }

    @Test func `plays whole epochs for the requested duration`() {
        var script = Self.script(Samples.configuration(.both), faults: .init(seed: 1), durationSeconds: 40)
        var bytes: [UInt8] = []
        var last: Int64 = 0
        while let step = script.next() {
            #expect(step.at >= last)
            last = step.at
            if case .write(let written) = step.action { bytes += written }
        }
        #expect(bytes == Samples.bursts(40, Samples.configuration(.both)).flatMap(\.bytes))
        #expect((39_000_000_000..<40_000_000_000).contains(last))
    }

    @Test func `without a duration it plays endlessly, with its events in order`() {
        var faults = Faults.Configuration(seed: 1)
        faults.disconnects = [.init(afterSeconds: 10, lengthSeconds: 20)]
        var script = Self.script(Samples.configuration(.nmea), faults: faults, durationSeconds: nil)
        var last: Int64 = 0
        var events: [Step] = []
        while last < 600_000_000_000, let step = script.next() {
            #expect(step.at >= last)
            last = step.at
            if step.action == .disconnect || step.action == .reconnect { events.append(step) }
        }
        #expect(last >= 600_000_000_000)
        #expect(
            events == [
                Step(at: 10_000_000_000, action: .disconnect), Step(at: 30_000_000_000, action: .reconnect),
            ])
    }
}
