import Receivers
import Testing

@testable import HardwareInLoop

@Suite("Scenario")
struct ScenarioTests {
    private func steps(_ text: String) throws -> [Step] { try Scenario(named: "test", text).lines.map(\.step) }

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
        #expect(try steps("set clock to 1970-01-01") == [.setClock(unixSeconds: 0)])
        #expect(try steps("set clock to 2000-03-01") == [.setClock(unixSeconds: 951_868_800)])
    }

    @Test(arguments: [
        ("expect line powerEnabel on within 5 s", "wanted: expect line <role> <on/off> within <seconds> s"),
        ("expect fix soon", "expect fix within <seconds> s"),
        ("dance", "--words"), ("nack 1e", "wanted: nack <address>"), ("wait -1 s", "wanted: wait <seconds> s"),
        ("# nothing", "no steps"),
    ])
    func `an invalid line is reported with its number and what was expected`(text: String, expected: String) {
        let failure = #expect(throws: LoopFailure.self) { _ = try Scenario(named: "test", text) }
        #expect(failure?.description.contains(expected) ?? false, "\(failure?.description ?? "")")
    }

    @Test func `bytes are written and read as hexadecimal digits`() {
        #expect(Hexadecimal.text([0x00, 0xFF, 0x61]) == "00ff61")
        #expect(Hexadecimal.bytes("00ff61") == [0x00, 0xFF, 0x61])
        #expect(Hexadecimal.bytes("").isEmpty)
    }
}
