import Pictures
import Testing

@Suite("SVG text")
struct SVGTextTests {
    @Test func `writes numbers with two decimals at most`() {
        let numbers = [0.0, -0.004, 1, -1.5, 2.05, 3.999, 12.34].map(SVGText.number)
        #expect(numbers == ["0", "0", "1", "-1.5", "2.05", "4", "12.34"])
    }
}
