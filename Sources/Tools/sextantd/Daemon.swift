internal import Boards
internal import Configuration
internal import Glibc
internal import Logging
internal import SextantReactor
internal import SextantSockets
internal import Tracker

/// One run of the daemon, from opening its sockets to its end.
struct Daemon {
    var manager: ServiceManager
    var reactor: Reactor
    var logger: Logger

    /// Serves clients until a signal ends the daemon.
    func serve(_ settings: TrackerSettings) throws {
        let hardware = LinuxTrackerHardware(
            device: settings.device, lines: settings.board?.lines ?? [:], sensors: settings.board?.sensors,
            hostSwitch: settings.board?.hostSwitch, bluetooth: manager.takeBluetooth(), folder: settings.wakeFolder,
            reactor: reactor)
        let tracker = try start(settings, hardware, receiver: settings.device)
        try reactor.run()
        stop(tracker)
    }

    /// Serves as much as is possible while the configuration file cannot be used; when the file changes, restarts the
    /// daemon.
    ///
    /// Used only if systemd listens on the sockets: if the daemon exited instead, systemd would start it again for
    /// every waiting client, until systemd gave up and stopped listening.
    ///
    /// - Parameter settings: The settings that apply although the configuration cannot be used.
    func wait(
        _ settings: TrackerSettings, forMendOf path: String, after reading: ConfigurationReading,
        because problem: ConfigurationError
    ) throws {
        var isStopped = false
        let tracker = try start(settings, UnsettledHardware(problem.description), receiver: nil) { isStopped = true }
        if settings.clients == .nobody {
            logger.notice("no client is served until \(path) can be read, because it may name other client files")
        }
        logger.notice("\(path) is read again when it changes")
        var isChanged = false
        let watch = try ConfigurationWatch(of: path, after: reading, in: reactor) { reading in
            logger.notice(
                "\(path) \(reading.problem == nil ? "can be used now" : "has changed"); starting again with it")
            isChanged = true
            reactor.stop()
        }
        try reactor.run()
        withExtendedLifetime(watch) {}
        // A signal to stop counts more than a changed configuration, if both come at once.
        guard isChanged, !isStopped else { return stop(tracker) }
        tracker.stop()
        throw Daemon.startAnew()
    }

    private func start(
        _ settings: TrackerSettings, _ hardware: any TrackerHardware, receiver: String?,
        stopped: @escaping () -> Void = {}
    ) throws -> Tracker {
        var settings = settings
        if let path = manager.sockets.first(where: { $0.role == .sextant })?.path {
            if path != settings.socket {
                logger.notice("systemd listens at \(path), so sextantd serves that instead of \(settings.socket)")
            }
            settings.socket = path
        }
        try reactor.onSignal { signal in
            switch signal {
            case .terminate, .interrupt:
                stopped()
                reactor.stop()
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
        let memory = try MemoryReturn(reactor)
        tracker.clientLeft = memory.clientLeft
        return tracker
    }

    private func stop(_ tracker: Tracker) {
        manager.tellStopping()
        tracker.stop()
        logger.info("stopped")
    }

    /// Replaces this process by a fresh start of the same program with execv(3), which keeps the arguments, the process
    /// ID and the sockets that systemd passed.
    ///
    /// - Returns: The error because of which execv failed.
    private static func startAnew() -> SystemError {
        // Safety: the arguments are those that the process was started with, and end with a null pointer.
        let arguments = unsafe CommandLine.unsafeArgv
        guard let program = unsafe arguments[0] else { return SystemError("execv", errno: ENOENT) }
        _ = unsafe execv(program, arguments)
        return unsafe SystemError("execv \(String(cString: program))", errno: errno)
    }
}
