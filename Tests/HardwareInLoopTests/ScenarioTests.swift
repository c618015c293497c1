import Emulation
import HostSleep
import Receivers
import SextantUnits
import Testing

@testable import HardwareInLoop

@Suite("Scenario")
struct ScenarioTests {
    private func steps(_ text: String) throws -> [HardwareInLoop.Step] {
        try Scenario(named: "test", text).lines.map(\.step)
    }

    @Test func `each line is a step, and empty lines and comments are ignored`() throws {
        let text = """
            # Shows something.

            start daemon            # with a reason
              wait 1.5 s
            """
        #expect(try steps(text) == [.startDaemon, .wait(1.5)])
        #expect(try Scenario(named: "test", text).summary == "Shows something.")
    }

    @Test func `the arguments of a step are read by position`() throws {
        #expect(try steps("expect line powerEnable on within 5 s") == [.expectLine(.powerEnable, true, within: 5)])
        #expect(
            try steps("expect line powerEnable stays off for 2 s") == [
                .expectLineStays(.powerEnable, false, lasting: 2)
            ])
        #expect(try steps("expect line wake undriven within 2 s") == [.expectDriven(.wake, false, within: 2)])
        #expect(
            try steps("client watch watch --accuracy 100") == [
                .startClient(name: "watch", ["watch", "--accuracy", "100"])
            ])
        #expect(try steps("expect log within 3 s: the line is gone") == [.expectLog("the line is gone", within: 3)])
        #expect(try steps("carry receiver along drive.csv") == [.carryReceiver(file: "drive.csv")])
        #expect(
            try steps("expect location within 50 m of the truth within 20 s") == [
                .expectLocation(metres: 50, within: 20)
            ])
        #expect(
            try steps("expect location within 50 m of the truth for 95 % of 60 s") == [
                .expectLocationHeld(metres: 50, percent: 95, lasting: 60)
            ])
        #expect(try steps("run within 9 s: test -e /a") == [.retry("test -e /a", within: 9)])
        #expect(
            try steps("refused: cat /a => b => No such file") == [.refuse("cat /a => b", saying: "No such file")])
        #expect(try steps("refused inside: cat /a => denied") == [.refuseInside("cat /a", saying: "denied")])
        #expect(try steps("switch pijuice") == [.hostSleep(.fit(.pijuice))])
        #expect(
            try steps("switch register 0xB9 writeLost") == [.hostSleep(.fault(register: 0xB9, .writeLost))])
        #expect(try steps("switch register 0xB9 none") == [.hostSleep(.fault(register: 0xB9, nil))])
        #expect(try steps("carry receiver 400 m east") == [.hostSleep(.carry(metresEast: 400))])
        #expect(
            try steps("expect awake by backstop within 9 s") == [.hostSleep(.expectAwake(.backstop, within: 9))])
        #expect(try steps("set clock to 1970-01-01") == [.setClock(unixSeconds: 0)])
        #expect(try steps("set clock to 2000-03-01") == [.setClock(unixSeconds: 951_868_800)])
    }

    @Test(arguments: [
        ("expect line powerEnabel on within 5 s", "wanted: expect line <role> <on/off> within <seconds> s"),
        ("expect fix soon", "expect fix within <seconds> s"),
        ("dance", "--words"), ("switch abacus", "wanted: switch <model>"), ("nack 1e", "wanted: nack <address>"),
        ("wait -1 s", "wanted: wait <seconds> s"),
        ("# nothing", "no steps"), ("refused: cat /a", "wanted: refused: <words...>"),
    ])
    func `an invalid line is reported with its number and what was expected`(text: String, expected: String) {
        let failure = #expect(throws: LoopFailure.self) { _ = try Scenario(named: "test", text) }
        #expect(failure?.description.contains(expected) ?? false, "\(failure?.description ?? "")")
    }

    @Test func `with a patience only waits for a state get longer`() throws {
        let text = """
            expect fix within 5 s
            run within 9 s: true
            expect line wake driven within 0 s
            expect no fix for 3 s
            expect line wake stays on for 2 s
            wait 1 s
            """
        #expect(
            try steps(text).map { $0.waiting(atMost: 300) } == [
                .expectFix(within: 300), .retry("true", within: 300), .expectDriven(.wake, true, within: 0),
                .expectNoFix(lasting: 3), .expectLineStays(.wake, true, lasting: 2), .wait(1),
            ])
    }

    @Test func `of a scenario that failed the step, what was seen and the end of the log are printed`() {
        var result = ScenarioResult(name: "uart")
        result.lines = [
            .init(text: "start daemon", result: .passed, start: 0, seconds: 1),
            .init(text: "refused: cat /a => denied", result: .refused("denied"), start: 1, seconds: 1),
            .init(text: "expect fix within 5 s", result: .failed("no fix came"), start: 2, seconds: 5),
        ]
        result.lastLines = ["1.00 daemon: serving"]
        #expect(
            result.text == [
                "FAILED  uart  0.00 s", "        expect fix within 5 s: FAILED: no fix came",
                "        | 1.00 daemon: serving",
            ])
    }

    @Test func `bytes are written and read as hexadecimal digits`() {
        #expect(Hexadecimal.text([0x00, 0xFF, 0x61]) == "00ff61")
        #expect(Hexadecimal.bytes("00ff61") == [0x00, 0xFF, 0x61])
        #expect(Hexadecimal.bytes("").isEmpty)
    }
}
