import Magnetism
import Pictures
import Testing

@Suite("Compass picture")
struct CompassPictureTests {
    /// A sphere of 48 µT about an offset, by a spiral of rational steps.
    private static let samples: [CalibrationSample] = (0..<200).map { index in
        let z = 1 - 2 * (Double(index) + 0.5) / 200
        // A turn of 0.6 and 0.8 is a right triangle's.
        var (x, y) = ((1 - z * z).squareRoot(), 0.0)
        for _ in 0..<index { (x, y) = (0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y) }
        return CalibrationSample(field: SIMD3(20 + 48 * x, -10 + 48 * y, 5 + 48 * z))
    }

    private func count(_ needle: String, in text: String) -> Int {
        text.indices.count { text[$0...].hasPrefix(needle) }
    }

    @Test func `shows the samples before and after calibration, their directions and their residuals`() throws {
        let fit = try CalibrationFit(Self.samples)
        let svg = CompassPicture(of: Self.samples, fit).svg(title: "eight & more")
        #expect(svg.hasPrefix("<svg") && svg.hasSuffix("</svg>\n"))
        #expect(svg.contains("eight &amp; more"))
        #expect(svg.contains("200 samples, 0 taken for wrong; for every attitude"))
        #expect(svg.contains("directions seen: \(fit.coverage.filledCount) of 72 sections"))
        #expect(count("<circle", in: svg) == 600)
        #expect(!svg.contains("nan") && !svg.contains("inf"))
    }

    @Test func `outliers are red in all three parts of the picture`() throws {
        var samples = Self.samples
        samples[50].field += SIMD3(30, 20, 0)
        let fit = try CalibrationFit(samples)
        #expect(fit.outlierCount == 1)
        let svg = CompassPicture(of: samples, fit).svg(title: "one is off")
        #expect(count("fill=\"#c0392b\" fill-opacity", in: svg) == 3)
    }
}
