import Foundation
import SextantUnits
import TestSupport
import Testing

/// GeographicLib's own solver, of Debian's package geographiclib-tools.
private enum GeodSolve {
    static let path = "/usr/bin/GeodSolve"
    static let isThere = FileManager.default.isExecutableFile(atPath: path)

    /// Answers all lines in one run: the numbers of each line of the answer.
    static func answers(to lines: [String], options: String...) throws -> [[Double]] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "geodesic-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (question, answer) = (folder.appending(path: "question"), folder.appending(path: "answer"))
        try (lines.joined(separator: "\n") + "\n").write(to: question, atomically: false, encoding: .utf8)
        try ChildProgram(path, options + ["--input-file", question.path, "--output-file", answer.path]).waitForEnd()
        return try String(contentsOf: answer, encoding: .utf8).split(separator: "\n").map { line in
            line.split(separator: " ").compactMap { Double($0) }
        }
    }

    /// With 12 decimals, and without an exponent, which `GeodSolve` would take for east.
    static func text(_ value: Double) -> String {
        let whole = abs(value).rounded(.down)
        let fraction = String(Int64((abs(value) - whole) * 1e12))
        return (value < 0 ? "-" : "") + "\(Int64(whole))." + String(repeating: "0", count: 12 - fraction.count)
            + fraction
    }
}

/// What is put to both: a start and an end of 12 decimals, which both read alike.
private struct Pair {
    let words: [String]
    let numbers: [Double]

    init(_ from: (Double, Double), _ to: (Double, Double)) {
        words = [from.0, from.1, to.0, to.1].map(GeodSolve.text)
        numbers = words.map { Double($0) ?? .nan }
    }

    var line: Geodesic.Line {
        Geodesic.inverse(
            fromLatitude: numbers[0], longitude: numbers[1], toLatitude: numbers[2], longitude: numbers[3])
    }
}

@Suite(
    "Geodesic against GeographicLib",
    .enabled(if: GeodSolve.isThere, "needs /usr/bin/GeodSolve, of Debian's package geographiclib-tools"))
struct GeodesicOracleTests {
    /// Metres.
    private static let tolerance = 2e-8

    private static func pairs(_ each: Int) -> [Pair] {
        var random = Places()
        var pairs: [Pair] = []
        func clamped(_ latitude: Double) -> Double { min(90, max(-90, latitude)) }
        for _ in 0..<each {
            let from = random.place()
            pairs.append(Pair(from, random.place()))
            pairs.append(Pair(from, random.nearAntipode(of: from)))
            let near = (clamped(from.0 + random.scattered(-12...0)), from.1 + random.scattered(-12...0))
            pairs.append(Pair(from, near))
            let low = (random.scattered(-12 ... -1), from.1)
            pairs.append(Pair(low, random.nearAntipode(of: low)))
            pairs.append(Pair(low, (random.scattered(-12 ... -1), random.place().1)))
            let high = (from.0 < 0 ? -90 + pow(10, -12 * random.uniform()) : 90, from.1)
            pairs.append(Pair(high, random.place()))
            pairs.append(Pair(high, (-high.0, random.place().1)))
            pairs.append(Pair(from, (random.place().0, from.1 + (random.uniform() < 0.5 ? 0 : 180))))
            pairs.append(Pair((from.0, 180 + random.scattered(-12...0)), (from.0, -180)))
            pairs.append(Pair((0, from.1), (0, from.1 + 180 + random.scattered(-9...0.5))))
            // Two that are equally far from the equator, and a parallel's two ends.
            pairs.append(Pair(from, (-from.0, from.1 + 179 + random.scattered(-9...0))))
            pairs.append(Pair(from, (from.0, random.place().1)))
        }
        return pairs
    }

    @Test func `distances agree with GeographicLib to 20 nanometres, for any places`() throws {
        let pairs = Self.pairs(500)
        let answers = try GeodSolve.answers(
            to: pairs.map { $0.words.joined(separator: " ") }, options: "-i", "-p", "10")
        try #require(answers.count == pairs.count)
        var worst = (error: 0.0, words: [String]())
        for (pair, answer) in zip(pairs, answers) {
            let error = abs(pair.line.distance - answer[2])
            if !(error <= worst.error) { worst = (error, pair.words) }
        }
        #expect(worst.error < Self.tolerance, "\(worst.error) m at \(worst.words)")
    }

    @Test func `azimuths agree with GeographicLib to the equivalent of 20 nanometres at the end`() throws {
        var random = Places()
        let pairs = (0..<6000).map { _ in Pair(random.place(), random.place()) }
        let answers = try GeodSolve.answers(
            to: pairs.map { $0.words.joined(separator: " ") }, options: "-i", "-p", "10", "-f")
        try #require(answers.count == pairs.count)
        var worst = (error: 0.0, words: [String]())
        for (pair, answer) in zip(pairs, answers) {
            // Of `-f`: both places with their azimuths, the distance, its arc, and the reduced length.
            let reducedLength = max(1, abs(answer[8]))
            let line = pair.line
            for (azimuth, known) in [(line.initialAzimuth, answer[2]), (line.finalAzimuth, answer[5])] {
                let error = abs((azimuth - known).remainder(dividingBy: 360)) * .pi / 180 * reducedLength
                if !(error <= worst.error) { worst = (error, pair.words) }
            }
        }
        #expect(worst.error < Self.tolerance, "\(worst.error) m at \(worst.words)")
    }

    @Test func `end points agree with GeographicLib to 20 nanometres`() throws {
        var random = Places()
        let starts = (0..<6000).map { step in
            let far = step % 3 == 0 ? random.scattered(-3...4) : (random.uniform() - 0.5) * 4e7
            return Pair(step % 7 == 0 ? (step % 2 == 0 ? 90 : -90, 5) : random.place(), (random.place().1, far))
        }
        let answers = try GeodSolve.answers(
            to: starts.map { $0.words.joined(separator: " ") }, options: "-p", "10")
        try #require(answers.count == starts.count)
        var worst = (error: 0.0, words: [String]())
        for (start, answer) in zip(starts, answers) {
            let end = Geodesic.direct(
                fromLatitude: start.numbers[0], longitude: start.numbers[1], azimuth: start.numbers[2],
                distance: start.numbers[3])
            let error = Geodesic.distance(
                fromLatitude: end.latitude, longitude: end.longitude, toLatitude: answer[0], longitude: answer[1])
            if !(error <= worst.error) { worst = (error, start.words) }
        }
        #expect(worst.error < Self.tolerance, "\(worst.error) m at \(worst.words)")
    }
}
