import Receivers
import Testing
import UBX

@Suite("Receiver controller: detection")
struct DetectionTests {
    @Test func `the controller identifies a u-blox 10 before it writes anything else`() {
        var bench = Bench(.plain())
        bench.open(baud: 9600)
        bench.wake()
        bench.run(until: 10)
        #expect(bench.controller.state == .ready)
        #expect(bench.controller.identity?.family == .ublox9and10)
        #expect(bench.controller.identity?.model == .maxM10S)
        #expect(bench.controller.identity?.firmware == "SPG 5.10")
        #expect(bench.controller.identity?.protocolVersion == 3410)
        #expect(bench.reports == [.identified, .ready])
        #expect(bench.receiver.commands.first == .monVER)
        // Bytes that wake a receiver which an earlier run put to sleep come before the first question.
        #expect(bench.writes.first == [UInt8](repeating: 0xFF, count: 8))
        #expect(bench.writes[1] == [0xB5, 0x62, 0x0A, 0x04, 0x00, 0x00, 0x0E, 0x34])
    }

    @Test func `MediaTek, Airoha and CASIC are asked in this order`() {
        let expected: [(StandIn.Language, ReceiverFamily, ReceiverModel?)] = [
            (.mediaTek, .mediaTek, .pa1616), (.airoha, .airoha, nil), (.casic, .casic, nil),
        ]
        for (language, family, model) in expected {
            let bench = Bench.awake(.plain(), StandIn(language: language))
            #expect(bench.controller.state == .ready)
            #expect(bench.controller.identity?.family == family)
            #expect(bench.controller.identity?.model == model)
            #expect(bench.reports == [.identified, .ready])
        }
        let bench = Bench.awake(.plain(), StandIn(language: .casic))
        #expect(bench.receiver.sentences.prefix(3) == ["PMTK605", "PAIR020", "PCAS06,0"])
    }

    @Test func `a receiver that reports but never answers is a generic one`() {
        let bench = Bench.awake(.plain(), StandIn(language: .mute))
        #expect(bench.controller.state == .ready)
        #expect(bench.controller.identity?.family == .generic)
        #expect(bench.controller.identity?.model == nil)
        #expect(bench.controller.sleepKinds == [])
    }

    @Test func `with a configured model only its own question is asked`() {
        let bench = Bench.awake(.plain(.pa1616), StandIn(language: .mediaTek))
        #expect(bench.receiver.commands.isEmpty)
        #expect(bench.receiver.sentences.first == "PMTK605")
        #expect(bench.controller.identity?.model == .pa1616)
    }

    @Test func `a receiver that differs from the configured model is recognised`() {
        let bench = Bench.awake(.plain(.pa1616), StandIn())
        #expect(bench.controller.identity?.model == .maxM10S)
        #expect(bench.controller.state == .ready)
    }

    @Test func `a receiver that does not name its module is taken for the board's model`() {
        var receiver = StandIn()
        receiver.version = .neo6M
        let bench = Bench.awake(.plain(.neo6M), receiver)
        #expect(bench.controller.identity?.model == .neo6M)
        #expect(bench.controller.identity?.generation == 6)
    }

    @Test(arguments: [
        (MonVER.m8N, "NEO-M8N-0", Optional(ReceiverModel.neoM8N)), (.m8N, "MAX-M8Q-0", .maxM8Q),
        (.m8N, "LEA-M8S-0", nil),
        (.m9N, "NEO-M9N", .neoM9N), (.f9P, "ZED-F9P", .zedF9P), (.m9N, "NEO-M10", nil),
    ])
    func `a u-blox's model is the module that it names`(version: MonVER, module: String, model: ReceiverModel?) throws {
        var receiver = StandIn()
        receiver.version = version
        receiver.version.extensions[3] = "MOD=\(module)"
        let identity = Bench.awake(.plain(), receiver).controller.identity
        #expect(identity?.model == model)
        #expect(identity?.description.hasPrefix("u-blox \(module), ") == true)
    }

    @Test func `an unknown u-blox 9 module is nearest to the M9 or F9 by its firmware`() {
        var receiver = StandIn()
        for (version, nearest) in [(MonVER.m9N, ReceiverModel.neoM9N), (.f9P, .zedF9P)] {
            receiver.version = version
            receiver.version.extensions[3] = "MOD=MIA-M9"
            let identity = Bench.awake(.plain(), receiver).controller.identity
            #expect(identity?.model == nil && identity?.nearestModel == nearest)
        }
    }

