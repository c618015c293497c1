import ClientProtocol
import ClientVocabulary
import Parts
import PartsTestSupport
import SextantUnits
import Testing

@testable import Outbox

@Suite("Border book")
struct BorderBookTests {
    private let enter = BorderStart(client: "a", region: "home", event: .enter, unit: "gate.service")
    private let exit = BorderStart(client: "a", region: "home", event: .exit, unit: "lock.service")
    private let dwell = BorderStart(client: "a", region: "home", event: .dwell, unit: "heat.service")

    /// What a crossing calls for, as the Engine passes it on.
    private func cross(_ start: BorderStart, _ book: inout BorderBook, _ seconds: Double) -> [BorderEffect] {
        if start.event != .dwell { book.turned(start.client, start.region) }
        return book.crossed(start, at: at(seconds))
    }

    @Test func `a crossing starts its unit at once, and a request that is not taken is withdrawn after 10 s`() {
        var book = BorderBook()
        #expect(cross(enter, &book, 0) == [.start(enter)])
        #expect(book.deadline == at(10))
        #expect(book.advance(to: at(9)) == [])
        #expect(book.advance(to: at(10)) == [.expire(enter)])
        #expect(book.advance(to: at(60)) == [])
        #expect(book.deadline == nil)
    }

    @Test func `the same event of the same region starts a unit once a minute, and a later one waits`() {
        var book = BorderBook()
        #expect(cross(enter, &book, 0) == [.start(enter)])
        #expect(cross(exit, &book, 20) == [.start(exit)])
        #expect(cross(enter, &book, 40) == [])
        #expect(book.advance(to: at(59)) == [.expire(enter), .expire(exit)])
        #expect(book.advance(to: at(60)) == [.start(enter)])
        #expect(book.advance(to: at(119)) == [.expire(enter)])
        #expect(book.advance(to: at(120)) == [] && book.deadline == nil)
    }

    @Test func `a waiting start is dropped where the board crosses the border again, so that the last crossing counts`()
    {
        var book = BorderBook()
        _ = cross(enter, &book, 0)
        _ = cross(exit, &book, 20)
        _ = cross(enter, &book, 40)
        #expect(cross(exit, &book, 50) == [])
        _ = book.advance(to: at(59))
        #expect(book.advance(to: at(60)) == [])
        #expect(book.advance(to: at(80)) == [.start(exit)])
    }

    @Test func `a dwell drops no waiting entry`() {
        var book = BorderBook()
        _ = cross(enter, &book, 0)
        _ = cross(enter, &book, 30)
        #expect(cross(dwell, &book, 40) == [.start(dwell)])
        #expect(book.advance(to: at(60)).contains(.start(enter)))
    }

    @Test func `regions and clients have their own minutes`() {
        var book = BorderBook()
        var work = enter
        work.region = "work"
        var other = enter
        other.client = "b"
        #expect(cross(enter, &book, 0) == [.start(enter)])
        #expect(cross(work, &book, 1) == [.start(work)])
        #expect(cross(other, &book, 2) == [.start(other)])
    }
}
