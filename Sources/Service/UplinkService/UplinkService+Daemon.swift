internal import ClientVocabulary
internal import DaemonClient
internal import SextantJSON
internal import SextantUnits
internal import SextantUplink

/// What the uplink knows from the daemon during one connection.
struct DaemonView {
    /// The name by which the daemon knows the uplink as a client.
    var client: String?
    var hasHello = false
    var status: AuthorizationStatus?
    var isReduced = false
    var servicesEnabled = true
    /// Why no data come from the daemon, in words; nil if they do.
    var problem: String? = "waits for sextantd"
    /// Seconds until the next attempt to connect to the daemon.
    var pause: Int64 = 2
    /// The ids of the commands whose request to the daemon is not answered yet.
    var commands: Set<String> = []
    /// The first problem that the daemon reported about the regions of the command that is being carried out.
    var regionProblem: String?
    var lastEnergy: MonotonicInstant?
    /// The daemon's number for a requested erasure of stored positions that is not finished; nil if there is none.
    var erasure: Int?

    mutating func reset(problem: String) {
        let pause = pause
        self = DaemonView()
        (self.problem, self.pause) = (problem, pause)
    }
}

extension UplinkService {
    // MARK: Lines

    func heard(_ bytes: [UInt8]) {
        guard let line = DaemonLine(bytes) else { return }
        switch line.event {
        case .hello: welcome(line)
        case .authorization: authorize(line)
        case .location: place(line)
        case .regionEvent, .visit: happened(line)
        case .registration:
            if let region = line.text(.identifier), let state = line.word(.state, as: RegionStateName.self) {
                feed(.region(identifier: region, isInside: state == .inside))
            }
        case .energy: count(line)
        case .pong: if let id = line.text(.id) { endRegions(id) }
        case .monitoringFailed: regionRefused(line)
        case .error: refused(line)
        case .forget:
            daemon.erasure = line.integer(.number)
            feed(.erase)
        default: break
        }
    }

    private func welcome(_ line: DaemonLine) {
        guard line.integer(.protocol) == ProtocolVersion.current else {
            daemon.problem = "sextantd speaks another protocol; install the same version of both"
            return feed(.authorization(.denied(daemon.problem ?? "")))
        }
        let isFirst = !daemon.hasHello
        (daemon.hasHello, daemon.client, daemon.problem, daemon.pause) = (true, line.text(.client), nil, 2)
        guard daemon.client != nil else {
            return feed(
                .authorization(
                    .denied("no manifest names this program; put sextant-uplink.json5 into /etc/sextant/clients.d")))
        }
        authorize(line)
        guard isFirst else { return }
        // The uplink first tells the daemon that it is in the background, so that it never counts as a program in use.
        send(DaemonRequest(.state).with(.state, "background"))
        if daemon.status == .notDetermined {
            send(DaemonRequest(.authorize).with(.authorization, word: AuthorizationRequest.always))
        }
        watch(settings.watch, as: .watch)
        if settings.events.contains(.visits) { send(DaemonRequest(.monitorVisits).with(.enabled, true)) }
        if settings.events.contains(.significantChanges) {
            send(DaemonRequest(.monitorSignificantChange).with(.enabled, true))
        }
        for request in regionRequests.values { send(request) }
        regionRequests = [:]
        // The daemon answers `registrations` also with the events that came while the uplink was not connected.
        send(DaemonRequest(.registrations))
    }

    private func authorize(_ line: DaemonLine) {
        daemon.status = line.word(.status) ?? daemon.status
        daemon.servicesEnabled = line.flag(.servicesEnabled) ?? daemon.servicesEnabled
        if let accuracy = line.word(.accuracyAuthorization, as: AccuracyAuthorization.self) {
            daemon.isReduced = accuracy == .reduced
        }
        feed(.authorization(authorization))
    }

    private var authorization: UplinkAuthorization {
        guard daemon.servicesEnabled else {
            return .denied("location services are off; sextant services on turns them on")
        }
        switch daemon.status {
        case .authorizedAlways: return daemon.isReduced ? .reduced : .full
        case .notDetermined:
            return .denied("nobody has allowed it yet; sudo sextant clients always \(daemon.client ?? "")")
        case .authorizedWhenInUse:
            return .denied(
                "it is allowed while in use only; sudo sextant clients always \(daemon.client ?? "")")
        default: return .denied("it is denied; sudo sextant clients always \(daemon.client ?? "") allows it")
        }
    }

    private func place(_ line: DaemonLine) {
        if var fix = UplinkFix(daemonLine: line.members, at: now) {
            fix.isReduced = daemon.isReduced
            if let time = fix.time, line.flag(.timeValidated) == true { noteTime(time, measured: fix.measured) }
            feed(.fix(fix))
        }
        if line.integer(.number) != nil { happened(line) }
        if let id = line.text(.id) { endCommand(id, problem: nil) }
        askEnergy()
        readBattery()
    }

    private func happened(_ line: DaemonLine) {
        guard let event = UplinkEvent(daemonLine: line.members, at: now) else {
            // An event that the uplink cannot send to the broker, because of its kind, is acknowledged at once, since
            // the daemon would otherwise keep it.
            if let number = line.integer(.number) { acknowledge(number) }
            return
        }
        feed(.event(event))
    }

    /// Tells the daemon that the uplink is done with the event or erasure of this number.
    func acknowledge(_ number: some BinaryInteger) {
        send(DaemonRequest(.acknowledge).with(.number, Int(clamping: number)))
    }

    private func refused(_ line: DaemonLine) {
        let message = line.text(.message) ?? ""
        if let id = line.text(.id) { return endCommand(id, problem: message) }
        daemon.problem = "sextantd: \(message)"
    }

    // MARK: Energy

