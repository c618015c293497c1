internal import BenchControl
internal import Glibc
internal import SextantJSON
internal import SextantReactor
internal import SextantSockets
internal import SextantUnits

/// The reason for which the run of the virtual year cannot go on.
struct YearFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A client of the daemon, with the registrations that the daemon confirmed, and whether it is allowed to know
/// positions.
///
/// The kernel reports to the daemon who the client is, so each client connects as its own user. A class, because it
/// owns a connection and is an element of a list.
final class YearClient {
    let name: String
    let user: UInt32
    /// The registrations that the daemon confirmed: identifiers of regions, and names of services.
    var registrations: Set<String> = []
    /// Whether the client is allowed to receive events that reveal the board's position.
    var mayKnow = true
    /// A text for each promise to this client that the daemon broke.
    private(set) var problems: [String] = []
    /// The numbers of events and of locations received so far.
    private(set) var (events, locations) = (0, 0)
    private var acknowledged: Set<Int64> = []
    private var toldHere: Set<Int64> = []
    private var link: LocalClient?
    private var requests = 0

    init(name: String, user: UInt32) { (self.name, self.user) = (name, user) }

    var isConnected: Bool { link != nil }

    func connect(to socket: String) throws {
        guard seteuid(user) == 0 else { throw YearFailure("user \(user) cannot be had; run this as root") }
        defer { seteuid(0) }
        link = try LocalClient(path: socket)
        toldHere = []
    }

    func disconnect() { link = nil }

    /// Sends requests, and takes all lines until the daemon has answered the requests.
    ///
    /// - Parameter then: Called for each line, with the name of its event and its value.
    func ask(_ lines: [String], then: (String, JSONMembers) -> Void = { _, _ in }) throws {
        guard link != nil else { return }
        requests += 1
        let id = "p\(requests)"
        try send(lines + ["\"request\":\"ping\",\"id\":\"\(id)\""])
        let deadline = Clock.now().advanced(byNanoseconds: BenchPatience.nanoseconds)
        while true {
            guard let line = try link?.readLine(deadline: deadline) else { throw YearFailure("\(name) was dropped") }
            guard let value = JSONMembers(parsing: line) else { throw YearFailure("\(name) was told no object") }
            let event = value.text("event") ?? ""
            if event == "pong", value.text("id") == id { return }
            note(event, value)
            then(event, value)
        }
    }

    /// Sends requests and waits for no answer.
    func send(_ lines: [String]) throws {
        try link?.send(Array(lines.map { "{\($0)}\n" }.joined().utf8))
    }

    /// Acknowledges all received events that were not acknowledged yet.
    func acknowledge() throws {
        let fresh = toldHere.subtracting(acknowledged).sorted()
        guard !fresh.isEmpty else { return }
        try ask(fresh.map { "\"request\":\"acknowledge\",\"number\":\($0)" })
        acknowledged.formUnion(fresh)
    }

    private func note(_ event: String, _ value: JSONMembers) {
        let tellsPlace = ["location", "epoch", "regionEvent", "visit"].contains(event)
        if tellsPlace, !mayKnow { problems.append("\(name) was told \(event) though it may not know") }
        if event == "location" || event == "epoch" { locations += 1 }
        guard let number = value.integer("number"), tellsPlace else { return }
        events += 1
        if acknowledged.contains(number) { problems.append("\(name) was told \(number) again after acknowledging it") }
        if !toldHere.insert(number).inserted { problems.append("\(name) was told \(number) twice") }
    }

    // MARK: Registrations

    /// Reads the daemon's list of registrations: identifiers of regions, and names of services.
    func readRegistrations() throws -> Set<String> {
        var found: Set<String> = []
        try ask(["\"request\":\"registrations\""]) { event, value in
            guard event == "registration", let kind = value.text("kind") else { return }
            found.insert(value.text("identifier") ?? kind)
        }
        return found
    }

    /// Compares the daemon's list of registrations with those that it has confirmed to this client.
    ///
    /// - Parameter unanswered: Registrations that were requested without an answer: the daemon may or may not have
    ///   them.
    func compareRegistrations(unanswered: Set<String> = []) throws {
        let found = try readRegistrations()
        let differing = found.symmetricDifference(registrations).subtracting(unanswered)
        if !differing.isEmpty {
            let missing = registrations.subtracting(found).sorted()
            problems.append("\(name): of \(differing.sorted()), all registered or taken back, \(missing) are missing")
        }
        registrations = found
    }
}
