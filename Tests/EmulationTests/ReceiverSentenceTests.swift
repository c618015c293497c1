import Emulation
import Receivers
import SextantUnits
import Testing

@Suite("EmulatedReceiver: commands in sentences") struct ReceiverSentenceTests {
    private func bench(_ model: ReceiverModel, _ faults: EmulatedReceiver.Faults = []) -> HostBench {
        var bench = HostBench(model) { $0.faults = faults }
        bench.run(to: 3)
        bench.clear()
        return bench
    }

    private func answers(_ bench: HostBench, _ prefix: String) -> [String] {
        bench.sentences.map(\.text).filter { $0.hasPrefix(prefix) }
    }

    @Test func `MediaTek reports its version and acknowledges commands`() {
        var bench = bench(.pa1616)
        bench.send(sentence: "PMTK605")
        bench.send(sentence: "PMTK220,1000")
        bench.send(sentence: "PMTK220,7")
        bench.send(sentence: "PMTK999")
        bench.send(sentence: "PMTK869,1,1")
        bench.send(sentence: "PMTK869,0")
        bench.run(to: 6)
        #expect(
            answers(bench, "PMTK") == [
                "PMTK705,AXN_5.1.7_3333_18041700,0027,PA1616S,1.0", "PMTK001,220,3", "PMTK001,220,0", "PMTK001,999,1",
                "PMTK001,869,3", "PMTK869,2,1",
            ])
    }

    @Test func `MediaTek sends the requested sentences at the requested rate`() {
        var bench = bench(.pa1616)
        bench.send(sentence: "PMTK314,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0")
        bench.send(sentence: "PMTK251,38400")
        bench.run(to: 4)
        bench.clear()
        bench.run(to: 10)
        #expect(Set(bench.sentences.map { $0.text.prefix(5) }) == ["GNRMC", "GNGGA"])
        #expect(bench.sentences.count == 12 && bench.receiver.baud == 38_400)
    }

    @Test func `MediaTek's standby ends at any byte, loses that byte, and keeps the settings`() {
        var bench = bench(.pa1616)
        bench.send(sentence: "PMTK251,38400")
        bench.send(sentence: "PMTK161,0")
        bench.run(to: 4)
        #expect(answers(bench, "PMTK") == ["PMTK001,161,3"])
        #expect(bench.receiver.powerState == .sleep(.software) && bench.receiver.draw == 6)
        bench.clear()
        bench.run(to: 100)
        #expect(bench.byteCount == 0)
        bench.send(sentence: "PMTK605")
        bench.send(sentence: "PMTK225,0")
        bench.run(to: 103)
        #expect(answers(bench, "PMTK001") == ["PMTK001,225,3"] && answers(bench, "PMTK705").isEmpty)
        #expect(bench.receiver.baud == 38_400)
    }

    @Test func `MediaTek's perpetual backup ends only at an edge on the wake line`() {
        var bench = bench(.pa1616)
        bench.send(sentence: "PMTK225,4")
        bench.run(to: 10)
        bench.send([0xFF, 0xFF])
        #expect(bench.receiver.powerState == .sleep(.software))
        bench.set(.wake, false)
        bench.set(.wake, true)
        #expect(bench.receiver.powerState == .acquire)
    }

    @Test func `CASIC obeys commands without acknowledging them`() {
        var bench = bench(.l76K)
        bench.send(sentence: "PCAS06,0")
        bench.send(sentence: "PCAS03,0,0,0,0,1,0,0,0")
        bench.send(sentence: "PCAS01,5")
        bench.run(to: 4)
        #expect(answers(bench, "GPTXT") == ["GPTXT,01,01,02,SW=URANUS5,V5.3.0.0"])
        bench.clear()
        bench.run(to: 9)
        #expect(bench.sentences.count == 5 && bench.sentences.allSatisfy { $0.text.hasPrefix("GNRMC") })
        #expect(bench.receiver.baud == 115_200)
    }

    @Test(arguments: [true, false])
    func `CASIC's timed standby works, or is ignored when that fault is injected`(isIgnored: Bool) {
        var bench = bench(.l76K, isIgnored ? .ignoresTimedStandby : [])
        bench.send(sentence: "PCAS12,60")
        bench.run(to: 62)
        #expect((bench.receiver.powerState == .sleep(.software)) == !isIgnored)
        bench.run(to: 64)
        #expect(bench.receiver.powerState != .sleep(.software))
    }

    @Test func `Airoha acknowledges commands, stops and starts, and sleeps until an edge on its wake line`() {
        var bench = bench(.lc76G)
        bench.send(sentence: "PAIR003")
        bench.run(to: 4)
        #expect(answers(bench, "PAIR") == ["PAIR001,003,0"])
        bench.send(sentence: "PAIR002")
        bench.send(sentence: "PAIR062,3,0")
        bench.send(sentence: "PAIR777")
        bench.run(to: 6)
        bench.clear()
        bench.run(to: 8)
        #expect(answers(bench, "GPGSV").isEmpty && !bench.sentences.isEmpty)
        bench.send(sentence: "PAIR650,0")
        bench.run(to: 9)
        bench.send([0xFF])
        #expect(bench.receiver.powerState == .sleep(.software))
        bench.set(.wake, false)
        #expect(bench.receiver.powerState == .acquire)
    }

    @Test func `a generic receiver ignores all commands`() {
        var bench = bench(.generic)
        bench.send(sentence: "PMTK161,0")
        bench.send(sentence: "PCAS12,60")
        bench.send([0xB5, 0x62, 0x0A, 0x04, 0x00, 0x00, 0x0E, 0x34])
        bench.run(to: 10)
        #expect(bench.receiver.powerState == .acquire && bench.frames.isEmpty && bench.sentences.count > 40)
    }
}
