internal import Emulation
internal import SextantUnits

/// Runs the board and its clients through random events, and counts those events.
final class YearLife {
    private let board: YearBoard
    private let clients: [YearClient]
    private let `operator` = YearClient(name: "operator", user: 0)
    private var random: SplitMix64
    private let hasKills: Bool
    private var isOn = true
    private var isPluggedIn = true
    private var denied: Set<String> = []
    /// The numbers of kills and of orderly restarts of the daemon, and of steps of the clock.
    private(set) var (kills, restarts, clockSteps) = (0, 0, 0)

    init(_ board: YearBoard, clients: [YearClient], hasKills: Bool, random: SplitMix64) throws {
        (self.board, self.clients, self.hasKills, self.random) = (board, clients, hasKills, random)
        try connectAll()
    }

    var problems: [String] { (clients + [self.operator]).flatMap(\.problems) }
    var events: Int { clients.reduce(0) { $0 + $1.events } }
    var locations: Int { clients.reduce(0) { $0 + $1.locations } }

    /// Lets 20 seconds to 83 minutes pass, and then carries out a random action.
    func step() throws {
        var left = random.next(in: random.next() % 2 == 0 ? 20...600 : 600...5000)
        while left > 0 {
            let part = min(left, 300)
            try board.run(seconds: part)
            left -= part
            for client in clients { try client.ask([]) }
        }
        if random.next() % 8 != 0 { for client in clients { try client.acknowledge() } }
        try happen()
        if !isOn { try switchServices() }
    }

    private func happen() throws {
        let client = clients[Int(random.next() % UInt64(clients.count))]
        switch random.next() % 100 {
        case 0..<25: try changeRegion(of: client)
        case 25..<35: try changeService(of: client)
        case 35..<55: try changeWatch(of: client)
        case 55..<63: try client.ask(["\"request\":\"state\",\"state\":\"\(either("foreground", "background"))\""])
        case 63..<70: try reconnect(client)
        // Clients that were denied are soon allowed again, so that mostly there are events to deliver.
        case 70..<78: if denied.contains(client.name) || random.next() % 3 == 0 { try decide(about: client) }
        case 78..<81: try switchServices()
        case 81..<85: try setClock()
        case 85..<87:
            isPluggedIn.toggle()
            try board.setReceiver(pluggedIn: isPluggedIn)
        case 87..<92: if hasKills { try endDaemon(asking: client) }
        default: break
        }
    }

    private func either(_ one: String, _ other: String) -> String { random.next() % 2 == 0 ? one : other }

    // MARK: Clients

    private func connectAll() throws {
        for client in clients + [self.operator] { try client.connect(to: board.socket) }
        for client in clients { try askAgain(client) }
    }

    /// Sends the requests that a client's program sends at its start, so that the waiting events are delivered.
    private func askAgain(_ client: YearClient) throws {
        try client.compareRegistrations()
        try client.ask(client.registrations.compactMap { service in YearLife.request(service: service, isOn: true) })
    }

    private func reconnect(_ client: YearClient) throws {
        client.disconnect()
        try client.connect(to: board.socket)
        try askAgain(client)
    }

    private static func request(service: String, isOn: Bool) -> String? {
        switch service {
        case "visits": "\"request\":\"monitorVisits\",\"enabled\":\(isOn)"
        case "significantChange": "\"request\":\"monitorSignificantChange\",\"enabled\":\(isOn)"
        default: nil
        }
    }

    private func changeRegion(of client: YearClient) throws {
        let name = "r\(random.next() % 12)"
        if client.registrations.contains(name) {
            try client.ask(["\"request\":\"unmonitorRegion\",\"identifier\":\"\(name)\""])
            client.registrations.remove(name)
        } else {
            try client.ask([monitor(name)]) { event, _ in
                if event == "monitoring" { client.registrations.insert(name) }
            }
        }
    }

    /// The request to monitor a circle around one of the places that the board goes to.
    private func monitor(_ name: String) -> String {
        let place = Journey.places[Int(random.next() % UInt64(Journey.places.count))]
        let radius = 50 + random.next() % 500
        return "\"request\":\"monitorRegion\",\"identifier\":\"\(name)\",\"latitude\":\(place.latitude),"
            + "\"longitude\":\(place.longitude),\"radius\":\(radius)"
    }

    private func changeService(of client: YearClient) throws {
        let service = either("visits", "significantChange")
        let isOn = !client.registrations.contains(service)
        try client.ask([YearLife.request(service: service, isOn: isOn) ?? ""])
        if isOn { client.registrations.insert(service) } else { client.registrations.remove(service) }
    }

    private func changeWatch(of client: YearClient) throws {
        let accuracy = ["3000", "1000", "1000", "100", "10", "\"best\""][Int(random.next() % 6)]
        let deferral = accuracy == "\"best\"" ? ",\"deferral\":{\"timeout\":600},\"label\":\"\(client.name)\"" : ""
        let watch = "\"request\":\"watch\",\"accuracy\":\(accuracy),\"background\":true\(deferral)"
        // Half of the requests end the client's location updates, so that the board's receiver is off most of the time.
        try client.ask([random.next() % 2 == 0 ? watch : "\"request\":\"unwatch\""])
    }

    // MARK: The operator

    private func decide(about client: YearClient) throws {
        let isDenied = denied.remove(client.name) == nil
        if isDenied { denied.insert(client.name) }
        let answer = isDenied ? "deny" : "always"
        try operate("\"request\":\"answer\",\"client\":\"\(client.name)\",\"answer\":\"\(answer)\"")
    }

    private func switchServices() throws {
        isOn.toggle()
        try operate("\"request\":\"services\",\"enabled\":\(isOn)")
    }

    /// Sends a decision of the operator; once it is confirmed, no client must receive more than the decision allows.
    private func operate(_ request: String) throws {
        for client in clients {
            try client.ask([])
            // The next lines from the daemon can come before or after the operator's decision, so until the decision is
            // confirmed a client may receive anything.
            client.mayKnow = true
        }
        try self.operator.ask([request])
        for client in clients {
            try client.ask([])
            client.mayKnow = isOn && !denied.contains(client.name)
        }
    }

    // MARK: The board

    private func setClock() throws {
        clockSteps += 1
        let steps: [Double?] = [nil, -400 * 86_400, -3600, -1, 1, 3600, 400 * 86_400, 0, 0]
        let step = steps[Int(random.next() % UInt64(steps.count))]
        try board.setClock(step.map { board.time + $0 })
    }

    /// Ends the daemon, sometimes in the middle of a request, and compares the registrations afterwards.
    private func endDaemon(asking client: YearClient) throws {
        let isKill = random.next() % 5 != 0
        var unanswered: Set<String> = []
        if isKill, random.next() % 2 == 0 {
            let name = "r\(random.next() % 12)"
            unanswered = [name]
            try client.send([monitor(name)])
        }
        if isKill { kills += 1 } else { restarts += 1 }
        try board.restart(byKilling: isKill)
        isPluggedIn = true
        for client in clients + [self.operator] {
            client.disconnect()
            try client.connect(to: board.socket)
        }
        try client.compareRegistrations(unanswered: unanswered)
        for client in clients { try askAgain(client) }
    }
}
