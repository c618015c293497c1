internal import ClientVocabulary
internal import Configuration
internal import DaemonClient
internal import Glibc
internal import SextantJSON
public import SextantReactor
internal import SextantUnits
internal import SextantUplink
internal import Store

/// The uplink: a client of the daemon and of a broker, between which the reducer decides.
///
/// It owns the reducer, feeds it and obeys it; what it decides itself is how to speak to either side. A class, because the
/// reactor and the connections call it.
public final class UplinkService {
    /// Where everything is, by the command line or by systemd.
    public struct Places: Sendable {
        public var config: String
        public var daemon: String
        public var state: String
        public var runtime: String
        /// What stands before the names of the password's and the keys' files.
        public var keys: String
        /// The kernel's name of this boot.
        public var boot: String
        /// The content of `/etc/machine-id`.
        public var machine: String?
        /// Where the kernel tells of batteries.
        public var powerSupplies = "/sys/class/power_supply"

        public init(
            config: String, daemon: String, state: String, runtime: String, keys: String, boot: String, machine: String?
        ) {
            self.config = config
            self.daemon = daemon
            self.state = state
            self.runtime = runtime
            self.keys = keys
            self.boot = boot
            self.machine = machine
        }
    }

    /// Why the uplink cannot begin, and an exit status of sysexits(3).
    public struct Failure: Error, CustomStringConvertible {
        public var description: String
        public var status: Int32
    }

    private enum Job: CaseIterable {
        /// Connect to the daemon again.
        case daemon
        /// Move fixes from memory to the card.
        case flush
        /// Store again what the card refused.
        case store
        /// End what a command changed of the watch.
        case watch
        /// See whether the wall clock can be trusted now.
        case time
    }

    let settings: UplinkSettings
    private let keys: BrokerKeys
    private let queue: UplinkQueue
    private let reactor: Reactor
    private let log: (String) -> Void
    private var uplink: Uplink
    private var statusFile: StatusFile
    private var counters = UplinkCounters()
    private var link: BrokerLink?
    private var pipe: DaemonPipe?
    var daemon = DaemonView()
    private var battery: HostBattery
    /// When the battery was last read.
    private var batteryRead: MonotonicInstant?

    private var inputs: [UplinkInput] = []
    private var outputs: [UplinkOutput] = []
    private var isHandling = false
    /// The reducer's tokens by the numbers of messages at the broker.
    private var tokens: [Int32: UInt32] = [:]
    /// What the card refused.
    private var unstored: [UplinkOutput] = []
    private var queueProblem: String?
    private var alarm: Alarm?
    private var jobs: [Job: MonotonicInstant] = [:]
    /// The difference between a time that a receiver vouched for and the boot clock, nanoseconds.
    private var receiverTime: Int64?
    /// Whether the reducer had a time with its last input.
    private var hadTime = false
    private var lastMessage = ""

    /// The longest that a fix is in memory alone; seconds.
    private static let tailSeconds: Int64 = 300

    public init(_ places: Places, reactor: Reactor, log: @escaping (String) -> Void) throws {
        (settings, keys) = try UplinkService.read(places)
        do throws(StoreError) {
            queue = try UplinkQueue(state: places.state, runtime: places.runtime, boot: places.boot)
        } catch {
            throw Failure(description: "\(error)", status: error.kind == .inUse ? 69 : 74)
        }
        self.reactor = reactor
        self.log = log
        battery = HostBattery(folder: places.powerSupplies)
        uplink = Uplink(settings.uplink, seed: .random(in: 0 ... .max))
        statusFile = StatusFile(folder: places.runtime, settings: settings, series: queue.start.series)
        queue.notices.forEach(log)
        if !settings.broker.usesTLS, keys.password != nil {
            log("\(settings.broker.text): without TLS everybody on the way reads the password; use mqtts://")
        }
        link = try BrokerLink(reactor: reactor) { [unowned self] in happened($0) }
        alarm = try Alarm(in: reactor) { [unowned self] in doJobs() }
        reactor.onWake { [unowned self] _ in feed(.tick) }
        pipe = DaemonPipe(
            path: places.daemon, reactor: reactor, received: { [unowned self] in heard($0) },
            lost: { [unowned self] in lostDaemon($0) })
        feed(.start(queue.start))
        pipe?.open()
    }

    /// Checks the configuration and the keys; throws the mistake.
    public static func check(_ places: Places) throws { _ = try read(places) }

    private static func read(_ places: Places) throws(Failure) -> (UplinkSettings, BrokerKeys) {
        let settings: UplinkSettings
        do throws(ConfigurationError) {
            settings = try UplinkSettings.read(from: places.config, machine: places.machine)
        } catch {
            throw Failure(description: "\(error)", status: 78)
        }
        do throws(BrokerKeys.Mistake) {
            return (settings, try BrokerKeys.read(prefix: places.keys))
        } catch {
            throw Failure(description: "\(error)", status: 78)
        }
    }

