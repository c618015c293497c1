import Pictures
import Testing

@Suite("TimelinePicture")
struct TimelinePictureTests {
    private func rectangles(_ svg: String, fill: String) -> [Substring] {
        svg.split(separator: "\n").filter { $0.hasPrefix("<rect") && $0.contains("fill=\"\(fill)\"") }
    }

    @Test func `a lane keeps its tone until it has another, and then to the end`() {
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

    @Test func `each lane and each caption has a row of its own`() {
        var picture = TimelinePicture()
        picture.mark("fixes", at: 1)
        picture.set("receiver", to: .good, at: 1)
        picture.caption("start daemon", from: 0, to: 1, .good)
        picture.caption("expect fix", from: 1, to: 2, .bad)
        let svg = picture.svg(title: "rows", until: 4)
        #expect(svg.contains(#"y1="50""#) && svg.contains(#"y="76""#))
        #expect(rectangles(svg, fill: "#de2d26").first?.contains(#"y="141""#) ?? false, "\(svg)")
        #expect(svg.contains(">4 s</text>") && svg.contains(">expect fix</text>"))
    }

    @Test func `what happened at one moment can be seen`() {
        var picture = TimelinePicture()
        picture.set("line", to: .on, at: 1)
        picture.set("line", to: .off, at: 1)
        #expect(picture.svg(title: "", until: 1000).contains(##"width="0.5" height="18" fill="#d95f0e""##))
    }
}
