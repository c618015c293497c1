/// A crossing that the harness makes, in the place of the monitor that would find it.
public struct BenchCrossing: Sendable, Equatable {
    public var client: String
    public var region: String
    public var monitor: String?
    public var isInside: Bool
    /// Nanoseconds since 1970.
    public var time: Int64?

    public init(client: String, region: String, monitor: String? = nil, isInside: Bool, time: Int64? = nil) {
        self.client = client
        self.region = region
        self.monitor = monitor
        self.isInside = isInside
        self.time = time
    }

    init(_ members: [BenchText.Member]) throws(BenchFormatError) {
        self.init(client: "", region: "", isInside: false)
        for member in members {
            switch (member.key, member.value) {
            case ("client", .text(let text)): client = text
            case ("region", .text(let text)): region = text
            case ("monitor", .text(let text)): monitor = text
            case ("inside", .bool(let isTrue)): isInside = isTrue
            case ("time", .integer(let nanoseconds)): time = nanoseconds
            default: throw BenchFormatError("crossed: \(member.key): no such member, or not with this value")
            }
        }
        guard !client.isEmpty, !region.isEmpty else { throw BenchFormatError("crossed: no client, or no region") }
    }

    func append(to line: inout [UInt8]) {
        line += "\"crossed\":{".utf8
        BenchText.append("client", text: client, to: &line)
        line += ",".utf8
        BenchText.append("region", text: region, to: &line)
        if let monitor {
            line += ",".utf8
            BenchText.append("monitor", text: monitor, to: &line)
        }
        if let time { line += ",\"time\":\(time)".utf8 }
        line += ",\"inside\":\(isInside)}".utf8
    }
}

/// A visit that the harness makes, in the place of the monitor that would find it.
public struct BenchVisit: Sendable, Equatable {
    /// Nanoseconds since 1970.
    public var arrival: Int64?
    public var departure: Int64?
    /// Degrees.
    public var latitude: Double
    public var longitude: Double
    /// Metres.
    public var accuracy: Double

    public init(arrival: Int64?, departure: Int64?, latitude: Double, longitude: Double, accuracy: Double) {
        self.arrival = arrival
        self.departure = departure
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
    }

    init(_ members: [BenchText.Member]) throws(BenchFormatError) {
        self.init(arrival: nil, departure: nil, latitude: 0, longitude: 0, accuracy: 0)
        for member in members {
            switch (member.key, member.value) {
            case ("arrival", .integer(let nanoseconds)): arrival = nanoseconds
            case ("departure", .integer(let nanoseconds)): departure = nanoseconds
            case ("latitude", .integer(let nanodegrees)): latitude = Double(nanodegrees) * 1e-9
            case ("longitude", .integer(let nanodegrees)): longitude = Double(nanodegrees) * 1e-9
            case ("accuracy", .integer(let millimetres)): accuracy = Double(millimetres) * 1e-3
            default: throw BenchFormatError("visited: \(member.key): no such member, or not with this value")
            }
        }
    }

    func append(to line: inout [UInt8]) {
        line += "\"visited\":{".utf8
        if let arrival { line += "\"arrival\":\(arrival),".utf8 }
        if let departure { line += "\"departure\":\(departure),".utf8 }
        line += "\"latitude\":\(Int64((latitude * 1e9).rounded())),".utf8
        line += "\"longitude\":\(Int64((longitude * 1e9).rounded())),".utf8
        line += "\"accuracy\":\(Int64((accuracy * 1e3).rounded()))}".utf8
    }
}
