import Receivers
import SextantUnits
import Testing
import UBX

/// A generator whose numbers are the same in every run.
private struct Dice {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func roll(_ sides: Int) -> Int { Int(random.next() % UInt64(sides)) }
}

@Suite("Receiver controller: faults")
struct FaultTests {
    private static let languages: [StandIn.Language] = [.ublox, .ublox, .ublox, .mediaTek, .airoha, .casic, .mute]
    private static let lineSets: [Set<LineRole>] = [
        [], [.powerEnable], [.wake], [.powerEnable, .backupSupply], [.powerEnable, .wake],
    ]

    private static func bench(_ dice: inout Dice) -> Bench {
        var receiver = StandIn(language: languages[dice.roll(languages.count)])
        if dice.roll(2) == 0 { receiver.version = [.m8N, .neo6M, .f9P][dice.roll(3)] }
        receiver.hasBackup = dice.roll(2) == 0
        receiver.baud = [9600, 38_400, 115_200][dice.roll(3)]
        receiver.defaultBaud = receiver.baud
        let models: [ReceiverModel?] = [nil, nil, .maxM10S, .neoM8N, .pa1616, .l76K, .generic]
        return Bench(
            .plain(
                models[dice.roll(models.count)], lines: lineSets[dice.roll(lineSets.count)],
                baud: [nil, 115_200][dice.roll(2)], backup: receiver.hasBackup), receiver)
    }

    private static func disturb(_ bench: inout Bench, _ dice: inout Dice) {
        switch dice.roll(14) {
        case 0: bench.wake()
        case 1: bench.wake(ReceiverAid(time: nil, position: nil))
        case 2: bench.sleep(.software, for: [nil, 5, 100, 1e5][dice.roll(4)])
        case 3: bench.sleep(.hardware)
        case 4: bench.sleep(.cut)
        case 5: bench.sleep(.cyclic)
        case 6: bench.unplug()
        case 7: bench.open(baud: bench.receiver.baud)
        case 8: bench.receiver.isDead.toggle()
        case 9: bench.receiver.obeysSleep.toggle()
        case 10: bench.receiver.answers.toggle()
        case 11: bench.receiver.sleepsUntil = nil
        case 12: bench.receiver.baud = [9600, 38_400, 115_200][dice.roll(3)]
        default: bench.send([0x24, 0xFF, 0xB5, 0x62], after: 0.1)
        }
    }

    private static func mend(_ bench: inout Bench) {
        bench.receiver.isDead = false
        bench.receiver.obeysSleep = true
        bench.receiver.answers = true
        bench.open(baud: bench.receiver.baud)
    }

    /// Whether a held transmitter, or an unsupplied receiver, was written to.
    private static func droveDeadPins(_ events: [Bench.Event]) -> Bool {
        var isHeld = false
        for event in events {
            switch event {
            case .hold(let held): isHeld = held
            case .write where isHeld, .line(.wake, true) where isHeld: return true
            case .write, .line, .baud, .report: break
            }
        }
        return isHeld && events.last == .line(.powerEnable, true)
    }

    @Test(arguments: 0..<100)
    func `after any faults the controller recovers, without spinning or driving unpowered pins`(seed: Int) {
        var dice = Dice(seed: UInt64(seed))
        var bench = Self.bench(&dice)
        bench.open(baud: bench.receiver.baud)
        for _ in 0..<25 {
            Self.disturb(&bench, &dice)
            bench.run(for: [0, 0.3, 2, 30, 4000][dice.roll(5)])
        }
        #expect(bench.events.count < 8000)
        Self.mend(&bench)
        bench.wake()
        bench.run(for: 1500)
        #expect(bench.controller.state == .ready)
        #expect(!Self.droveDeadPins(bench.events.map(\.event)))
        let requests = bench.writes.compactMap { bytes in
            bytes.count >= 16 && bytes[2] == 0x02
                ? try? RxmPMREQ(payload: bytes.span.extracting(6..<bytes.count - 2)) : nil
        }
        #expect(requests.allSatisfy { $0.durationMilliseconds > 0 })
    }
}