    /// Requests the energy account (the joules that each client has cost) once per hour, when a position has woken the
    /// process anyway.
    private func askEnergy() {
        if let last = daemon.lastEnergy, now.nanoseconds(since: last) < 3_600_000_000_000 { return }
        daemon.lastEnergy = now
        send(DaemonRequest(.energy).with(.id, "energy"))
    }

    private func count(_ line: DaemonLine) {
        func joules(_ window: DaemonLine?) -> Double {
            let keys: [MemberKey] = [.receiverJoules, .sensorJoules, .hostWakeJoules, .hostIdleJoules]
            return keys.reduce(0) { $0 + (window?.number($1) ?? 0) }
        }
        let own = line.object(.sinceBoot)?.objects(.byClient).filter { $0.text(.client) == daemon.client }
        let client = (own ?? []).reduce(0) { $0 + ($1.number(.joules) ?? 0) }
        feed(.energy(lastDay: joules(line.object(.lastDay)), client: client))
    }

    // MARK: Requests

    /// Requests positions from the daemon, or changes how they are requested.
    func watch(_ watch: UplinkSettings.Watch, as name: RequestName) {
        var line = DaemonRequest(name).with(.session, 1)
        if watch.isPassive {
            line = line.with(.passive, true).with(.interval, watch.minimumInterval)
        } else {
            line = line.with(.background, true).with(.accuracy, watch.accuracy)
                .with(.distanceFilter, watch.distanceFilter).with(.minimumInterval, watch.minimumInterval)
        }
        send(line)
    }

    func obey(_ command: RemoteCommand) {
        guard daemon.hasHello else { return feed(.commandEnded(id: command.id, problem: daemon.problem ?? "")) }
        daemon.commands.insert(command.id)
        switch command {
        case .locate(let id, let accuracy, let timeout):
            send(
                DaemonRequest(.locate).with(.id, DaemonView.wire(id)).with(.accuracy, accuracy).with(.timeout, timeout))
        case .accuracy(let id, let accuracy, let distanceFilter, let minimumInterval, let duration):
            var changed = settings.watch
            changed.accuracy = accuracy ?? changed.accuracy
            changed.distanceFilter = distanceFilter ?? changed.distanceFilter
            changed.minimumInterval = minimumInterval ?? changed.minimumInterval
            watch(changed, as: .change)
            endWatchChange(inSeconds: Int64(max(1, min(duration, 86_400))))
            endCommand(DaemonView.wire(id), problem: nil)
        case .regions(let id, let geoJSON): monitor(id, geoJSON)
        }
    }

    func monitor(_ region: UplinkRegion) {
        let request = DaemonRequest(.monitorRegion).with(.identifier, region.identifier)
        send(
            request.with(.latitude, region.latitude).with(.longitude, region.longitude).with(.radius, region.radius),
            about: region.identifier)
    }

    /// Sends a request about a region to the daemon, now or once it is there.
    func send(_ request: DaemonRequest, about region: String) {
        if daemon.hasHello { send(request) } else { regionRequests[region] = request }
    }

    /// Requests that the daemon monitor the features of a GeoJSON object as regions.
    ///
    /// A `ping` is sent after these requests, and the answer to it ends the command.
    private func monitor(_ id: String, _ geoJSON: [UInt8]) {
        daemon.regionProblem = nil
        guard let features = JSONMembers(parsing: geoJSON)?.array("features") else {
            return endCommand(DaemonView.wire(id), problem: "the regions are no FeatureCollection")
        }
        for feature in features {
            guard let request = RegionFeatureRequest.request(feature) else {
                return endCommand(
                    DaemonView.wire(id),
                    problem: "a region needs an id, and a Point with a radius, a Polygon or a MultiPolygon")
            }
            send(request)
        }
        send(DaemonRequest(.ping).with(.id, DaemonView.wire(id)))
    }

    private func regionRefused(_ line: DaemonLine) {
        guard daemon.regionProblem == nil, let reason = line.text(.reason) else { return }
        daemon.regionProblem = "\(line.text(.identifier) ?? ""): \(reason)"
    }

    private func endRegions(_ id: String) {
        endCommand(id, problem: daemon.regionProblem)
        daemon.regionProblem = nil
    }

    private func endCommand(_ wire: String, problem: String?) {
        guard let id = daemon.commands.first(where: { DaemonView.wire($0) == wire }) else { return }
        daemon.commands.remove(id)
        feed(.commandEnded(id: id, problem: problem))
    }
}

extension DaemonView {
    /// A command's id in the form that the daemon accepts: at most 64 bytes.
    static func wire(_ id: String) -> String {
        id.utf8.count <= 64 ? id : String(decoding: id.utf8.prefix(64), as: UTF8.self)
    }
}

/// Converts a feature of a GeoJSON object to a region.
enum RegionFeatureRequest {
    /// The request to monitor the region; nil if the feature is no region.
    static func request(_ feature: JSONValue) -> DaemonRequest? {
        guard case .object(let members) = feature, let geometry = members.object("geometry"),
            let type = geometry.text("type"), let coordinates = geometry["coordinates"]
        else { return nil }
        let properties = members.object("properties")
        guard let identifier = members.text("id") ?? properties?.text("identifier") else { return nil }
        let request = DaemonRequest(.monitorRegion).with(.identifier, identifier)
        switch type {
        case "Point":
            guard case .array(let place) = coordinates, place.count >= 2, case .number(let longitude) = place[0],
                case .number(let latitude) = place[1], let radius = properties?.number("radius")
            else { return nil }
            return request.with(.latitude, latitude).with(.longitude, longitude).with(.radius, radius)
        case "Polygon": return request.with(.polygon, json: coordinates)
        case "MultiPolygon": return request.with(.multiPolygon, json: coordinates)
        default: return nil
        }
    }
}
