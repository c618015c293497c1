import SextantJSON
import Simulation
import Testing

@Suite("RunEvents") struct RunEventsTests {
    private static var record: RunRecord {
        var record = RunRecord()
        record.states = [
            RunRecord.StateChange(time: 1_760_659_200, state: .acquire),
            RunRecord.StateChange(time: 1_760_659_206.5, state: .track),
            RunRecord.StateChange(time: 1_760_659_208, state: .sleep),
        ]
        record.deliveries = [
            RunRecord.Delivery(
                time: 1_760_659_206.5, latitude: 48.137, longitude: -11.575, horizontalAccuracy: 3.25)
        ]
        return record
    }

    @Test func `writes one line per event, in order of time`() {
        #expect(
            Samples.text { RunEvents.write(Self.record, to: &$0) } == """
                {"time":1760659200.000,"receiver":"acquire"}
                {"time":1760659206.500,"receiver":"track"}
                {"time":1760659206.500,"location":{"latitude":48.13700000,"longitude":-11.57500000,\
                "horizontalAccuracy":3.25}}
                {"time":1760659208.000,"receiver":"sleep"}

                """)
    }

    @Test func `reads back what it wrote`() throws {
        let text = Samples.text { RunEvents.write(Self.record, to: &$0) }
        #expect(try RunEvents.read(Array(text.utf8)) == Self.record)
    }

    @Test func `ignores unknown members and events`() throws {
        let noted = "{\"note\":1,\"time\":5,\"receiver\":\"off\"}"
        let text = "\r\n\(noted)\r\n{\"time\":6, \"a\":[1,{},[null,\"\\\"\"]],\"motion\":true}\n"
        let record = try RunEvents.read(Array(text.utf8))
        #expect(record.states == [RunRecord.StateChange(time: 5, state: .off)])
        #expect(record.deliveries.isEmpty)
    }

    @Test func `refuses an endlessly nested line`() {
        let line = "{\"time\":" + String(repeating: "[", count: 100_000)
        #expect(throws: RunEventsError.self) { try RunEvents.read(Array(line.utf8)) }
    }

    @Test(arguments: [
        ("{}", RunEventsError.noTime(line: 2)),
        ("{\"time\":\"now\",\"receiver\":\"off\"}", .noTime(line: 2)),
        ("[]", .noObject(line: 2, detail: "column 1: an object expected")),
        ("{\"time\":1,", .noObject(line: 2, detail: "column 11: a text in quotes expected")),
        ("{\"time\":1 \"a\":2}", .noObject(line: 2, detail: "column 11: a comma or } expected")),
        ("{\"time\":1}}", .noObject(line: 2, detail: "column 11: the end of the line expected")),
        ("{\"time\":1.2.3}", .noObject(line: 2, detail: "column 9: a number expected")),
        ("{\"time\":yes}", .noObject(line: 2, detail: "column 9: a value expected")),
        ("{\"time", .noObject(line: 2, detail: "column 7: a quote that ends the text expected")),
        ("{\"time\":1,\"receiver\":\"on\"}", .unknownState(line: 2, state: "on")),
        ("{\"time\":1,\"location\":{\"latitude\":1}}", .badLocation(line: 2)),
    ])
    func `names the line that is not an event`(text: String, error: RunEventsError) {
        #expect(throws: error) { try RunEvents.read(Array(("{\"time\":0,\"receiver\":\"off\"}\n" + text).utf8)) }
    }
}
