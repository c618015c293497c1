import Foundation
import SextantJSON
import Simulation
import TestSupport
import Testing

/// What the suites share: draws, small trajectories, and the shared truths with their independent scorer.
enum Samples {
    /// A u-blox M8 that rests on its backup supply, as the independent scorer has it.
    static let draws = ReceiverDraws(acquire: 96, track: 87, sleep: 0.045, off: 0, cyclic: 29)

    /// A straight walk eastwards on the equator at `speed` metres a second.
    static func walk(seconds: Int, speed: Double) throws -> TruthGrid {
        try TruthGrid(
            (0...seconds).map {
                TruthPoint(time: 1000 + Double($0), latitude: 0, longitude: Double($0) * speed / 111_320)
            })
    }

    /// Eastwards on the equator with pauses: two short and two long rests, and a movement too short for a bout.
    static func stopAndGo() throws -> TruthGrid {
        let legs = [
            (300, 0.0), (300, 5), (45, 0), (200, 3), (600, 0), (200, 10), (200, 0), (60, 2), (200, 0), (180, 2),
        ]
        var east = [0.0]
        for (seconds, speed) in legs {
            for _ in 0..<seconds { east.append(east[east.count - 1] + speed) }
        }
        return try TruthGrid(
            east.enumerated().map {
                TruthPoint(time: 1000 + Double($0.offset), latitude: 0, longitude: $0.element / 111_320)
            })
    }

    static func text(_ write: (inout TextBuffer) -> Void) -> String {
        var buffer = TextBuffer()
        write(&buffer)
        return buffer.withBytes { bytes in String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self) }
    }

    // MARK: shared truths

    /// The shared folder, beside the package or where `SEXTANT_SHARED` says.
    static let shared: URL = {
        if let named = ProcessInfo.processInfo.environment["SEXTANT_SHARED"] { return URL(filePath: named) }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return root.deletingLastPathComponent().appending(path: "shared")
    }()

    static let hasTruths = FileManager.default.fileExists(atPath: truthPath("ride-90min"))
    static let noTruths: Comment = "no shared/data/truth beside the package, nor under SEXTANT_SHARED"

    static let hasScorer = hasTruths && (try? python(["-c", "import numpy"])) != nil
    static let noScorer: Comment = "no shared/tools/energy.py and shared/data/truth, or no python3 with numpy"

    static func truthPath(_ name: String) -> String { shared.appending(path: "data/truth/\(name).csv").path }

    /// Reads a file of time, latitude and longitude with one line of heads.
    static func truth(_ name: String) throws -> TruthGrid {
        let text = String(decoding: try Data(contentsOf: URL(filePath: truthPath(name))), as: UTF8.self)
        let points = text.split(whereSeparator: \.isNewline).dropFirst().compactMap { line -> TruthPoint? in
            let row = line.split(separator: ",").prefix(3).map(Double.init)
            guard row.count == 3, let time = row[0], let latitude = row[1], let longitude = row[2] else { return nil }
            return TruthPoint(time: time, latitude: latitude, longitude: longitude)
        }
        return try TruthGrid(points)
    }

    /// What the independent scorer says of a run.
    static func energyScore(
        of record: RunRecord, on name: String, accuracy: Int, options: [String] = []
    ) throws -> [String: Double] {
        let events = FileManager.default.temporaryDirectory.appending(path: "events-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: events) }
        try Data(text { RunEvents.write(record, to: &$0) }.utf8).write(to: events)
        let scorer = shared.appending(path: "tools/energy.py").path
        let output = try python([scorer, truthPath(name), events.path, String(accuracy), "M8"] + options)
        let object = try JSONSerialization.jsonObject(with: output) as? [String: Any] ?? [:]
        return object.compactMapValues { ($0 as? NSNumber)?.doubleValue }
    }

    private struct PythonFailed: Error {}

    private static func python(_ arguments: [String]) throws -> Data {
        let program = try ChildProgram("python3", arguments, output: .pipe, errors: .nothing)
        let bytes = try program.readToEnd()
        guard try program.waitForEnd() == 0 else { throw PythonFailed() }
        return Data(bytes)
    }
}
