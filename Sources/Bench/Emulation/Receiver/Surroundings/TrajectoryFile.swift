import Glibc
import SextantReactor

/// Reads trajectories from CSV tables: a header names the columns, and each further line is one point.
///
/// The columns are, in any order, `time` (seconds since 1970), `latitude` and `longitude` (degrees); optional are
/// `altitude` (metres above mean sea level), `speed` (metres per second) and `course` (degrees). Other columns are
/// ignored. If the speed or course is empty, or the course is -1, it is computed from the positions.
public enum TrajectoryFile {
    public static func read(path: String) throws(CSVError) -> Trajectory {
        try read(TableFile.contents(of: path))
    }

    public static func read(_ text: [UInt8]) throws(CSVError) -> Trajectory {
        let columns = ["time", "latitude", "longitude", "altitude", "speed", "course"]
        var points: [TrajectoryPoint] = []
        try TableFile.read(text, columns: columns, requiredCount: 3) { row throws(CSVError) in
            let point = try point(row)
            if let last = points.last, last.time >= point.time {
                throw CSVError(
                    line: row.line, problem: "the time is not after that of the point before",
                    mend: "sort the points by time and keep one of each")
            }
            points.append(point)
        }
        guard !points.isEmpty else {
            throw CSVError(line: 0, problem: "there is no point", mend: "add a line for each point")
        }
        return Trajectory(points: points)
    }

    private static func point(_ row: CSVReader) throws(CSVError) -> TrajectoryPoint {
        TrajectoryPoint(
            time: try row.required(0, in: 0...9e9), latitude: try row.required(1, in: -90...90),
            longitude: try row.required(2, in: -180...180), altitude: try row.value(3, in: -12_000...100_000) ?? 0,
            speed: try row.value(4, in: 0...10_000), course: try course(row))
    }

    /// Reads the course of the current row, in degrees; nil if it is unknown.
    ///
    /// Recordings of Core Location use -1 for an unknown course.
    private static func course(_ row: CSVReader) throws(CSVError) -> Double? {
        let course = try row.value(5, in: -1...360)
        return course.map { $0 < 0 } == true ? nil : course
    }
}

/// Reads whole CSV files into memory.
enum TableFile {
    /// Calls `take` for every row of a CSV table, whose header must name at least the first `requiredCount` of
    /// `columns`.
    static func read(
        _ text: [UInt8], columns: [String], requiredCount: Int, _ take: (CSVReader) throws(CSVError) -> Void
    ) throws(CSVError) {
        var reader = CSVReader(columns: columns, requiredCount: requiredCount)
        reader.push(text.span)
        reader.end()
        while try reader.next() { try take(reader) }
    }

    static func contents(of path: String) throws(CSVError) -> [UInt8] {
        guard let file = unsafe fopen(path, "re") else { throw failure(path, errno) }
        defer { _ = unsafe fclose(file) }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            // Safety: at most as many bytes are read as the buffer holds.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, file) }
            contents.append(contentsOf: buffer[..<count])
            guard count == buffer.count else { break }
        }
        guard unsafe ferror(file) == 0 else { throw failure(path, errno) }
        return contents
    }

    private static func failure(_ path: String, _ code: Int32) -> CSVError {
        CSVError(
            line: 0, problem: "\(path): \(SystemError.text(of: code))",
            mend: "check the path and its permissions")
    }
}
