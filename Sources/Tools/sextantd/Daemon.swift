internal import Boards
internal import Glibc
internal import JSONReading
internal import Logging
internal import Reactor
internal import ServiceManager
internal import Tracker

/// The daemon's run, from its sockets to its end.
struct Daemon {
    var manager: ServiceManager
    var reactor: Reactor
    var logger: Logger

    /// Serves until a signal ends it.
    func serve(_ settings: TrackerSettings) throws {
        let hardware = LinuxTrackerHardware(
            device: settings.device, lines: settings.board?.lines ?? [:], sensors: settings.board?.sensors,
            reactor: reactor)
        let tracker = try start(settings, hardware, receiver: settings.device)
        try reactor.run()
        stop(tracker)
    }

    /// Serves what was kept until the configuration can be used, and then starts anew with it.
    ///
    /// Only under a service manager that listens: were the daemon to exit, it would be started again for every client
    /// that waits, until systemd gives up and nobody listens any more.
    ///
    /// - Parameter settings: What holds without it.
    func serve(_ settings: TrackerSettings, waitingFor path: String, because problem: ConfigurationError) throws {
        let tracker = try start(settings, UnsettledHardware(problem.description), receiver: nil)
        logger.notice("\(path) is read again when it changes")
        var isMended = false
        let watch = try ConfigurationWatch(of: path, because: problem, in: reactor) { result in
            switch result {
            case .success:
                isMended = true
                reactor.stop()
            case .failure(let problem): logger.critical("\(problem.description)")
            }
        }
        try reactor.run()
        withExtendedLifetime(watch) {}
        guard isMended else { return stop(tracker) }
        tracker.stop()
        logger.notice("\(path) can be used now; starting anew with it")
        throw Daemon.startAnew()
    }

    private func start(
        _ settings: TrackerSettings, _ hardware: any TrackerHardware, receiver: String?
    ) throws -> Tracker {
        var settings = settings
        if let path = manager.sockets.first(where: { $0.role == .sextant })?.path {
            if path != settings.socket {
                logger.notice("systemd listens at \(path), and that is served instead of \(settings.socket)")
            }
            settings.socket = path
        }
        try reactor.onSignal { signal in
            switch signal {
            case .terminate, .interrupt: reactor.stop()
            case .hangUp: logger.info("SIGHUP: nothing to reload; restart to read the configuration anew")
            }
        }
        let tracker = try Tracker(
            settings, hardware: hardware, sockets: manager.sockets, reactor: reactor, logger: logger)
        try tracker.start()
        let gpsd = tracker.gpsdPort.map { ", gpsd on port \($0)" } ?? ""
        logger.info("serving \(settings.socket)\(gpsd)")
        manager.tellReady("Serving \(settings.socket)\(gpsd); " + (receiver.map { "receiver \($0)" } ?? "no receiver"))
        manager.watch(reactor)
        if receiver != nil { HostTroubles.log(settings, to: logger) }
        ProgramMemory.giveBackCode()
        return tracker
    }

    private func stop(_ tracker: Tracker) {
        manager.tellStopping()
        tracker.stop()
        logger.info("stopped")
    }

    /// What holds without a configuration that can be used.
    static var bareSettings: TrackerSettings {
        var settings = TrackerSettings(device: "receiver", baud: nil)
        settings.clients = TrackerSettings.ClientFiles()
        // Safety: the text is copied at once, and nothing changes the environment.
        settings.stateDirectory = unsafe getenv("STATE_DIRECTORY").map { unsafe String(cString: $0) }
        return settings
    }

    /// Puts the program in its own place, with its arguments, its number and the sockets that it was passed.
    ///
    /// - Returns: Why it cannot.
    private static func startAnew() -> SystemError {
        // Safety: the arguments are those that the process was started with, and end with a null pointer.
        let arguments = unsafe CommandLine.unsafeArgv
        guard let program = unsafe arguments[0] else { return SystemError("execv", errno: ENOENT) }
        _ = unsafe execv(program, arguments)
        return unsafe SystemError("execv \(String(cString: program))", errno: errno)
    }
}
