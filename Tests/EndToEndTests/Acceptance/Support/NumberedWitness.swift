import Foundation

/// A client that speaks the protocol itself, so that it sees the numbers of events: what it is told, and told twice.
final class NumberedWitness {
    static let name = "witness"
    /// The test's own process is this client.
    static let client = BenchClient(
        name: name, executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path)

    /// What each number stood for.
    private(set) var told: [Int: String] = [:]
    /// What went against the rule that an event is told once to a connection, and never after it was acknowledged.
    private(set) var problems: [String] = []
    /// Numbers whose acknowledgement the daemon has read.
    private var confirmed: Set<Int> = []
    private var toldHere: Set<Int> = []
    private var wire: Wire?
    private var pings = 0

    /// Where it monitors a region of 200 m: their names, and metres north of where a fix is unless moved.
    static let places = [Place(name: "home", north: 0), Place(name: "work", north: 3000)]

    struct Place {
        let name: String
        let north: Double

        var latitude: Double { InjectedFix(north: north).latitude }
    }

    /// The name of the place that an event tells the position of.
    static func place(of event: JSON) -> String {
        let latitude = event.number("latitude") ?? .nan
        return places.first { abs($0.latitude - latitude) < 0.001 }?.name ?? "\(latitude)"
    }

    /// Connects, and asks for everything again.
    func connect(to bench: CoreLocationBench<SilentDevice>) async throws {
        let wire = try Wire(socket: bench.socket)
        (self.wire, toldHere) = (wire, [])
        var lines = ["\"request\":\"monitorVisits\",\"enabled\":true"]
        lines.append("\"request\":\"monitorSignificantChange\",\"enabled\":true")
        for place in Self.places {
            let circle = "\"latitude\":\(place.latitude),\"longitude\":\(InjectedFix().longitude),\"radius\":200"
            lines.append("\"request\":\"monitorRegion\",\"identifier\":\"\(place.name)\",\(circle)")
        }
        try wire.send(lines.map { "{\($0)}\n" }.joined())
    }

    /// Takes what has come, and may acknowledge it.
    func take(acknowledges: Bool) async throws {
        let fresh = try await readToPong()
        guard acknowledges, !fresh.isEmpty else { return }
        try wire?.send(fresh.map { "{\"request\":\"acknowledge\",\"number\":\($0)}\n" }.joined())
        let more = try await readToPong()
        confirmed.formUnion(fresh)
        if !more.isEmpty { problems.append("\(more) came late") }
    }

    private func readToPong() async throws -> [Int] {
        guard let wire else { return [] }
        pings += 1
        try wire.send("{\"request\":\"ping\",\"id\":\"p\(pings)\"}\n")
        var fresh: [Int] = []
        while true {
            let event = try await wire.object()
            if event.text("event") == "pong", event.text("id") == "p\(pings)" { return fresh }
            guard let number = event.number("number").map({ Int($0) }) else { continue }
            note(number, event)
            fresh.append(number)
        }
    }

    private func note(_ number: Int, _ event: JSON) {
        let key = NumberedWitness.key(event)
        if confirmed.contains(number) { problems.append("\(number), \(key), came after it was acknowledged") }
        if !toldHere.insert(number).inserted { problems.append("\(number), \(key), came twice to a connection") }
        if let old = told[number], old != key { problems.append("\(number) was \(old) and then \(key)") }
        told[number] = key
    }

    private static func key(_ event: JSON) -> String {
        switch event.text("event") {
        case "regionEvent": "\(event.text("transition") ?? "") \(event.text("identifier") ?? "")"
        case "visit": (event.text("departure") == nil ? "at " : "left ") + place(of: event)
        default: "\(event.text("event") ?? "") \(event.text("time") ?? "")"
        }
    }
}
