import ClientVocabulary
import DaemonClient
import SextantJSON
import Testing

@Suite("Request to the daemon")
struct DaemonRequestTests {
    @Test func `a request is one line of JSON with its members in the order in which they were given`() {
        let request = DaemonRequest(.watch).with(.accuracy, 50.5).with(.session, 3).with(.pausesAutomatically, false)
        #expect(request.text == #"{"request":"watch","accuracy":50.5,"session":3,"pausesAutomatically":false}"#)
        #expect(request.bytes == Array((request.text + "\n").utf8))
    }

    @Test func `members that are nil or no number of JSON are left out`() {
        let nothing: String? = nil
        #expect(DaemonRequest(.locate).with(.id, nothing).with(.accuracy, Double.nan) == DaemonRequest(.locate))
        #expect(DaemonRequest(.locate).with(.timeout, Double.infinity) == DaemonRequest(.locate))
    }

    @Test func `no text can end its string or its line`() throws {
        let text = "a\"b\\c\nd\u{1}é"
        let request = DaemonRequest(.unmonitorRegion).with(.identifier, text)
        #expect(!request.text.contains("\n"))
        #expect(
            try JSONValue(parsing: Array(request.text.utf8))
                == .object(["request": .string("unmonitorRegion"), "identifier": .string(text)]))
    }

    @Test func `a value of any shape is a member`() {
        let ring = JSONValue.array([.array([.number(8.5), .number(47)]), .null])
        let request = DaemonRequest(.monitorRegion).with(.polygon, json: ring)
        #expect(request.text == #"{"request":"monitorRegion","polygon":[[8.5,47],null]}"#)
    }
}
