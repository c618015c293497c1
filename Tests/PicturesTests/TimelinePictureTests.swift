import Pictures
import Testing

@Suite("TimelinePicture")
struct TimelinePictureTests {
    private func rectangles(_ svg: String, fill: String) -> [Substring] {
        svg.split(separator: "\n").filter { $0.hasPrefix("<rect") && $0.contains("fill=\"\(fill)\"") }
    }

    @Test func `a lane keeps its colour until it changes, and to the end`() {
        var picture = TimelinePicture()
        picture.set("line powerEnable", to: .off, at: 0)
        picture.set("line powerEnable", to: .on, at: 5)
        let svg = picture.svg(title: "start & end", until: 10)
        #expect(
            rectangles(svg, fill: "#e5e5e5") == [##"<rect x="170" y="50" width="500" height="18" fill="#e5e5e5"/>"##])
        #expect(
            rectangles(svg, fill: "#d95f0e") == [##"<rect x="670" y="50" width="500" height="18" fill="#d95f0e"/>"##])
        #expect(svg.contains("start &amp; end") && svg.hasSuffix("</svg>\n"))
    }

    @Test func `each lane and each caption has its own row`() {
        var picture = TimelinePicture()
        picture.mark("fixes", at: 1)
        picture.set("receiver", to: .good, at: 1)
        picture.caption("start daemon", from: 0, to: 1, .good)
        picture.caption("expect fix", from: 1, to: 2, .bad)
        let svg = picture.svg(title: "rows", until: 4)
        #expect(svg.contains(#"y1="50""#) && svg.contains(#"y="76""#))
        #expect(rectangles(svg, fill: "#de2d26").first?.contains(#"y="143""#) ?? false, "\(svg)")
        #expect(svg.contains(">4 s</text>") && svg.contains(">expect fix</text>"))
    }

    @Test func `an event of no duration is drawn wide enough to see`() {
        var picture = TimelinePicture()
        picture.set("line", to: .on, at: 1)
        picture.set("line", to: .off, at: 1)
        #expect(picture.svg(title: "", until: 1000).contains(##"width="0.5" height="18" fill="#d95f0e""##))
    }

    // MARK: What can be read

    /// A part of the picture, in points.
    private struct Box: CustomStringConvertible {
        var left: Double
        var right: Double
        var top: Double
        var bottom: Double
        var description: String

        func overlaps(_ other: Box) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }

    private func attribute(_ name: String, of element: Substring) -> String? {
        guard let start = element.firstRange(of: " \(name)=\"") else { return nil }
        return String(element[start.upperBound...].prefix { $0 != "\"" })
    }

    private func number(_ name: String, of element: Substring) -> Double {
        attribute(name, of: element).flatMap { Double($0) } ?? 0
    }

    /// The bars and swatches, without the ground that all stands on.
    private func bars(_ svg: String) -> [Box] {
        svg.split(separator: "\n").filter { $0.hasPrefix("<rect x=") }.map { element in
            let (x, y) = (number("x", of: element), number("y", of: element))
            return Box(
                left: x, right: x + number("width", of: element), top: y, bottom: y + number("height", of: element),
                description: String(element))
        }
    }

    /// The words, each character taken to be six elevenths of its height wide.
    private func words(_ svg: String) -> [Box] {
        svg.split(separator: "\n").filter { $0.hasPrefix("<text") }.map { element in
            let content = element.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
            let size = number("font-size", of: element)
            let width = Double(content.count) * size * 6 / 11
            let (x, y) = (number("x", of: element), number("y", of: element))
            let left =
                switch attribute("text-anchor", of: element) {
                case "end": x - width
                case "middle": x - width / 2
                default: x
                }
            return Box(
                left: left, right: left + width, top: y - size * 0.75, bottom: y + size * 0.25,
                description: String(content))
        }
    }

    /// An hour with many lanes, spans and captions, long and short, at its beginning, in its middle and at its end.
    private func hour() -> TimelinePicture {
        var picture = TimelinePicture(
            legend: [
                (.on, "on"), (.off, "off, or skipped"), (.middle, "acquiring"), (.open, "not driven"),
                (.good, "tracking, running or passed"), (.bad, "failed"),
            ], moments: "a fix or a heading")
        for second in stride(from: 0.0, to: 3600, by: 90) {
            picture.set("line powerEnable", to: second.remainder(dividingBy: 180) == 0 ? .on : .off, at: second)
            picture.set("receiver", to: .middle, at: second)
            picture.set("receiver", to: .good, at: second + 26)
            picture.mark("fixes", at: second + 30)
        }
        let long = "expect a line that says that the receiver is away, within 30 s of when its cable was pulled"
        let times = [(0.0, 3600.0), (0, 10), (5, 1790), (1700, 1900), (1790, 3600), (3500, 3600), (3590, 3600)]
        for (start, end) in times {
            picture.caption("wait", from: start, to: end, .good)
            picture.caption(long, from: start, to: end, .bad)
            picture.caption("\(long); \(long); \(long)", from: start, to: end, .off)
        }
        return picture
    }

    @Test func `no text overlaps other text or a bar, or leaves the picture`() {
        let svg = hour().svg(title: "An hour", until: 3600)
        let (words, bars) = (words(svg), bars(svg))
        #expect(words.count > 30 && bars.count > 100)
        for (index, word) in words.enumerated() {
            #expect(word.left >= 0 && word.right <= 1200, "\(word)")
            #expect(!words[(index + 1)...].contains { $0.overlaps(word) }, "\(word)")
            #expect(!bars.contains { $0.overlaps(word) }, "\(word)")
        }
    }

    @Test func `the legend explains the colours that occur`() {
        var picture = TimelinePicture(
            legend: [(.on, "on"), (.open, "not driven"), (.bad, "failed")], moments: "a fix")
        picture.set("line", to: .on, at: 0)
        picture.caption("wait", from: 0, to: 1, .bad)
        let svg = picture.svg(title: "", until: 4)
        #expect(svg.contains(">on</text>") && svg.contains(">failed</text>"))
        #expect(!svg.contains("not driven") && !svg.contains("a fix"))
        picture.mark("fixes", at: 1)
        #expect(picture.svg(title: "", until: 4).contains(">a fix</text>"))
    }

    @Test(arguments: [0.5, 14, 61, 3600, 86_400, 1e6]) func `the times along the top are readable`(end: Double) {
        let svg = TimelinePicture().svg(title: "", until: end)
        let times = words(svg).filter { $0.description.hasSuffix(" s") }
        #expect(times.count >= 2)
        for (index, time) in times.enumerated() { #expect(!times[(index + 1)...].contains { $0.overlaps(time) }) }
    }
}
