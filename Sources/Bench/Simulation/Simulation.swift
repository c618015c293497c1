internal import Access
internal import Boards
internal import Emulation
internal import Engine
internal import HostSleep
internal import Parts
internal import Receivers
internal import SextantJSON
internal import SextantUnits

/// Runs the real Engine (the daemon's core) on an emulated receiver in virtual time; a simulated day takes seconds of
/// real time.
///
/// The Engine gets the receiver's bytes at the instants at which a UART would deliver them, and the receiver gets the
/// Engine's orders. A client sends its request in the local socket's protocol and reads the answers. The simulation
/// uses no real clock, no socket and no thread, so the same settings always give the same run.
public struct Simulation: ~Copyable {
    /// The number of steps at one instant after which the simulation ignores a wake-up that the Engine requests for
    /// this instant.
    private static let maximumStepsAtOnce = 100
    private static let client = ClientID(rawValue: 1)

    private let settings: SimulationSettings
    private let end: MonotonicInstant
    private var now = MonotonicInstant.zero
    private var receiver: EmulatedReceiver
    private let sensor: EmulatedMotionSensor?
    private var nextMotion: MonotonicInstant?
    private var schedule: IntervalSchedule?
    private var engine: Engine
    /// The host that can be switched off; nil if the host stays on.
    private var host: SimulatedHost?
    private var turn = Turn()
    private var engineWake: MonotonicInstant?
    private var port = SerialLine()
    private var recorder: RunRecorder
    /// Inputs for the Engine that arose while the outputs of an earlier input were being carried out.
    private var pending: [Input] = []
    /// The flight recording of the Engine's inputs; empty if none was requested.
    private var recording: [UInt8] = []
    private var refusal: String?
    /// The daemon's status at the end of the run, as the line (one JSON object) that a client receives.
    private var status = ""

    /// Runs a whole trajectory and returns the result.
    ///
    /// - Parameters:
    ///   - truth: The settings' trajectory at one point per second; only the oracle policy reads it in advance.
    ///   - oracle: The oracle's schedule of fixes if it is known already; nil to compute it if the policy needs it.
    public static func run(
        _ settings: SimulationSettings, on truth: TruthGrid, oracle: Oracle? = nil
    ) throws(SimulationError) -> SimulationResult {
        guard settings.policy != .oracle else {
            return OracleRun.result(settings, oracle ?? settings.oracle(on: truth), on: truth)
        }
        var simulation = Simulation(settings)
        try simulation.run()
        return simulation.result
    }

    private init(_ settings: SimulationSettings) {
        self.settings = settings
        let trajectory = settings.trajectory
        end = MonotonicInstant(nanoseconds: Int64((trajectory.duration * 1e9).rounded()))
        var options = EmulatedReceiver.Options()
        options.isPoweredAtStart = false
        options.backup = settings.hasBackup ? .supply : .none
        options.surroundings = settings.surroundings
        options.positionSigma = settings.positionSigma
        options.accuracyScale = settings.accuracyScale
        receiver = EmulatedReceiver(
            model: settings.model, trajectory: trajectory, mask: settings.mask, seed: settings.seed, options: options)
        if settings.hasMotionSensor {
            sensor = EmulatedMotionSensor(
                trajectory: trajectory, seed: settings.seed &+ 0x5EED, options: settings.motionSensor)
        } else {
            sensor = nil
        }
        if case .interval(let seconds) = settings.policy {
            schedule = IntervalSchedule(seconds: seconds, start: .zero)
        }
        engine = Engine(settings.engineConfiguration(baud: receiver.baud, learned: settings.learned))
        host = settings.hostSleep.map { SimulatedHost($0) }
        if settings.isRecorded { recording = FlightFormat.head }
        recorder = RunRecorder(
            startTime: trajectory.startTime, wakeMillijoules: settings.host.wakeMillijoules,
            cyclicShare: settings.draws.cyclicShare)
    }

