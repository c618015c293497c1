internal import Glibc
internal import SextantJSON
internal import Simulation

/// A recorded day that is read from a folder: `fixes.csv` with a receiver's fixes, and `visits.json` with the true
/// stays.
struct DayFolder {
    var name: String
    var fixes: [MeasuredFix] = []
    var visits: [VisitSpan] = []

    init(path: String) throws {
        name = path.split(separator: "/").last.map(String.init) ?? path
        try readFixes(path + "/fixes.csv")
        try readVisits(path + "/visits.json")
    }

    private mutating func readFixes(_ path: String) throws {
        let lines = String(decoding: try Self.contents(path), as: UTF8.self).split(whereSeparator: \.isNewline)
        let names = lines.first.map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
        let columns = ["time", "latitude", "longitude", "horizontalAccuracy"].map { names.firstIndex(of: $0[...]) }
        for (number, line) in lines.enumerated().dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            let values = columns.compactMap { $0.flatMap { fields.indices.contains($0) ? Double(fields[$0]) : nil } }
            guard values.count == columns.count else {
                throw DayFault(
                    "\(path):\(number + 1): time, latitude, longitude and horizontalAccuracy must be numbers")
            }
            fixes.append(
                MeasuredFix(
                    time: values[0], latitude: values[1], longitude: values[2], horizontalAccuracy: values[3]))
        }
    }

    private mutating func readVisits(_ path: String) throws {
        guard case .array(let list) = try JSONValue(parsing: Self.contents(path)) else {
            throw DayFault("\(path): must be a list of visits")
        }
        for case .object(let members) in list {
            let values = ["arrival", "departure", "latitude", "longitude"].compactMap { name -> Double? in
                guard case .number(let value)? = members[name] else { return nil }
                return value
            }
            guard values.count == 4 else {
                throw DayFault("\(path): a visit has arrival, departure, latitude and longitude, all numbers")
            }
            visits.append(
                VisitSpan(
                    arrival: values[0], departure: values[1], latitude: values[2], longitude: values[3], place: 0))
        }
    }

    private static func contents(_ path: String) throws -> [UInt8] {
        guard let file = unsafe fopen(path, "re") else {
            throw DayFault("\(path): cannot be read: \(unsafe String(cString: strerror(errno))); name another folder")
        }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }
}

/// The error for a folder of a recorded day that cannot be read.
struct DayFault: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
