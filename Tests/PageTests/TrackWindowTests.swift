import DaemonClient
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

    @Test func `a span ends with the newest point, and the page before its begin is not asked for`() {
        var window = TrackWindow(id: "q1", from: nil, to: nil, span: 60)
        #expect(window.request(until: nil).text == #"{"request":"history","id":"q1","newest":true,"limit":256}"#)
        let taken = [200, 170, 140, 139].map { window.point(line($0)) != nil }
        #expect(taken == [true, true, true, false])
        #expect(window.request(before: line(139)) == nil)
        #expect(window.request(before: line(141))?.text.contains("\"to\":1767225740.999") == true)
    }

    @Test func `a point is told by second, place, speed and height, and what is not known is null`() {
        var window = TrackWindow(id: "q1", from: nil, to: nil, span: nil)
        let whole = Array(
            #"{"event":"trackPoint","time":"2026-01-01T00:01:00.250Z","latitude":47.5,"longitude":8.5,"altitude":408.2,"speed":1.5}"#
                .utf8)
        let told = [line(61), whole].map { window.point($0).map { String(decoding: $0.text, as: UTF8.self) } }
        #expect(told == ["[1767225661.0,47.5,8.5,null,null,0]", "[1767225660.25,47.5,8.5,1.5,408.2,0]"])
        #expect(window.point(Array("{}".utf8)) == nil)
    }

    @Test func `a sleep of the board is a gap, however short`() {
        var window = TrackWindow(id: "q1", from: nil, to: nil, span: nil)
        let slept = String(decoding: line(170), as: UTF8.self).replacing("}", with: #","afterSleep":true}"#)
        let gaps = [line(200), Array(slept.utf8), line(140), line(110)].map { window.point($0)?.isBeforeGap }
        #expect(gaps == [false, false, true, false])
    }

    @Test func `a gap is longer than a quarter of an hour and than three times the interval after it`() {
        var window = TrackWindow(id: "q1", from: nil, to: nil, span: nil)
        // The newest first; then 5 s, a gap of 901 s, half hours, and a gap of two hours.
        let seconds = [20_000, 19_995, 19_094, 17_294, 15_494, 8294, 7394]
        let gaps = seconds.map { window.point(at: $0)?.isBeforeGap }
        #expect(gaps == [false, false, true, false, false, true, false])
    }
}

extension TrackWindow {
    /// A point at so many seconds of 2026.
    fileprivate mutating func point(at second: Int) -> DrawnPoint? {
        let digits = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let time = digits.joined(separator: ":")
        return point(Array(#"{"time":"2026-01-01T\#(time)Z","latitude":47.5,"longitude":8.5}"#.utf8))
    }
}