    private var result: SimulationResult {
        SimulationResult(
            record: recorder.record, motions: recorder.motions, hostWakes: recorder.hostWakes,
            sleep: host.map {
                SimulationResult.HostSleep(
                    boots: $0.boots, idleMilliwatts: $0.milliwatts(in: .on), learned: $0.learned,
                    ledger: $0.ledger, spells: $0.told)
            },
            spins: recorder.spins,
            drawnJoules: (receiver.energy - (recorder.energyAtFirstFix ?? 0)) / 1000,
            hasAccuracies: recorder.hasAccuracies, recording: recording, status: status)
    }

    // MARK: Time

    private mutating func run() throws(SimulationError) {
        begin(settings.engineConfiguration(baud: receiver.baud, learned: settings.learned))
        if let refusal { throw .refused(refusal) }
        var steps = 0
        while let instant = nextInstant, instant <= end {
            steps = instant <= now ? steps + 1 : 0
            if steps >= Simulation.maximumStepsAtOnce, engineWake.map({ $0 <= now }) == true {
                // The Engine keeps asking to be woken at this instant: a real daemon would run at full CPU load until
                // the next event.
                engineWake = nil
                recorder.noteSpin(at: now)
                continue
            }
            step(to: max(instant, now))
        }
        advanceReceiver(to: end)
        host?.finish(at: end)
        recorder.finish(at: end, host: hostUses, sensor: sensor == nil ? nil : EmulatedMotionSensor.draw)
        askStatus()
    }

    private mutating func begin(_ configuration: EngineConfiguration) {
        recorder.note(receiver.powerState, isCyclic: receiver.isTrackingCyclically, at: now)
        feed(.started(configuration))
        feed(.admission(.everyone))
        if let host {
            for row in host.rows { feed(.storeFound(row)) }
            feed(.storeRead)
            feed(.clockTrusted(wall(hostNow)))
        }
        if settings.isManaged {
            feed(.linesOpened(settings.lines, problem: nil))
        }
        if let sensor {
            feed(motion: sensor.level(at: now))
            nextMotion = sensor.nextChange(after: now)
        }
        if let host {
            feed(.host(.woke(HostWake(host.cause, isRead: true), clock: wall(hostNow), fingerprint: 0)))
        }
        let (client, request) = (Simulation.client, settings.request)
        feed(.clientConnected(client, .local))
        feed(.clientLine(client, .local, request))
    }

    /// The next instant at which anything happens in the simulation; nil if nothing more happens.
    private var nextInstant: MonotonicInstant? {
        if let host, !host.isOn {
            return [receiver.nextChange, nextMotion, host.nextInstant].compactMap { $0 }.min()
        }
        var next = port.isResting ? receiver.nextChange : receiver.nextEvent
        for other in [port.nextInstant, engineWake, nextMotion, schedule?.nextInstant] {
            if let other, next.map({ other < $0 }) ?? true { next = other }
        }
        return next
    }

    private mutating func step(to instant: MonotonicInstant) {
        advanceReceiver(to: instant)
        if host?.isOn == false { return sleepOn() }
        depart()
        if port.isReadable(at: now) { read() }
        if let edge = nextMotion, edge <= now, let sensor {
            nextMotion = sensor.nextChange(after: now)
            recorder.noteMotion(sensor.level(at: now), at: now)
            feed(motion: sensor.level(at: now))
        }
        if schedule?.timePassed(to: now) == true {
            recorder.noteWake(at: now)
            setLine(.powerEnable, true)
        }
        if let wake = engineWake, wake <= now { feed(.timePassed) }
    }

    // MARK: The host

    /// The present instant on the host's monotonic clock, which restarts at zero when the host's supply is switched on.
    private var hostNow: MonotonicInstant { onHost(now) }

    private func onHost(_ instant: MonotonicInstant) -> MonotonicInstant {
        host.map { MonotonicInstant(nanoseconds: instant.nanoseconds(since: $0.poweredAt)) } ?? instant
    }

