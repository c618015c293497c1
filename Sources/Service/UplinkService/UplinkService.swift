internal import ClientVocabulary
internal import Configuration
internal import DaemonClient
internal import Glibc
internal import Programs
internal import SextantJSON
public import SextantReactor
internal import SextantUnits
internal import SextantUplink
internal import Store

/// The uplink: a client of the daemon and of an MQTT broker, controlled by the reducer `Uplink`, a state machine.
///
/// This class gives the reducer its inputs and carries out the outputs; the only thing it decides itself is how to
/// speak to the daemon and to the broker. A class, because the reactor and the connections call it.
public final class UplinkService {
    /// The uplink's paths and identifiers, from the command line or from systemd.
    public struct Paths: Sendable {
        public var config: String
        public var daemon: String
        public var state: String
        public var runtime: String
        /// The beginning of the paths of the files with the password and the TLS keys.
        public var keys: String
        /// The kernel's identifier of this boot.
        public var boot: String
        /// The content of `/etc/machine-id`.
        public var machine: String?
        /// The folder in which the kernel describes batteries.
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

    /// Why the uplink cannot start, with an exit status of sysexits(3).
    public struct Failure: Error, CustomStringConvertible {
        public var description: String
        public var status: Int32
    }

    enum Job: CaseIterable {
        /// Connect to the daemon again.
        case daemon
        /// Write fixes from memory to the storage card.
        case flush
        /// Try again to store what could not be written, or to move the queue to the storage card.
        case store
        /// End a command's temporary change of the request for positions.
        case watch
        /// Check whether the wall clock can be trusted now.
        case time
    }

    let settings: UplinkSettings
    let keys: BrokerKeys
    let paths: Paths
    var queue: UplinkQueue
    let reactor: Reactor
    let log: (String) -> Void
    private(set) var uplink: Uplink
    private var statusFile: StatusFile
    var counters = UplinkCounters()
    var link: BrokerLink?
    private var pipe: DaemonPipe?
    var daemon = DaemonView()
    /// The newest request about each region for which the daemon was not there; sent once it is.
    var regionRequests: [String: DaemonRequest] = [:]
    private var battery: PowerSupplies
    private var batteryRead: MonotonicInstant?

    var inputs: [UplinkInput] = []
    private var outputs: [UplinkOutput] = []
    private var isHandling = false
    /// For each message that was given to the broker's connection, by its number, the token by which the reducer knows
    /// the message.
    var tokens: [Int32: UInt32] = [:]
    /// The orders of the reducer (the uplink's state machine) that could not be written to the storage card.
    var unstored: [UplinkOutput] = []
    var queueProblem: String?
    /// Why the queue's file can no longer be used; nil if it can be used.
    var damage: StoreError?
    /// How many times in a row the move of the queue to the storage card was postponed because an acknowledgement was
    /// awaited.
    var postponed = 0
    private var alarm: Alarm?
    var jobs: [Job: MonotonicInstant] = [:]
    /// A trusted time from a receiver minus the boot clock's time at which it was measured, in nanoseconds.
    private var receiverTime: Int64?
    /// Whether the wall clock was trusted at the last input of the reducer (the uplink's state machine).
    private var hadTime = false
    private var lastMessage = ""

    public init(_ paths: Paths, reactor: Reactor, log: @escaping (String) -> Void) throws {
        (settings, keys) = try UplinkService.read(paths)
        // Memory that was needed only to read the settings is returned to the system before the queue is opened.
        ProgramMemory.giveBack()
        do throws(StoreError) {
            queue = try UplinkQueue.open(state: paths.state, runtime: paths.runtime, boot: paths.boot)
        } catch {
            guard error.kind != .inUse else { throw Failure(description: "\(error)", status: 69) }
            // The status file is written at the start, since it would otherwise still tell how the previous process
            // ended.
            var file = StatusFile(folder: paths.runtime, settings: settings, series: 0)
            file.write(
                UplinkStatus(), UplinkCounters(), lost: 0,
                daemonProblem: "does not run, since its queue cannot be opened", queueProblem: "\(error)")
            throw Failure(description: "\(error)", status: 74)
        }
        ProgramMemory.giveBack()
        self.paths = paths
        self.reactor = reactor
        self.log = log
        battery = PowerSupplies(folder: paths.powerSupplies)
        uplink = Uplink(settings.uplink, seed: .random(in: 0 ... .max))
        statusFile = StatusFile(folder: paths.runtime, settings: settings, series: queue.start.series)
        if !settings.broker.usesTLS, keys.password != nil {
            log("\(settings.broker.text): without TLS everybody on the way reads the password; use mqtts://")
        }
        link = try BrokerLink(reactor: reactor) { [unowned self] in happened($0) }
        alarm = try Alarm(in: reactor) { [unowned self] in doJobs() }
        reactor.onWake { [unowned self] _ in feed(.tick) }
        pipe = DaemonPipe(
            path: paths.daemon, reactor: reactor, received: { [unowned self] in heard($0) },
            lost: { [unowned self] in lostDaemon($0) })
        if let problem = queue.problem {
            log("\(problem); until then fixes are sent from memory, and sextantd keeps the events")
            queueProblem = "\(problem)"
            // It is unknown whether the broker retains a location, so the service assumes that it does.
            unstored = [.noteRetained(true)]
            plan(.store, inSeconds: UplinkService.storeSeconds)
        }
        queue.notices.forEach(log)
        feed(.start(queue.start))
        pipe?.open()
    }

