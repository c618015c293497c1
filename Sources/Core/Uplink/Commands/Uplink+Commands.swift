internal import SextantJSON
internal import SextantUnits

/// Messages from the broker: acknowledgements, commands, and Home Assistant's start.
extension Uplink {
    /// The largest message that is read, in bytes.
    private static let longestMessage = 64 << 10
    private static let longestID = 64
    private static let maximumRegions = 1000

    mutating func didReceive(
        _ topic: String, _ payload: [UInt8], _ isRetained: Bool, at now: MonotonicInstant, _ utc: UTCInstant?,
        into outputs: inout [UplinkOutput]
    ) {
        guard case .connected = connection.link, !isDenied, payload.count <= Uplink.longestMessage else { return }
        if topic == topics.ack { return didAcknowledge(payload, isRetained, at: now, into: &outputs) }
        if topic == HomeAssistantDiscovery.birth {
            guard configuration.homeAssistant, payload == Array("online".utf8) else { return }
            reports.discoveryAt = now.advanced(bySeconds: random.nextUnit() * 5)
            return
        }
        // Retained commands are ignored, because the broker would send them at every connection.
        guard !isRetained, topic == topics.do || topic == owntracks.command,
            let members = JSONMembers(parsing: payload)
        else { return }
        if topic == topics.do {
            obey(own: members, at: now, into: &outputs)
        } else {
            obey(owntracks: members, at: now, into: &outputs)
        }
    }

    /// Checks whether a command may be obeyed, and returns it; for a refused command the result is nil, and a `done`
    /// message to the broker says why.
    private mutating func admit(_ name: String, id: String?, at now: MonotonicInstant) -> UplinkConfiguration.Command? {
        guard let command = UplinkConfiguration.Command(rawValue: name), configuration.commands.contains(command)
        else {
            refuse("\(name.prefix(32)) is not among the configuration's commands", id: id)
            return nil
        }
        if let problem = gate.admit(joules: configuration.commandJoules, at: now) {
            refuse(problem, id: id)
            return nil
        }
        status.obeyed += 1
        return command
    }

    private mutating func refuse(_ problem: String, id: String?) {
        status.refused += 1
        lanes.queue(own.done(id: id, problem: problem))
    }

    private mutating func obey(
        own members: JSONMembers, at now: MonotonicInstant, into outputs: inout [UplinkOutput]
    ) {
        guard let name = members.text("do") else { return }
        var id: String?
        if let given = members.text("id"), given.utf8.count <= Uplink.longestID {
            guard !gate.knows(given) else { return }
            id = given
        }
        guard let command = admit(name, id: id, at: now) else { return }
        // Only the ids of obeyed commands are stored, so that strangers cannot wear out the SD card with commands that
        // are refused.
        if let id {
            gate.remember(id)
            outputs.append(.rememberCommand(id: id))
        }
        let identifier = id ?? name
        switch command {
        case .locate:
            lanes.asked = .asked
            outputs.append(
                .command(
                    .locate(
                        id: identifier, accuracy: members.number("accuracy"), timeout: members.number("timeout"))))
        case .accuracy:
            guard let duration = members.number("for"), (1...86_400).contains(duration) else {
                return refuse("accuracy needs \"for\", 1 to 86400 seconds", id: id)
            }
            outputs.append(
                .command(
                    .accuracy(
                        id: identifier, accuracy: members.number("accuracy"),
                        distanceFilter: members.number("distanceFilter"),
                        minimumInterval: members.number("minimumInterval"), duration: duration)))
        case .regions:
            guard let regions = members["regions"] else { return refuse("regions needs \"regions\", GeoJSON", id: id) }
            outputs.append(.command(.regions(id: identifier, geoJSON: Array(regions.text.utf8))))
        case .sync:
            (lanes.lastBatch, reports.lastReport, lanes.asked) = (nil, nil, .asked)
            lanes.queue(own.done(id: id, problem: nil))
        case .reportLocation, .setWaypoints, .clearWaypoints, .waypoints, .status:
            refuse("\(name) is a command of OwnTracks, for its own topic", id: id)
        }
    }

    private mutating func obey(
        owntracks members: JSONMembers, at now: MonotonicInstant, into outputs: inout [UplinkOutput]
    ) {
        guard configuration.format == .owntracks, members.text("_type") == "cmd",
            let name = members.text("action"), let command = admit(name, id: nil, at: now)
        else { return }
        switch command {
        case .reportLocation:
            lanes.asked = .asked
            outputs.append(.command(.locate(id: name, accuracy: nil, timeout: nil)))
        case .setWaypoints: setWaypoints(members.object("waypoints"), into: &outputs)
        case .clearWaypoints:
            for region in regions { outputs.append(.removeRegion(identifier: region.identifier)) }
            regions = []
        case .waypoints: lanes.queue(owntracks.waypoints(regions))
        case .status: lanes.queue(owntracks.status(status))
        case .locate, .accuracy, .regions, .sync: break
        }
        // These commands are complete at this point; `reportLocation` is complete only when the daemon has answered.
        if command != .reportLocation { lanes.queue(own.done(id: name, problem: nil)) }
    }

    /// Adds OwnTracks waypoints as regions or replaces regions by them; a waypoint with impossible coordinates removes
    /// its region.
    private mutating func setWaypoints(_ list: JSONMembers?, into outputs: inout [UplinkOutput]) {
        for waypoint in list?.objects("waypoints") ?? [] {
            guard let latitude = waypoint.number("lat"), let longitude = waypoint.number("lon") else { continue }
            let timestamp = waypoint.integer("tst") ?? 0
            let identifier = Uplink.name(waypoint.text("rid")) ?? String(timestamp)
            let index = regions.firstIndex { $0.identifier == identifier }
            guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
                guard let index else { continue }
                regions.remove(at: index)
                outputs.append(.removeRegion(identifier: identifier))
                continue
            }
            guard let radius = waypoint.number("rad"), radius > 0, radius <= 100_000 else { continue }
            let region = UplinkRegion(
                identifier: identifier, name: Uplink.name(waypoint.text("desc")) ?? identifier, latitude: latitude,
                longitude: longitude, radius: radius, timestamp: timestamp)
            guard index != nil || regions.count < Uplink.maximumRegions else { continue }
            if let index { regions[index] = region } else { regions.append(region) }
            outputs.append(.setRegion(region))
            if index == nil { lanes.queue(owntracks.waypoint(region)) }
        }
    }

    /// A region's name or identifier; nil where it is empty or has more than 256 bytes.
    private static func name(_ text: String?) -> String? {
        text.flatMap { (1...256).contains($0.utf8.count) ? $0 : nil }
    }
}
