import Testing

@testable import Page

@Suite("A part of the track")
struct TrackWindowTests {
    private func line(_ second: Int) -> [UInt8] {
        Array(
            """
            {"event":"trackPoint","time":"2026-01-01T00:\(second / 60 < 10 ? "0" : "")\(second / 60):\
            \(second % 60 < 10 ? "0" : "")\(second % 60).000Z","latitude":47.5,"longitude":8.5}
            """.utf8)
    }

    @Test func `a list that is short enough is kept whole`() {
        var sample = EvenSample<Int>(limit: 4)
        for element in 0..<4 { sample.add(element) }
        #expect(sample.elements == [0, 1, 2, 3])
    }

    @Test(arguments: [5, 100, 1000, 100_000])
    func `PAGE-06 of a long list remain at least half as many as may, evenly, from the first on`(count: Int) {
        var sample = EvenSample<Int>(limit: 100)
        for element in 0..<count { sample.add(element) }
        let kept = sample.elements
        #expect(kept.first == 0)
        #expect(kept.count <= 100 && kept.count >= min(count, 50))
        #expect(Set(zip(kept, kept.dropFirst()).map { $1 - $0 }).count == 1)
    }

    @Test func `a span ends with the newest point, and the page before its begin is not asked for`() {
        var window = TrackWindow(id: "q1", from: nil, to: nil, span: 60)
        #expect(window.request(until: nil) == #"{"request":"history","id":"q1","newest":true,"limit":256}"#)
        let taken = [200, 170, 140, 139].map { window.point(line($0)) != nil }
        #expect(taken == [true, true, true, false])
        #expect(window.request(before: line(139)) == nil)
        #expect(window.request(before: line(141))?.contains("\"to\":1767225740.999") == true)
    }

    @Test func `a point is told by second, place and speed`() {
        var window = TrackWindow(id: "q1", from: nil, to: nil, span: nil)
        let (point, none) = (window.point(line(61)), window.point(Array("{}".utf8)))
        #expect(point.map { String(decoding: $0, as: UTF8.self) } == "[1767225661,47.5,8.5,0.0]")
        #expect(none == nil)
    }
}
