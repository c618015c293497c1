import Testing

@testable import Simulation

@Suite("LocationLine")
struct LocationLineTests {
    private func read(_ text: String) -> LocationLine? { LocationLine(Array(text.utf8).span) }

    @Test func `reads position and accuracy despite nested members of the same name`() {
        let line = read(
            "{\"event\":\"location\",\"id\":\"a\\\"}\",\"latitude\":48.137000123,\"longitude\":-11.500000000,"
                + "\"horizontalAccuracy\":4.530,\"errorStatistics\":{\"latitude\":3.1,\"longitude\":2.7},"
                + "\"age\":0.000}\n")
        #expect(line?.latitude == 48.137000123)
        #expect(line?.longitude == -11.5)
        #expect(line?.horizontalAccuracy == 4.53)
    }

    @Test func `reads the location's own time, and ignores an invalid one`() {
        let begin = "{\"event\":\"location\",\"time\":\""
        let end = "\",\"latitude\":0.5,\"longitude\":1}\n"
        #expect(read(begin + "2026-11-21T07:15:00.250Z" + end)?.time == 1_795_245_300.25)
        #expect(read(begin + "2026-13-21T07:15:00.250Z" + end)?.time == nil)
        #expect(read(begin + "soon" + end)?.latitude == 0.5)
    }

    @Test func `a missing accuracy is nil`() {
        let line = read(
            "{\"event\":\"location\",\"latitude\":0.5,\"longitude\":1,"
                + "\"dilutionOfPrecision\":{\"horizontal\":0.9}}\n")
        #expect(line?.longitude == 1)
        #expect(line?.horizontalAccuracy == nil)
    }

    @Test(arguments: [
        "", "{}", "{\"event\":\"hello\",\"latitude\":1,\"longitude\":2}\n",
        "{\"event\":\"location\",\"latitude\":1.0}\n", "{\"event\":\"location\",\"latitude\":1.0,\"longitude\":",
    ])
    func `a line without a position gives nothing`(text: String) {
        #expect(read(text) == nil)
    }
}