    @Test func `a receiver at another rate is found`() {
        var receiver = StandIn()
        receiver.baud = 38_400
        var bench = Bench(.plain(), receiver)
        bench.open(baud: 9600)
        bench.wake()
        bench.run(until: 30)
        #expect(bench.controller.state == .ready)
        #expect(bench.controller.baud == 38_400)
    }

    @Test func `on a pseudo-terminal no rate is set`() {
        var bench = Bench(.plain(baud: 115_200))
        bench.open(baud: nil)
        bench.wake()
        bench.run(until: 10)
        #expect(bench.controller.state == .ready)
        #expect(!bench.acts.contains { if case .baud = $0 { true } else { false } })
    }

    @Test func `a receiver that never answers is reported once and asked again after growing waits`() {
        var receiver = StandIn()
        receiver.isDead = true
        var bench = Bench(.plain(.maxM10S), receiver)
        bench.open(baud: nil)
        bench.wake()
        bench.run(until: 3600)
        #expect(bench.reports == [.unresponsive])
        // Two questions a round and the bytes that wake: seconds 0 to 3, 5, 18, 81, 384 and every ten minutes.
        #expect(bench.writes.count < 50)
        bench.receiver.isDead = false
        bench.run(until: 4400)
        #expect(bench.reports == [.unresponsive, .identified, .recovered, .ready])
    }

    @Test func `a lost receiver's supply is switched off and on at most three times`() {
        var receiver = StandIn()
        receiver.isDead = true
        var bench = Bench(.plain(.maxM10S, lines: [.powerEnable, .backupSupply], backup: true), receiver)
        bench.open(baud: nil)
        bench.wake()
        bench.run(until: 7200)
        let offs = bench.acts.filter { $0 == .line(.powerEnable, false) }.count
        #expect(offs == 3)
        #expect(bench.acts.filter { $0 == .line(.backupSupply, false) }.count == 2)
        #expect(bench.reports == [.unresponsive])
    }

    @Test func `a silent receiver is asked again, and configured when it is back`() {
        var bench = Bench.awake(.plain())
        bench.forget()
        bench.receiver.isDead = true
        bench.run(for: 12)
        #expect(bench.controller.state == .detecting)
        bench.receiver.isDead = false
        bench.run(for: 60)
        #expect(bench.controller.state == .ready)
        #expect(bench.reports.last == .ready)
    }

    @Test func `a receiver that restarts on its own is configured again`() {
        var bench = Bench.awake(.plain())
        bench.forget()
        bench.receiver.reportsSentences = true
        bench.run(for: 20)
        #expect(!bench.receiver.reportsSentences)
        #expect(bench.reports == [.ready])
    }

    @Test func `the controller waits for a port that is late or lost`() {
        var bench = Bench(.plain())
        bench.wake()
        bench.run(until: 5)
        #expect(bench.controller.state == .starting)
        #expect(bench.writes.isEmpty)
        bench.open(baud: 9600)
        bench.run(until: 10)
        #expect(bench.controller.state == .ready)
        bench.unplug()
        #expect(bench.controller.state == .starting)
        bench.run(until: 100)
        bench.open(baud: 9600)
        bench.run(until: 110)
        #expect(bench.controller.state == .ready)
    }

    @Test func `a receiver left asleep by an earlier run is woken before it is asked`() {
        for lines in [[], [.powerEnable]] as [Set<LineRole>] {
            var bench = Bench(.plain(lines: lines, backup: true))
            bench.receiver.sleepsUntil = .infinity
            bench.open(baud: 9600)
            bench.wake()
            bench.run(until: 10)
            #expect(bench.controller.identity?.model == .maxM10S)
            #expect(bench.controller.state == .ready)
        }
    }

    @Test func `a receiver that answers late is asked a second time before it counts as mute`() {
        var bench = Bench(.plain(), StandIn(answers: false))
        bench.open(baud: 9600)
        bench.wake()
        bench.run(until: 4)
        bench.receiver.answers = true
        bench.run(until: 15)
        #expect(bench.controller.identity?.model == .maxM10S)
    }

    @Test func `a receiver taken for mute is asked again at its next start`() {
        var bench = Bench(.plain(lines: [.powerEnable], backup: true), StandIn(answers: false))
        bench.open(baud: 9600)
        bench.wake()
        bench.run(until: 30)
        #expect(bench.controller.identity?.family == .generic)
        bench.receiver.answers = true
        bench.sleep(.hardware)
        bench.run(for: 100)
        bench.wake()
        bench.run(for: 30)
        #expect(bench.controller.identity?.model == .maxM10S)
        #expect(bench.reports == [.identified, .ready, .asleep(.hardware), .identified, .ready])
    }
}