    /// Converts an instant of the host's monotonic clock to an instant of the simulation.
    private func here(_ instant: MonotonicInstant) -> MonotonicInstant {
        host.map { $0.poweredAt.advanced(byNanoseconds: instant.nanoseconds) } ?? instant
    }

    /// The wall-clock time at an instant of the host's monotonic clock.
    private func wall(_ instant: MonotonicInstant) -> UTCInstant {
        let start = Int64(settings.trajectory.startTime) * 1_000_000_000
        return UTCInstant(nanoseconds: start + here(instant).nanoseconds)
    }

    /// Advances a host that is stopping, off or booting; a daemon is started as soon as the host has booted.
    private mutating func sleepOn() {
        port.discardInput()
        if let edge = nextMotion, edge <= now, let sensor {
            nextMotion = sensor.nextChange(after: now)
            recorder.noteMotion(sensor.level(at: now), at: now)
            if sensor.level(at: now) { host?.felt(at: now) }
        }
        let before = host?.state
        host?.advance(to: now)
        // The receiver loses its main supply together with the host; its backup supply stays.
        if before == .halted, host?.state != .halted { setLine(.powerEnable, false) }
        guard host?.isOn == true else { return }
        port = SerialLine()
        var configuration = settings.engineConfiguration(
            baud: receiver.baud, learned: host?.learned ?? settings.learned)
        configuration.now = wall(hostNow)
        engine = Engine(configuration)
        begin(configuration)
    }

    /// The energy that the host used apart from its wake-ups, one element for each period in one state.
    private var hostUses: [RunRecord.EnergyUse] {
        guard let host else {
            return [recorder.use(from: .zero, until: end, milliwatts: settings.host.idleMilliwatts)]
        }
        return host.spells.map { spell in
            recorder.use(from: spell.from, until: spell.until, milliwatts: host.milliwatts(in: spell.state))
        }
    }

    private mutating func advanceReceiver(to instant: MonotonicInstant) {
        now = instant
        var port = SerialLine()
        swap(&port, &self.port)
        receiver.advance(to: instant) { bytes, _ in port.arrive(bytes) }
        swap(&port, &self.port)
        recorder.note(receiver.powerState, isCyclic: receiver.isTrackingCyclically, at: now)
    }

    /// Gives the receiver all bytes and changes of the baud rate that have left the host's port by now.
    private mutating func depart() {
        while let departure = port.departed(by: now) {
            switch departure {
            case .bytes(let bytes): receiver.receive(bytes.span, at: now)
            case .baud(let rate):
                receiver.hostBaud = rate
                port.discardInput()
            }
        }
        recorder.note(receiver.powerState, isCyclic: receiver.isTrackingCyclically, at: now)
    }

    // MARK: The Engine

    private mutating func read() {
        recorder.noteWake(at: now)
        let input = port.takeInput()
        engine.handle(bytes: input.span, at: hostNow, into: &turn)
        if settings.isRecorded { keep(.bytes(input)) }
        port.giveBack(input)
        carryOut()
        feedPending()
    }

    private mutating func feed(_ input: Input) {
        pending.append(input)
        feedPending()
    }

    private mutating func feed(motion isMoving: Bool) { feed(.motion(isMoving)) }

    private mutating func feedPending() {
        recorder.noteWake(at: now)
        while !pending.isEmpty {
            let next = pending.removeFirst()
            engine.handle(next, at: hostNow, into: &turn)
            keep(next)
            carryOut()
        }
    }

    /// Writes an input of the Engine and the digest of the resulting outputs into the flight recording.
    private mutating func keep(_ input: Input) {
        guard settings.isRecorded else { return }
        let digest = OutputDigest(of: turn).value
        FlightFormat.append(input, at: hostNow, digest: digest, to: &recording)
    }

