public import SextantUnits

/// The radio that listens for beacons, through the kernel's Bluetooth management socket.
///
/// The caller passes the socket's events, and the scan and the advertisement that it wants. The radio returns the
/// commands that are needed, one at a time: find a controller, switch it on, and keep one advertisement monitor with
/// the wanted scan. A change of the scan takes effect only with a new monitor, so a new one is added before the old one
/// is removed. Monitors and advertisements of other programs are left alone. Source: BlueZ, `doc/mgmt-api.txt`; tried
/// on Linux 6.1.
public struct BeaconRadio: Sendable {
    /// The board file's settings for Bluetooth.
    public struct Settings: Sendable, Hashable {
        /// Whether the daemon is allowed to switch the radio on.
        public var maySwitchOn = true
        public var formats: Set<Beacon.Format> = [.iBeacon, .altBeacon]
        /// The radio's power draw in milliwatts while it listens in a window of its scan; nil if it is not known.
        public var listeningMilliwatts: Double?
        /// The fraction of the time in which the radio listens for ranging requests; while a beacon that was received
        /// before is not received, the radio listens all the time.
        ///
        /// The range is 0.1 to 1; nil means all the time.
        public var rangingDuty: Double?

        public init(maySwitchOn: Bool = true, formats: Set<Beacon.Format> = [.iBeacon, .altBeacon]) {
            self.maySwitchOn = maySwitchOn
            self.formats = formats
        }
    }

    /// What is known of a Bluetooth controller, and what it is doing for the daemon.
    struct Controller: Sendable {
        let index: UInt16
        var settings: ControllerSettings?
        var supports: ControllerSettings = []
        /// The handles of earlier advertisement monitors that must be removed; nil until the kernel has listed them.
        var leftovers: [UInt16]?
        /// The handles of the daemon's own advertisement monitors, the oldest first.
        var monitors: [UInt16] = []
        /// The scan timing that the kernel was told to use for the next advertisement monitor.
        var scan: ScanTiming?
        /// Whether the newest advertisement monitor uses the scan timing that was set last.
        var isCurrent = false
        var isSuspended = false
        /// The instance number of the daemon's own advertisement in the kernel; nil while the kernel has none.
        var instance: UInt8?
        /// An instance number that no program's advertisement has; nil until the kernel was asked for the numbers.
        var freeInstance: UInt8?
        /// Whether the daemon's advertisement in the kernel has the wanted content.
        var isSending = false
        /// Whether the radio was on, and another program then switched it off.
        var wasSwitchedOff = false

        var isOn: Bool { settings?.contains(.powered) ?? false }
    }

    /// A command whose answer from the kernel is awaited.
    struct Awaited: Sendable {
        var command: ManagementCommand
        var deadline: MonotonicInstant
        /// Whether the advertisement that this command adds was removed again before the answer to the command came.
        var isUndone = false
    }

    let settings: Settings
    /// Whether all advertisement monitors that exist at the start are removed.
    let clearsMonitors: Bool
    var isOpen = false
    var candidates: [UInt16]?
    var controller: Controller?
    var awaited: Awaited?
    /// The number of commands in a row that were not answered in time, or were refused.
    var failures = 0
    var retry: MonotonicInstant?
    /// Whether the daemon is ending, so that no new command is begun.
    var isEnding = false
    var wanted: ScanTiming?
    var advertisement: [UInt8]?
    private var outcome: AdvertisingOutcome?
    /// Whether an advertisement was requested and the outcome of the request is not yet reported.
    var isAsked = false
    /// Whether the last reported outcome says that the kernel sends the advertisement.
    private var isToldToSend = false
    var commands: [ManagementCommand] = []
    /// Why the radio cannot listen; nil if it can, or if that is not known yet.
    public internal(set) var trouble: RadioTrouble?

    /// The nanoseconds for which the radio listened, without the listening that began at `listeningSince` and still
    /// lasts; `scannedBefore` is the part of them in which a scan window was open.
    private var listenedBefore: Int64 = 0
    private var scannedBefore: Int64 = 0
    private var listeningSince: MonotonicInstant?

    /// The longest wait for a controller's answer to a command; nanoseconds.
    static let answerNanoseconds: Int64 = 5_000_000_000
    static let shortestRetry: Int64 = 1_000_000_000
    static let longestRetry: Int64 = 60_000_000_000

