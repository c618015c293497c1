import PlaceTable
import Testing

@testable import Page

@Suite("Names of places for the page")
struct PlaceNamesTests {
    @Test func `without a table there are no names`() throws {
        let answer = try PlaceNameQuery("47.4,8.5;-16.8,180").answer(PlaceTables { [] })
        #expect(String(decoding: answer, as: UTF8.self) == #"{"near":[]}"#)
    }

    @Test(arguments: [
        "", ";", "47.4", "47.4,8.5,1", "47.4,8.5;x,9", "90.1,0", "0,nan",
        Array(repeating: "47,8", count: 65).joined(separator: ";"),
    ])
    func `what are no points, or too many, is refused`(text: String) {
        #expect(throws: Refusal(400, "at: 1 to 64 points, such as 47.4,8.5;47.1,7.2.")) { try PlaceNameQuery(text) }
    }
}
