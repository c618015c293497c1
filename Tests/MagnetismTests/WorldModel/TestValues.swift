import Foundation
import Testing

/// What the model must give at a place and time.
struct WorldModelPoint: Sendable {
    var decimalYear: Double
    /// Kilometres.
    var altitude: Double
    var latitude: Double
    var longitude: Double
    var declination: Double
    var inclination: Double
    /// H, X, Y, Z, F in nT.
    var strengths: [Double]
    /// By how much a strength may miss: that to which it is printed.
    var tolerance: Double
}

/// The official test values of WMM2025, in the shared folder.
enum TestValues {
    /// The shared folder, beside the package or where `SEXTANT_SHARED` says.
    private static let file: URL = {
        let path = "data/wmm/WMM2025_testvalues.txt"
        if let shared = ProcessInfo.processInfo.environment["SEXTANT_SHARED"] {
            return URL(filePath: shared).appending(path: path)
        }
        let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return root.deletingLastPathComponent().appending(path: "shared").appending(path: path)
    }()

    static let exist = FileManager.default.fileExists(atPath: file.path)
    static let absent: Comment = "no shared/data/wmm beside the package, nor under SEXTANT_SHARED"

    static func read() throws -> [WorldModelPoint] {
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.compactMap { line in
            let cells = line.split(separator: " ").compactMap { Double($0) }
            return switch cells.count {
            case 18: precise(cells)
            case 19: printed(cells)
            default: nil
            }
        }
    }

    /// A line of the hundred.
    private static func precise(_ cells: [Double]) -> WorldModelPoint {
        WorldModelPoint(
            decimalYear: cells[0], altitude: cells[1], latitude: cells[2], longitude: cells[3], declination: cells[4],
            inclination: cells[5], strengths: Array(cells[6...10]), tolerance: 0.01)
    }

    /// A line of the twelve.
    private static func printed(_ cells: [Double]) -> WorldModelPoint {
        WorldModelPoint(
            decimalYear: cells[0], altitude: cells[1], latitude: cells[2], longitude: cells[3], declination: cells[10],
            inclination: cells[9], strengths: [cells[7], cells[4], cells[5], cells[6], cells[8]], tolerance: 0.051)
    }

    /// Some of them, for a package without the shared folder.
    static let some = [
        WorldModelPoint(
            decimalYear: 2025, altitude: 28, latitude: 89, longitude: -121, declination: -99.77, inclination: 88.47,
            strengths: [1504.298146, -255.388723, -1482.460628, 56194.288771, 56214.419888], tolerance: 0.01),
        WorldModelPoint(
            decimalYear: 2025, altitude: 65, latitude: 43, longitude: 93, declination: 0.50, inclination: 64.10,
            strengths: [24300.764692, 24299.852822, 210.517066, 50037.923998, 55626.621348], tolerance: 0.01),
        WorldModelPoint(
            decimalYear: 2029, altitude: 49, latitude: -50, longitude: -179, declination: 32.11, inclination: -71.33,
            strengths: [18080.593790, 15315.042731, 9610.272521, -53522.651338, 56494.088877], tolerance: 0.01),
        WorldModelPoint(
            decimalYear: 2029.5, altitude: 93, latitude: -2, longitude: 158, declination: 7.09, inclination: -17.84,
            strengths: [34067.301020, 33806.520595, 4207.156292, -10964.647547, 35788.329028], tolerance: 0.01),
        WorldModelPoint(
            decimalYear: 2025, altitude: 0, latitude: 80, longitude: 0, declination: 1.28, inclination: 83.21,
            strengths: [6523.2, 6521.6, 145.9, 54791.5, 55178.5], tolerance: 0.051),
        WorldModelPoint(
            decimalYear: 2027.5, altitude: 100, latitude: -80, longitude: 240, declination: 67.93, inclination: -72.10,
            strengths: [15927.0, 5984.0, 14760.1, -49317.7, 51825.7], tolerance: 0.051),
    ]
}