    /// - Parameter clearsMonitors: Whether all existing monitors are removed. This is for use after a daemon was
    ///   killed, because the kernel does not say which program owns a monitor.
    public init(_ settings: Settings = Settings(), clearsMonitors: Bool = false) {
        self.settings = settings
        self.clearsMonitors = clearsMonitors
        trouble = .noSocket
    }

    /// Whether beacons can be received, as far as known: a controller was found, and no problem prevents listening.
    public var isUsable: Bool { isOpen && controller?.settings != nil && trouble == nil }

    /// Whether the radio is listening now, so that a beacon in range would be received.
    public var isListening: Bool { listeningSince != nil }

    /// The timing of the current scan; nil while the radio does not listen.
    public var timing: ScanTiming? { isListening ? controller?.scan : nil }

    public var deadline: MonotonicInstant? {
        isEnding ? nil : awaited?.deadline ?? (isNeeded || isAtWork ? retry : nil)
    }

    var isNeeded: Bool { wanted != nil || advertisement != nil }

    /// Whether the kernel still listens or sends for the daemon.
    private var isAtWork: Bool { controller.map { !$0.monitors.isEmpty || $0.instance != nil } ?? false }

    // MARK: What happens

    /// Must be called when the socket was opened; nothing is known about the controllers then.
    public mutating func opened(at instant: MonotonicInstant) {
        isOpen = true
        trouble = nil
        forgetControllers(at: instant)
        step(at: instant)
    }

    /// Must be called when the socket cannot be used any more.
    public mutating func closed(_ why: RadioTrouble, at instant: MonotonicInstant) {
        isOpen = false
        trouble = why
        forgetControllers(at: instant)
        retry = nil
    }

    /// Ends listening and sending before the daemon ends, because the kernel would otherwise continue with both.
    ///
    /// All commands are written at once, since their answers will not be read.
    public mutating func stop() {
        guard isOpen, !isEnding else { return }
        isEnding = true
        guard let controller else { return }
        if let instance = controller.instance {
            commands.append(.removeAdvertising(controller: controller.index, instance: instance))
        }
        if case .addAdvertising(_, let instance, _) = awaited?.command, controller.instance == nil {
            commands.append(.removeAdvertising(controller: controller.index, instance: instance))
        }
        if case .addMonitor = awaited?.command {
            // The handle of the monitor being added is not known yet, so handle 0 is used, which removes all monitors.
            commands.append(.removeMonitor(controller: controller.index, handle: 0))
        } else {
            commands += controller.monitors.map { remove($0, of: controller) }
        }
    }

    private mutating func forgetControllers(at instant: MonotonicInstant) {
        account(at: instant)
        candidates = nil
        controller = nil
        awaited = nil
        failures = 0
        settleListening(at: instant)
    }

    /// Sets the timing with which the radio listens for beacons; nil if it is not to listen.
    public mutating func want(_ timing: ScanTiming?, at instant: MonotonicInstant) {
        guard timing != wanted else { return }
        if wanted == nil { lookAnew() }
        wanted = timing
        step(at: instant)
    }

    /// Sets the structures of the advertisement that the board sends; nil if it is to send none.
    public mutating func send(_ data: [UInt8]?, at instant: MonotonicInstant) {
        outcome = nil
        isAsked = data != nil
        isToldToSend = false
        if data != nil, data == advertisement, controller?.isSending ?? false { return settleAdvertising() }
        advertisement = data
        // A new advertisement replaces the one that the kernel has; if there is no new one, the kernel's must be
        // removed.
        if data != nil { controller?.isSending = false }
        step(at: instant)
    }

    /// Returns the outcome of the last requested advertisement, each outcome only once.
    ///
    /// Nil if the kernel has not answered yet, or if the outcome was returned before.
    public mutating func takeOutcome() -> AdvertisingOutcome? {
        defer { outcome = nil }
        guard outcome == nil, isToldToSend, let trouble else { return outcome }
        isToldToSend = false
        return .interrupted(trouble)
    }

    /// Records that the kernel sends the wanted advertisement.
    mutating func settleAdvertising() {
        controller?.isSending = true
        if !isToldToSend { outcome = .sending }
        isToldToSend = true
        isAsked = false
    }

    /// Gives up the requested advertisement, because it cannot be sent.
    mutating func refuse(_ why: AdvertisingRefusal) {
        advertisement = nil
        controller?.freeInstance = nil
        isAsked = false
        isToldToSend = false
        outcome = .refused(why)
    }