    /// Makes the next attempt at the broker at once.
    public func sendNow() { feed(.sendNow) }

    /// Leaves the broker and writes everything to the card.
    public func stop() {
        leave()
        pipe?.close()
        do { try queue.close() } catch { log("\(error)") }
    }

    // MARK: The reducer

    /// The wall clock, where somebody vouches for it: the kernel's state, or a receiver's time that is the same.
    private var trustedTime: UTCInstant? {
        let utc = reactor.utc
        if reactor.utcIsSynchronized { return utc }
        guard let receiverTime else { return nil }
        let difference = utc.nanoseconds &- (reactor.now.nanoseconds &+ receiverTime)
        return difference.magnitude < 120_000_000_000 ? utc : nil
    }

    /// Gives the reducer an input, and carries out what follows from it.
    func feed(_ input: UplinkInput) {
        inputs.append(input)
        guard !isHandling else { return }
        isHandling = true
        while !inputs.isEmpty {
            let next = inputs.removeFirst()
            uplink.handle(next, at: reactor.now, utc: trustedTime, into: &outputs)
            hadTime = trustedTime != nil
            let asked = outputs
            outputs.removeAll(keepingCapacity: true)
            for output in asked { carryOut(output) }
        }
        isHandling = false
        if uplink.status.state == .waitingForTime, jobs[.time] == nil { plan(.time, inSeconds: 30) }
        planFlush()
        writeStatus()
    }

    private func carryOut(_ output: UplinkOutput) {
        switch output {
        case .store, .discard, .thin, .remove, .removeOldestEvents, .read, .eraseQueue, .rememberCommand, .noteRetained:
            store(output)
        case .connect(let will): connect(will)
        case .disconnect:
            leave()
            tokens = [:]
            inputs.append(.connectionEnded(.asked))
        case .subscribe(let topic): link?.subscribe(topic)
        case .publish(let message, let token): publish(message, token)
        case .acknowledge(let number): acknowledge(number)
        case .command(let command): obey(command)
        case .setRegion(let region):
            store(output)
            monitor(region)
        case .removeRegion(let identifier):
            store(output)
            pipe?.send(DaemonRequest(.unmonitorRegion).with(.identifier, identifier).text)
        case .wake(let instant): reactor.setWake(at: instant)
        }
    }

    // MARK: The queue

    private func store(_ output: UplinkOutput) {
        do throws(StoreError) {
            try attempt(output)
            queueProblem = unstored.isEmpty ? nil : queueProblem
        } catch {
            if queueProblem == nil { log("\(error)") }
            queueProblem = "\(error)"
            switch output {
            // A fix stays in memory, where the next attempt finds it; a question has an answer, or all would stand still.
            case .store(let record) where record.kind == .fix: break
            case .read: inputs.append(.rows([]))
            default: unstored.append(output)
            }
            plan(.store, inSeconds: 30)
        }
    }

    private func attempt(_ output: UplinkOutput) throws(StoreError) {
        switch output {
        case .store(let record):
            try queue.store(record)
            if record.kind == .event { inputs.append(.stored(n: record.n)) }
        case .thin(let numbers, let record):
            try queue.thin(removing: numbers, record: record)
            inputs.append(.stored(n: record.n))
            try tellLoad()
        case .discard(let numbers):
            try queue.discard(numbers)
            try tellLoad()
        case .remove(let numbers):
            try queue.remove(numbers)
            try tellLoad()
        case .removeOldestEvents(let count):
            try queue.removeOldestEvents(count: count)
            try tellLoad()
        case .read(let number, let kind, let limit):
            inputs.append(.rows(try queue.records(kind, from: number, limit: limit)))
        case .eraseQueue:
            try queue.erase()
            if let number = daemon.erasure { acknowledge(number) }
            daemon.erasure = nil
            try tellLoad()
        case .rememberCommand(let id): try queue.remember(command: id)
        case .noteRetained(let isRetained): try queue.note(isRetained: isRetained)
        case .setRegion(let region): try queue.set(region)
        case .removeRegion(let identifier): try queue.removeRegion(identifier)
        default: break
        }
    }

    private func tellLoad() throws(StoreError) { inputs.append(.load(try queue.load())) }

    private func planFlush() {
        if !queue.hasTail {
            forget(.flush)
        } else if jobs[.flush] == nil {
            plan(.flush, inSeconds: UplinkService.tailSeconds)
        }
    }

    private func flush() {
        do throws(StoreError) {
            try queue.flush()
            queueProblem = unstored.isEmpty ? nil : queueProblem
        } catch {
            queueProblem = "\(error)"
            log("\(error)")
        }
    }

    // MARK: The broker