    private mutating func carryOut() {
        for index in turn.actions.indices {
            switch turn.actions[index] {
            case .openDevice(let baud):
                port.open(baud: baud ?? receiver.baud)
                pending.append(.deviceOpened(.uart, time: nil))
            case .port(.setBaud(let baud)): port.setBaud(baud, at: now)
            case .port(.transmit(let bytes)): port.transmit(bytes, at: now)
            case .setLine(let role, let level): setLine(role, level)
            case .rest(let until): port.rest(until: here(until))
            case .host(let order):
                let wall = wall(hostNow)
                let report = host?.carryOut(order, at: now, wall: wall)
                if let report { pending.append(.host(report)) }
            case .store(let change): host?.change(change)
            case .keepLearned(let range):
                let learned = bytes(range)
                host?.learned = learned
            case .send(_, let range): take(range)
            // The Engine's outputs without effect in a simulation: the emulated receiver draws no current through its
            // input, nothing is kept after a run, and the board has no compass and no Bluetooth.
            case .port(.holdTransmitterLow), .persist, .acknowledge, .remember, .log, .hold,
                .wake, .endWake, .wakeDone, .startUnit, .expireStart, .keepTrack, .serveTrack, .findCompass,
                .sampleCompass, .watchMotion, .lookAtLine, .radio, .readClock, .tellTime:
                break
            }
        }
        engineWake = host?.isOn == false ? nil : turn.wake.map { here($0) }
    }

    private func bytes(_ range: Range<Int>) -> [UInt8] {
        turn.text.bytes(range)
    }

    private mutating func setLine(_ role: LineRole, _ level: Bool) {
        receiver.setLine(role, level, at: now)
        recorder.note(receiver.powerState, isCyclic: receiver.isTrackingCyclically, at: now)
    }

    // MARK: The client

    /// Requests the daemon's status after the run's end, so that the request changes nothing in the run.
    private mutating func askStatus() {
        let request = Array(#"{"request":"status"}"#.utf8)
        engine.handle(.clientLine(Simulation.client, .local, request), at: hostNow, into: &turn)
        for action in turn.actions {
            guard case .send(_, let range) = action else { continue }
            let line = String(decoding: bytes(range), as: UTF8.self)
            if line.hasPrefix("{\"event\":\"status\"") { status = line }
        }
    }

    /// Reads a line (one JSON object) that the Engine sent to the client: a location is recorded, an error is kept as
    /// the refusal.
    private mutating func take(_ range: Range<Int>) {
        guard let location = turn.text.withBytes(range, { LocationLine($0) }) else {
            let line = String(decoding: bytes(range), as: UTF8.self)
            if line.hasPrefix("{\"event\":\"error\"") { refusal = line }
            return
        }
        recorder.note(location, at: now, energy: receiver.energy)
        if schedule?.fixed(at: now) == true { setLine(.powerEnable, false) }
    }
}

extension SimulationSettings {
    /// The configuration of the simulated daemon's Engine; `baud`, the receiver's first baud rate, counts as the last
    /// known one.
    ///
    /// - Parameter learned: What the daemon learned in an earlier boot about the receiver and the board's movements,
    ///   encoded.
    func engineConfiguration(baud: Int, learned: [UInt8]? = nil) -> EngineConfiguration {
        var configuration = EngineConfiguration(
            device: "simulation", fixedBaud: nil, lastBaud: baud,
            now: UTCInstant(nanoseconds: Int64(trajectory.startTime) * 1_000_000_000),
            power: isManaged ? power(learned) : nil)
        configuration.hostSleep = hostSleep?.configuration
        return configuration
    }

    private func power(_ learned: [UInt8]?) -> PowerConfiguration {
        PowerConfiguration(
            model: model, draw: model.powerDraw, baud: PowerConfiguration.usualBaud, hasPersistentBackup: hasBackup,
            motionSensorDraw: hasMotionSensor ? EmulatedMotionSensor.draw : nil,
            hostIdleMilliwatts: host.idleMilliwatts, hostWakeMillijoules: host.wakeMillijoules, batteryWattHours: nil,
            learned: learned)
    }
}