    /// Handles one event of the management socket.
    ///
    /// - Returns: The content of a beacon's advertisement, if the event is such an advertisement; otherwise nil.
    public mutating func heard(_ bytes: borrowing Span<UInt8>, at instant: MonotonicInstant) -> BeaconHearing? {
        let event: ManagementEvent
        do throws(ManagementEventError) { event = try ManagementEvent(bytes) } catch { return nil }
        switch event {
        case .advertisement(let heard, let data):
            guard heard.controller == controller?.index else { return nil }
            return hearing(heard, bytes.extracting(data))
        case .answer(let code, let index, let status, let parameters):
            answered(code, index, status, bytes.extracting(parameters), at: instant)
        case .controllerAdded(let index): added(index)
        case .controllerRemoved(let index): removed(index, at: instant)
        case .settingsChanged(let index, let new): if index == controller?.index { changed(new, at: instant) }
        case .advertisingRemoved(let index, let instance):
            guard index == controller?.index else { return nil }
            if case .addAdvertising(_, instance, _) = awaited?.command { awaited?.isUndone = true }
            guard instance == controller?.instance else { return nil }
            controller?.instance = nil
            controller?.isSending = false
        case .monitorRemoved(let index, let handle): if index == controller?.index { lost(handle) }
        case .suspended(let index): if index == controller?.index { controller?.isSuspended = true }
        case .resumed(let index): if index == controller?.index { controller?.isSuspended = false }
        case .other: return nil
        }
        step(at: instant)
        return nil
    }

    private func hearing(
        _ heard: ManagementEvent.Advertisement, _ structures: borrowing Span<UInt8>
    ) -> BeaconHearing? {
        let beacon = try? Beacon(advertisement: structures.extracting(...), formats: settings.formats)
        if let beacon {
            return .beacon(HeardBeacon(beacon: beacon, sender: heard.sender, strength: heard.strength))
        }
        guard settings.formats.contains(.eddystoneUID) else { return nil }
        return BeaconTelemetry(advertisement: structures.extracting(...)).map { .telemetry($0, heard.sender) }
    }

    /// Must be called when time has passed: an answer may be overdue, or a command that failed may be tried again.
    public mutating func advance(to instant: MonotonicInstant) {
        if let overdue = awaited, overdue.deadline <= instant {
            awaited = nil
            failed(failures > 0 ? .silent : nil, at: instant)
        }
        if let due = retry, due <= instant {
            retry = nil
            lookAnew()
        }
        step(at: instant)
    }

    /// Forgets why the radio could not listen, if nothing needs the radio now: no event tells that the obstacle is
    /// gone, and nothing tries the radio while it is not needed.
    public mutating func forgetOldTrouble() {
        guard !isNeeded else { return }
        switch trouble {
        case .blocked, .refused, .silent:
            retry = nil
            lookAnew()
        case nil, .noSocket, .socketFailed, .noController, .noLowEnergy, .off, .noMonitors: break
        }
    }

    /// Forgets why the radio was unusable and what is known of the controller, so that the kernel is asked again.
    ///
    /// The daemon's own monitors and its advertisement stay known, since the kernel keeps them meanwhile.
    private mutating func lookAnew() {
        guard isOpen, trouble != nil else { return }
        trouble = nil
        candidates = nil
        controller = controller.map {
            Controller(
                index: $0.index, monitors: $0.monitors, instance: $0.instance, wasSwitchedOff: $0.wasSwitchedOff)
        }
    }

    // MARK: Time

    /// The time in nanoseconds for which the radio has listened since the daemon's start.
    ///
    /// The time between the scan's windows counts too.
    public func listened(at instant: MonotonicInstant) -> Int64 {
        listenedBefore + (listeningSince.map { max(0, instant.nanoseconds(since: $0)) } ?? 0)
    }

    /// The time in nanoseconds for which scan windows were open since the daemon's start.
    public func scanned(at instant: MonotonicInstant) -> Int64 {
        guard let since = listeningSince, let duty = controller?.scan?.duty else { return scannedBefore }
        return scannedBefore + Int64(Double(max(0, instant.nanoseconds(since: since))) * duty)
    }

    mutating func settleListening(at instant: MonotonicInstant) {
        let listens = controller.map { $0.isOn && !$0.isSuspended && !$0.monitors.isEmpty } ?? false
        guard listens != isListening else { return }
        account(at: instant)
        listeningSince = listens ? instant : nil
    }

    /// Adds the time until now to the total times of listening and of open scan windows.
    mutating func account(at instant: MonotonicInstant) {
        (listenedBefore, scannedBefore) = (listened(at: instant), scanned(at: instant))
        if isListening { listeningSince = instant }
    }
}