    private func connect(_ will: UplinkMessage?) {
        var options = BrokerOptions(
            host: settings.broker.host, port: settings.broker.port, client: "sextant-\(settings.uplink.id)")
        options.keepAlive = Int32(settings.uplink.keepAlive)
        if let user = settings.user { options.login = BrokerOptions.Login(user: user, password: keys.password) }
        if settings.broker.usesTLS { options.tls = keys.tls }
        options.will = will.map {
            BrokerOptions.Will(topic: $0.topic, bytes: $0.payload, isRetained: $0.isRetained)
        }
        tokens = [:]
        link?.connect(options)
    }

    /// Ends the connection: one that is kept without a word, so that the broker publishes the will, which says offline.
    private func leave() {
        if settings.uplink.connection == .kept { link?.drop() } else { link?.disconnect() }
    }

    private func publish(_ message: UplinkMessage, _ token: UInt32) {
        let bytes = message.isCompressed ? Deflate.zlib(message.payload) : message.payload
        guard let bytes, let number = link?.publish(message.topic, bytes, isRetained: message.isRetained) else {
            return
        }
        tokens[number] = token
        counters.published += 1
        counters.sentBytes += bytes.count
    }

    private func happened(_ event: BrokerEvent) {
        switch event {
        case .connected(let hadSession):
            counters.accepted += 1
            // What only the connection's beginning needed, of which TLS needs most.
            ProgramMemory.giveBack()
            feed(.connected(hadSession: hadSession))
        case .delivered(let number):
            guard let token = tokens.removeValue(forKey: number) else { return }
            counters.delivered += 1
            feed(.delivered(token: token))
        case .subscribed(let isGranted):
            if !isGranted { log("the broker refuses a subscription; let \(settings.uplink.id) read its own topics") }
        case .received(let topic, let bytes, let isRetained):
            feed(.message(topic: topic, payload: bytes, isRetained: isRetained))
        case .ended(let failure):
            tokens = [:]
            let isRefusal = failure.kind != .lost
            if isRefusal { counters.refused += 1 } else { counters.failed += 1 }
            feed(.connectionEnded(isRefusal ? .refused(failure.description) : .lost(failure.description)))
        }
    }

    // MARK: The daemon

    /// Sends a line to the daemon, where there is one.
    func send(_ line: String) { pipe?.send(line) }

    private func lostDaemon(_ sentence: String) {
        daemon.reset(problem: sentence)
        let seconds = daemon.pause
        daemon.pause = min(seconds * 2, 60)
        plan(.daemon, inSeconds: seconds)
        writeStatus()
    }

    /// Notes a time that a receiver vouched for.
    func noteTime(_ time: UTCInstant, measured: MonotonicInstant) {
        receiverTime = time.nanoseconds &- measured.nanoseconds
        noteTrust()
    }

    /// Reads the battery once a minute, when a position has woken the process anyway; one that is low may end the board.
    func readBattery() {
        if let batteryRead, now.nanoseconds(since: batteryRead) < 60_000_000_000 { return }
        batteryRead = now
        guard let (found, becameLow) = battery.read() else { return }
        feed(.battery(found))
        guard becameLow else { return }
        feed(.lowBattery)
        flush()
    }

    /// Tells the reducer of a wall clock that can be trusted from now on.
    private func noteTrust() { if !hadTime, trustedTime != nil { feed(.tick) } }

    /// The instant of the reactor's clock.
    var now: MonotonicInstant { reactor.now }

    /// Has what a command changed of the watch end after some seconds.
    func endWatchChange(inSeconds seconds: Int64) { plan(.watch, inSeconds: seconds) }

    // MARK: Jobs

    private func plan(_ job: Job, inSeconds seconds: Int64) {
        jobs[job] = reactor.now.advanced(byNanoseconds: seconds * 1_000_000_000)
        setAlarm()
    }

    private func forget(_ job: Job) { if jobs.removeValue(forKey: job) != nil { setAlarm() } }

    /// Sets the alarm for the next job; without one to an instant that does not come.
    private func setAlarm() {
        alarm?.set(at: jobs.values.min() ?? MonotonicInstant(nanoseconds: .max))
    }

    private func doJobs() {
        let now = reactor.now
        for job in Job.allCases where jobs[job].map({ $0 <= now }) == true {
            jobs[job] = nil
            switch job {
            case .daemon: pipe?.open()
            case .flush: flush()
            case .store:
                let again = unstored
                unstored = []
                again.forEach(store)
                flush()
                feed(.tick)
            case .watch: watch(settings.watch, as: "change")
            case .time:
                noteTrust()
                if !hadTime { plan(.time, inSeconds: 30) }
            }
        }
        setAlarm()
        writeStatus()
    }

    // MARK: Telling

    private func writeStatus() {
        let status = uplink.status
        let message = daemon.problem ?? status.lastError ?? status.state.rawValue
        if message != lastMessage {
            lastMessage = message
            log(daemon.problem ?? "\(status.state.rawValue)" + (status.lastError.map { ": \($0)" } ?? ""))
        }
        statusFile.write(
            status, counters, lost: queue.lost, daemonProblem: daemon.problem, queueProblem: queueProblem)
    }
}