    /// Continues with a new queue, as if the service had just started.
    func beginAnew() {
        queue.notices.forEach(log)
        leave()
        tokens = [:]
        uplink = Uplink(settings.uplink, seed: .random(in: 0 ... .max))
        statusFile = StatusFile(folder: paths.runtime, settings: settings, series: queue.start.series)
        battery = PowerSupplies(folder: paths.powerSupplies)
        pipe?.close()
        daemon.reset(problem: "waits for sextantd")
        feed(.start(queue.start))
        pipe?.open()
    }

    /// Checks the configuration, the password and the TLS keys; throws the first mistake.
    public static func check(_ paths: Paths) throws { _ = try read(paths) }

    private static func read(_ paths: Paths) throws(Failure) -> (UplinkSettings, BrokerKeys) {
        let settings: UplinkSettings
        do throws(ConfigurationError) {
            settings = try UplinkSettings.read(from: paths.config, machine: paths.machine)
        } catch {
            throw Failure(description: "\(error)", status: 78)
        }
        do throws(BrokerKeys.Mistake) {
            return (settings, try BrokerKeys.read(prefix: paths.keys))
        } catch {
            throw Failure(description: "\(error)", status: 78)
        }
    }

    /// Tries at once to write to the storage card and to connect to the broker, without waiting until the next attempts
    /// are due.
    public func sendNow() {
        if queueProblem != nil { storeAgain() }
        feed(.sendNow)
    }

    /// Ends the broker's connection and writes everything to the storage card.
    public func stop() {
        leave()
        pipe?.close()
        do { try queue.close() } catch { log("\(error)") }
        // The status file outlives the process, so it gets the status of a stopped uplink.
        var status = uplink.status
        status.state = .waiting
        statusFile.write(
            status, counters, lost: queue.lost,
            daemonProblem: "stopped; sudo systemctl start sextant-uplink.service starts it", queueProblem: queueProblem)
    }

    // MARK: The reducer

    /// The wall clock's time; nil unless it can be trusted: the kernel says so, or it is within 2 minutes of a
    /// receiver's time.
    private var trustedTime: UTCInstant? {
        let utc = reactor.utc
        if reactor.utcIsSynchronized { return utc }
        guard let receiverTime else { return nil }
        let difference = utc.nanoseconds &- (reactor.now.nanoseconds &+ receiverTime)
        return difference.magnitude < 120_000_000_000 ? utc : nil
    }

    /// Gives the reducer (the uplink's state machine) an input, and carries out its outputs.
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
            send(DaemonRequest(.unmonitorRegion).with(.identifier, identifier), about: identifier)
        case .wake(let instant): reactor.setWake(at: instant)
        }
    }

    // MARK: The daemon

    /// Sends a JSON object in one line to the daemon, if it is connected.
    func send(_ request: DaemonRequest) { pipe?.send(request) }

    private func lostDaemon(_ sentence: String) {
        let commands = daemon.commands
        daemon.reset(problem: sentence)
        for id in commands { feed(.commandEnded(id: id, problem: sentence)) }
        let seconds = daemon.pause
        daemon.pause = min(seconds * 2, 60)
        plan(.daemon, inSeconds: seconds)
        writeStatus()
    }

    /// Records a receiver's time that can be trusted, with the boot clock's time at which it was measured.
    func noteTime(_ time: UTCInstant, measured: MonotonicInstant) {
        receiverTime = time.nanoseconds &- measured.nanoseconds
        noteTrust()
    }

    /// Reads the battery at most once a minute, when a position has woken the process anyway.
    ///
    /// If the battery has become low, fixes are written to the storage card at once, since the board may soon lose
    /// power.
    func readBattery() {
        if let batteryRead, now.nanoseconds(since: batteryRead) < 60_000_000_000 { return }
        batteryRead = now
        guard let (found, becameLow) = battery.read() else { return }
        feed(.battery(found))
        guard becameLow else { return }
        feed(.lowBattery)
        flush()
    }

    /// Tells the reducer (the uplink's state machine) once the wall clock can be trusted.
    private func noteTrust() { if !hadTime, trustedTime != nil { feed(.tick) } }

    var now: MonotonicInstant { reactor.now }

    /// Makes a command's temporary change of the request for positions end after this many seconds.
    func endWatchChange(inSeconds seconds: Int64) { plan(.watch, inSeconds: seconds) }

    // MARK: Jobs

    func plan(_ job: Job, inSeconds seconds: Int64) {
        jobs[job] = reactor.now.advanced(byNanoseconds: seconds * 1_000_000_000)
        setAlarm()
    }

    func forget(_ job: Job) { if jobs.removeValue(forKey: job) != nil { setAlarm() } }

    /// Sets the timer for the next job; if there is no job, for an instant that never comes.
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
            case .store: storeAgain()
            case .watch: watch(settings.watch, as: .change)
            case .time:
                noteTrust()
                if !hadTime { plan(.time, inSeconds: 30) }
            }
        }
        setAlarm()
        writeStatus()
    }

    // MARK: Status

    private func writeStatus() {
        let status = uplink.status
        let message = daemon.problem ?? status.lastError ?? status.state.rawValue
        if message != lastMessage {
            lastMessage = message
            log(daemon.problem ?? StatusFile.message(status))
        }
        statusFile.write(
            status, counters, lost: queue.lost, daemonProblem: daemon.problem, queueProblem: queueProblem)
    }
}
