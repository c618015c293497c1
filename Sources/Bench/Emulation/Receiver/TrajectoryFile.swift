import Glibc

/// What is wrong with a file of a trajectory or a mask, where, and how to mend it.
public struct TrajectoryFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Counted from 1; 0 where it is about the file.
    public var line: Int
    public var problem: String
    public var mend: String

    public var description: String { (line > 0 ? "line \(line): " : "") + "\(problem); \(mend)" }
}

/// Reads trajectories: a header that names the columns, then a point a line.
///
/// Columns, in any order: `time` (seconds since 1970), `latitude`, `longitude` (degrees), and if wanted `altitude`
/// (metres above mean sea level), `speed` (metres per second) and `course` (degrees). Other columns are passed over. An
/// empty speed or course, or a course of -1, is had from the positions.
public enum TrajectoryFile {
    public static func read(path: String) throws(TrajectoryFileError) -> Trajectory {
        try read(CSVTable.contents(of: path))
    }

    public static func read(_ text: [UInt8]) throws(TrajectoryFileError) -> Trajectory {
        let table = try CSVTable(text, required: ["time", "latitude", "longitude"])
        var points: [TrajectoryPoint] = []
        points.reserveCapacity(table.rows.count)
        for row in table.rows {
            let point = try point(row)
            if let last = points.last, last.time >= point.time {
                throw TrajectoryFileError(
                    line: row.line, problem: "the time is not after that of the point before",
                    mend: "sort the points by time and keep one of each")
            }
            points.append(point)
        }
        guard !points.isEmpty else {
            throw TrajectoryFileError(line: 0, problem: "there is no point", mend: "add a line for each point")
        }
        return Trajectory(points: points)
    }

    private static func point(_ row: CSVTable.Row) throws(TrajectoryFileError) -> TrajectoryPoint {
        TrajectoryPoint(
            time: try row.number("time", in: 0...9e9), latitude: try row.number("latitude", in: -90...90),
            longitude: try row.number("longitude", in: -180...180),
            altitude: try row.optionalNumber("altitude", in: -12_000...100_000) ?? 0,
            speed: try row.optionalNumber("speed", in: 0...10_000),
            course: try course(row))
    }

    /// -1 says that there is none, as in recordings of Core Location.
    private static func course(_ row: CSVTable.Row) throws(TrajectoryFileError) -> Double? {
        let course = try row.optionalNumber("course", in: -1...360)
        return course.map { $0 < 0 } == true ? nil : course
    }
}

/// A text of comma-separated numbers under a header.
struct CSVTable {
    struct Row {
        let line: Int
        fileprivate let fields: [Substring.UTF8View]
        fileprivate let columns: [String: Int]

        func number(_ name: String, in range: ClosedRange<Double>) throws(TrajectoryFileError) -> Double {
            guard let value = try optionalNumber(name, in: range) else {
                throw TrajectoryFileError(line: line, problem: "\(name) is empty", mend: "write a number")
            }
            return value
        }

        /// Nil where there is no such column or its field is empty.
        func optionalNumber(
            _ name: String, in range: ClosedRange<Double>
        ) throws(TrajectoryFileError) -> Double? {
            guard let column = columns[name], column < fields.count, !fields[column].isEmpty else { return nil }
            let text = Substring(fields[column])
            guard let value = Double(text) else {
                throw TrajectoryFileError(
                    line: line, problem: "\(name) is \"\(text)\", which is no number", mend: "write it as 12.5")
            }
            guard range.contains(value) else {
                throw TrajectoryFileError(
                    line: line, problem: "\(name) is \(text)",
                    mend: "it lies from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }

    private(set) var rows: [Row] = []

    init(_ text: [UInt8], required: [String]) throws(TrajectoryFileError) {
        let lines = String(decoding: text, as: UTF8.self).utf8.split(
            separator: 0x0A, omittingEmptySubsequences: false)
        var columns: [String: Int]?
        for (index, line) in lines.enumerated() {
            let fields = line.split(separator: 0x2C, omittingEmptySubsequences: false).map(CSVTable.trimmed)
            guard fields.contains(where: { !$0.isEmpty }) else { continue }
            if let columns {
                rows.append(Row(line: index + 1, fields: fields, columns: columns))
            } else {
                columns = try CSVTable.header(fields, line: index + 1, required: required)
            }
        }
        guard columns != nil else {
            throw TrajectoryFileError(
                line: 0, problem: "it is empty", mend: "begin with the header \(required.joined(separator: ","))")
        }
    }

    private static func header(
        _ fields: [Substring.UTF8View], line: Int, required: [String]
    ) throws(TrajectoryFileError) -> [String: Int] {
        var columns: [String: Int] = [:]
        for (index, field) in fields.enumerated() { columns[String(Substring(field)).lowercased()] = index }
        for name in required where columns[name] == nil {
            throw TrajectoryFileError(
                line: line, problem: "the header does not name \(name)",
                mend: "begin with the header \(required.joined(separator: ","))")
        }
        return columns
    }

    private static func trimmed(_ field: Substring.UTF8View) -> Substring.UTF8View {
        var field = field
        while let first = field.first, first == 0x20 || first == 0x0D || first == 0x09 { field.removeFirst() }
        while let last = field.last, last == 0x20 || last == 0x0D || last == 0x09 { field.removeLast() }
        return field
    }

    /// A whole file.
    static func contents(of path: String) throws(TrajectoryFileError) -> [UInt8] {
        guard let file = unsafe fopen(path, "re") else { throw failure(path, errno) }
        defer { _ = unsafe fclose(file) }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            // Safety: no more is read than the buffer holds.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, file) }
            contents.append(contentsOf: buffer[..<count])
            guard count == buffer.count else { break }
        }
        guard unsafe ferror(file) == 0 else { throw failure(path, errno) }
        return contents
    }

    private static func failure(_ path: String, _ code: Int32) -> TrajectoryFileError {
        TrajectoryFileError(
            line: 0, problem: "\(path): \(unsafe String(cString: strerror(code)))",
            mend: "check the path and its permissions")
    }
}
