public import SextantUnits

/// The radio that listens for beacons, through the kernel's Bluetooth management socket.
///
/// It takes the socket's events and what is wanted, and gives the commands that lead there, one at a time: find a
/// controller, switch it on, remove the monitors that a daemon before left behind, and keep one monitor with the scan
/// that is wanted. A change of the scan takes effect with a new monitor, so that one is added before the old one is
/// removed. Source: BlueZ, `doc/mgmt-api.txt`; tried on Linux 6.1.
public struct BeaconRadio: Sendable {
    /// What the board's file says about Bluetooth.
    public struct Settings: Sendable, Hashable {
        /// Whether the daemon may switch the radio on.
        public var maySwitchOn = true
        public var formats: Set<Beacon.Format> = [.iBeacon, .altBeacon]
        /// What the radio draws while a window of its scan is open; nil where that is not known.
        public var listeningMilliwatts: Double?

        public init(maySwitchOn: Bool = true, formats: Set<Beacon.Format> = [.iBeacon, .altBeacon]) {
            self.maySwitchOn = maySwitchOn
            self.formats = formats
        }
    }

    /// What was found out about a controller, and what it does for the daemon.
    private struct Controller: Sendable {
        let index: UInt16
        var settings: ControllerSettings?
        var supports: ControllerSettings = []
        /// Monitors that were there before; nil until they were asked for.
        var leftovers: [UInt16]?
        /// The daemon's own monitors, the oldest first.
        var monitors: [UInt16] = []
        /// The scan that the kernel was told to use for the next monitor.
        var scan: ScanTiming?
        /// Whether the newest monitor scans as the kernel was told last.
        var isCurrent = false
        var isSuspended = false
        /// The number of the daemon's own advertisement, which the kernel has; nil while it has none.
        var instance: UInt8?
        /// A number that no program's advertisement has; nil until it was asked for.
        var freeInstance: UInt8?
        /// Whether the kernel's advertisement is the one that is wanted.
        var isSending = false
        /// Whether another program switched the radio off after it was on.
        var wasSwitchedOff = false

        var isOn: Bool { settings?.contains(.powered) ?? false }
    }

    /// A command that waits for its answer.
    private struct Awaited: Sendable {
        var command: ManagementCommand
        var deadline: MonotonicInstant
    }

    private let settings: Settings
    private var isOpen = false
    private var candidates: [UInt16]?
    private var controller: Controller?
    private var awaited: Awaited?
    /// How many commands in a row were not answered in time, or were refused.
    private var failures = 0
    private var retry: MonotonicInstant?
    /// Whether the daemon is ending, so that nothing is begun any more.
    private var isEnding = false
    private var wanted: ScanTiming?
    private var advertisement: [UInt8]?
    private var outcome: AdvertisingOutcome?
    /// Whether the advertisement was asked for, and it was not told yet what became of it.
    private var isAsked = false
    private var commands: [ManagementCommand] = []
    /// Why the radio cannot listen; nil where it can, or where that is not known yet.
    public private(set) var trouble: RadioTrouble?

    /// Nanoseconds of listening before `listeningSince`, and the part of them in which a window was open.
    private var listenedBefore: Int64 = 0
    private var scannedBefore: Int64 = 0
    private var listeningSince: MonotonicInstant?

    private static let patience: Int64 = 5_000_000_000
    private static let shortestRetry: Int64 = 1_000_000_000
    private static let longestRetry: Int64 = 60_000_000_000

    public init(_ settings: Settings = Settings()) {
        self.settings = settings
        trouble = .noSocket
    }

    /// Whether beacons can be heard, as far as is known: a controller was found, and nothing keeps it from listening.
    public var isUsable: Bool { isOpen && controller?.settings != nil && trouble == nil }

    /// Whether beacons would be heard now.
    public var isListening: Bool { listeningSince != nil }

    /// The scan of the present monitor; nil where there is none.
    public var timing: ScanTiming? { isListening ? controller?.scan : nil }

    public var deadline: MonotonicInstant? { isEnding ? nil : awaited?.deadline ?? (isNeeded ? retry : nil) }

    private var isNeeded: Bool { wanted != nil || advertisement != nil }

    // MARK: What happens

    /// Takes the open socket, about which nothing is known yet.
    public mutating func opened(at instant: MonotonicInstant) {
        isOpen = true
        trouble = nil
        forgetControllers(at: instant)
        step(at: instant)
    }

    /// Notes that the socket is of no use any more.
    public mutating func closed(_ why: RadioTrouble, at instant: MonotonicInstant) {
        isOpen = false
        trouble = why
        forgetControllers(at: instant)
        retry = nil
    }

    /// Ends listening and sending before the daemon ends: the kernel would go on with both without it.
    ///
    /// The commands are written at once, because nobody will read their answers.
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
            // Its handle is not known yet; 0 removes all.
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

    /// Sets how the radio is to listen; nil for not at all.
    public mutating func want(_ timing: ScanTiming?, at instant: MonotonicInstant) {
        guard timing != wanted else { return }
        if wanted == nil { lookAnew() }
        wanted = timing
        step(at: instant)
    }

    /// Sets the structures of an advertisement to be sent; nil for none.
    public mutating func send(_ data: [UInt8]?, at instant: MonotonicInstant) {
        outcome = nil
        isAsked = data != nil
        if data != nil, data == advertisement, controller?.isSending ?? false { return settleAdvertising() }
        advertisement = data
        // Another one takes the place of the one before; without any, that one must be removed.
        if data != nil { controller?.isSending = false }
        step(at: instant)
    }

    /// Gives, once, what became of the advertisement that was asked for last; nil before the kernel has answered.
    public mutating func takeOutcome() -> AdvertisingOutcome? {
        defer { outcome = nil }
        return outcome
    }

    /// Notes that the kernel sends the advertisement that is wanted.
    private mutating func settleAdvertising() {
        controller?.isSending = true
        if isAsked { outcome = .sending }
        isAsked = false
    }

    /// Ends the wish for the advertisement, because it cannot be had.
    private mutating func refuse(_ why: AdvertisingRefusal) {
        advertisement = nil
        controller?.freeInstance = nil
        isAsked = false
        outcome = .refused(why)
    }

    /// Takes one event of the socket.
    ///
    /// - Returns: What was heard of a beacon, if the event is one of its advertisements.
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
            guard index == controller?.index, instance == controller?.instance else { return nil }
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

    /// Notes that time has passed: a command may be overdue, or one that failed may be tried again.
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

    /// Forgets what made the radio unusable, so that the controller is asked again.
    private mutating func lookAnew() {
        guard isOpen, trouble != nil else { return }
        trouble = nil
        candidates = nil
        controller = controller.map { Controller(index: $0.index, wasSwitchedOff: $0.wasSwitchedOff) }
    }

    // MARK: Commands

    /// Takes the commands that must be written to the socket, each in a write of its own.
    public mutating func takeCommands() -> [[UInt8]] {
        defer { commands.removeAll(keepingCapacity: true) }
        return commands.map { $0.encode() }
    }

    /// Gives the next command, unless one is under way.
    private mutating func step(at instant: MonotonicInstant) {
        settleListening(at: instant)
        guard isOpen, !isEnding, awaited == nil, retry.map({ $0 <= instant }) ?? true else { return }
        guard let next = next() else {
            if isAsked, let trouble { refuse(.unusable(trouble)) }
            return
        }
        retry = nil
        awaited = Awaited(command: next, deadline: instant.advanced(byNanoseconds: BeaconRadio.patience))
        commands.append(next)
    }

    /// What leads on from what is known to what is wanted; nil where all is as wanted, or cannot be for now.
    private mutating func next() -> ManagementCommand? {
        guard let controller else {
            guard let candidates else { return .readControllers }
            guard let first = candidates.first else {
                if trouble == nil { trouble = .noController }
                return nil
            }
            self.controller = Controller(index: first)
            return next()
        }
        let index = controller.index
        guard let now = controller.settings else { return .readInformation(controller: index) }
        guard controller.supports.contains(.lowEnergy) else {
            candidates?.removeAll { $0 == index }
            self.controller = nil
            trouble = .noLowEnergy
            return next()
        }
        guard let leftovers = controller.leftovers else { return .readMonitors(controller: index) }
        if let handle = leftovers.first { return .removeMonitor(controller: index, handle: handle) }
        guard isNeeded else { return ending(controller) }
        if !now.contains(.lowEnergy), settings.maySwitchOn { return .setLowEnergy(controller: index) }
        guard controller.isOn else {
            let mayTry = settings.maySwitchOn && !controller.wasSwitchedOff
            if !mayTry { trouble = .off }
            return mayTry ? .setPowered(controller: index) : nil
        }
        if let listening = listening(controller) { return listening }
        return advertising(controller)
    }

    /// The next command on the way to the wanted advertisement.
    private func advertising(_ controller: Controller) -> ManagementCommand? {
        guard let advertisement else {
            return controller.instance.map { .removeAdvertising(controller: controller.index, instance: $0) }
        }
        guard !controller.isSending else { return nil }
        guard let instance = controller.instance ?? controller.freeInstance else {
            return .readAdvertising(controller: controller.index)
        }
        return .addAdvertising(controller: controller.index, instance: instance, data: advertisement)
    }

    /// The next command on the way to the wanted scan.
    private func listening(_ controller: Controller) -> ManagementCommand? {
        guard let wanted else { return controller.monitors.first.map { remove($0, of: controller) } }
        if controller.scan != wanted { return .setScan(controller: controller.index, wanted) }
        if !controller.isCurrent { return .addMonitor(controller: controller.index, settings.formats) }
        return controller.monitors.count > 1 ? controller.monitors.first.map { remove($0, of: controller) } : nil
    }

    /// The next command on the way to a radio that does nothing for the daemon.
    private func ending(_ controller: Controller) -> ManagementCommand? {
        if let instance = controller.instance {
            return .removeAdvertising(controller: controller.index, instance: instance)
        }
        return controller.monitors.first.map { remove($0, of: controller) }
    }

    private func remove(_ handle: UInt16, of controller: Controller) -> ManagementCommand {
        .removeMonitor(controller: controller.index, handle: handle)
    }

    // MARK: Answers

    private mutating func answered(
        _ code: UInt16, _ index: UInt16, _ status: ManagementStatus, _ parameters: borrowing Span<UInt8>,
        at instant: MonotonicInstant
    ) {
        guard let command = awaited?.command, command.code == code, command.index == index else { return }
        awaited = nil
        guard status == .success else { return refused(command, status, at: instant) }
        failures = 0
        switch command {
        case .readControllers: candidates = BeaconRadio.numbers(parameters, countAt: 0)
        case .readInformation:
            guard parameters.count >= 17 else { return failed(.refused(command: code, status), at: instant) }
            controller?.supports = ControllerSettings(rawValue: parameters.littleEndian(UInt32.self, at: 9))
            controller?.settings = ControllerSettings(rawValue: parameters.littleEndian(UInt32.self, at: 13))
        case .readMonitors:
            controller?.leftovers = BeaconRadio.numbers(parameters, countAt: 11)
            trouble = nil
        case .setPowered, .setLowEnergy:
            guard parameters.count >= 4 else { return }
            changed(ControllerSettings(rawValue: parameters.littleEndian(UInt32.self, at: 0)), at: instant)
        case .setScan(_, let timing):
            // The present monitor goes on as before; the next one begins with this.
            settleScan(timing, at: instant)
        case .addMonitor:
            guard parameters.count >= 2 else { return failed(.refused(command: code, status), at: instant) }
            controller?.monitors.append(parameters.littleEndian(UInt16.self, at: 0))
            controller?.isCurrent = true
        case .removeMonitor(_, let handle): lost(handle)
        case .readAdvertising: foundAdvertising(parameters)
        case .addAdvertising(_, let instance, let data):
            controller?.instance = instance
            controller?.freeInstance = nil
            if data == advertisement { settleAdvertising() }
        case .removeAdvertising:
            controller?.instance = nil
            controller?.isSending = false
        }
    }

    /// Takes the controller's advertisements: flags (4), lengths (2), most (1), count (1), the numbers.
    private mutating func foundAdvertising(_ parameters: borrowing Span<UInt8>) {
        guard parameters.count >= 8 else { return refuse(.refused(.notSupported)) }
        let most = parameters[6]
        let taken = (8..<parameters.count).map { parameters[$0] }
        let free = most == 0 ? nil : (1...most).first { !taken.contains($0) }
        guard let free else { return refuse(.noneFree(of: Int(most))) }
        controller?.freeInstance = free
    }

    private mutating func settleScan(_ timing: ScanTiming, at instant: MonotonicInstant) {
        account(at: instant)
        controller?.scan = timing
        controller?.isCurrent = false
    }

    private mutating func refused(
        _ command: ManagementCommand, _ status: ManagementStatus, at instant: MonotonicInstant
    ) {
        switch (command, status) {
        case (.removeMonitor(_, let handle), _):
            // It is gone already, or will go with the controller.
            lost(handle)
            controller?.leftovers?.removeAll { $0 == handle }
        case (.readMonitors, .unknownCommand), (.addMonitor, .unknownCommand), (.readMonitors, .notSupported),
            (.addMonitor, .notSupported):
            failed(.noMonitors, at: instant)
        case (.removeAdvertising, _):
            controller?.instance = nil
            controller?.isSending = false
        case (.readAdvertising, _), (.addAdvertising, _): refuse(.refused(status))
        case (_, .blocked): failed(.blocked, at: instant)
        case (_, .invalidController):
            if let index = controller?.index { removed(index, at: instant) }
        // Without the commands for the scan, the kernel's own scan must do.
        case (.setScan(_, let timing), _): settleScan(timing, at: instant)
        default: failed(failures > 0 ? .refused(command: command.code, status) : nil, at: instant)
        }
    }

    /// Notes a failure, of which `why` is told, and tries again later: first after a second, and then less often.
    private mutating func failed(_ why: RadioTrouble?, at instant: MonotonicInstant) {
        if let why {
            trouble = why
            if isAsked { refuse(.unusable(why)) }
        }
        let delay = BeaconRadio.shortestRetry << Int64(min(failures, 6))
        failures += 1
        retry = instant.advanced(byNanoseconds: min(delay, BeaconRadio.longestRetry))
        settleListening(at: instant)
    }

    // MARK: The controller

    private mutating func added(_ index: UInt16) {
        candidates = (candidates ?? []).filter { $0 != index } + [index]
        if trouble == .noController || trouble == .noLowEnergy { trouble = nil }
        retry = nil
    }

    private mutating func removed(_ index: UInt16, at instant: MonotonicInstant) {
        candidates?.removeAll { $0 == index }
        guard index == controller?.index else { return }
        account(at: instant)
        controller = nil
        awaited = nil
        retry = nil
        failures = 0
        trouble = candidates?.isEmpty ?? true ? .noController : nil
        settleListening(at: instant)
    }

    private mutating func changed(_ new: ControllerSettings, at instant: MonotonicInstant) {
        let wasOn = controller?.isOn ?? false
        controller?.settings = new
        guard controller?.isOn != wasOn else { return }
        controller?.wasSwitchedOff = wasOn
        if wasOn {
            controller?.isSending = false
            trouble = .off
        } else {
            trouble = nil
            retry = nil
            failures = 0
        }
    }

    /// Notes that a monitor is gone, or all where the handle is 0.
    private mutating func lost(_ handle: UInt16) {
        controller?.leftovers?.removeAll { $0 == handle || handle == 0 }
        controller?.monitors.removeAll { $0 == handle || handle == 0 }
        if controller?.monitors.isEmpty ?? false { controller?.isCurrent = false }
    }

    private static func numbers(_ parameters: borrowing Span<UInt8>, countAt offset: Int) -> [UInt16] {
        guard parameters.count >= offset + 2 else { return [] }
        let stated = Int(parameters.littleEndian(UInt16.self, at: offset))
        let count = min(stated, (parameters.count - offset - 2) / 2)
        return (0..<count).map { parameters.littleEndian(UInt16.self, at: offset + 2 + 2 * $0) }
    }

    // MARK: Time

    /// Nanoseconds for which the radio has listened since the daemon's start, whatever part of the time its windows were
    /// open.
    public func listened(at instant: MonotonicInstant) -> Int64 {
        listenedBefore + (listeningSince.map { max(0, instant.nanoseconds(since: $0)) } ?? 0)
    }

    /// Nanoseconds for which its windows were open since the daemon's start.
    public func scanned(at instant: MonotonicInstant) -> Int64 {
        guard let since = listeningSince, let duty = controller?.scan?.duty else { return scannedBefore }
        return scannedBefore + Int64(Double(max(0, instant.nanoseconds(since: since))) * duty)
    }

    private mutating func settleListening(at instant: MonotonicInstant) {
        let listens = controller.map { $0.isOn && !$0.isSuspended && !$0.monitors.isEmpty } ?? false
        guard listens != isListening else { return }
        account(at: instant)
        listeningSince = listens ? instant : nil
    }

    /// Adds the time until now to the sums.
    private mutating func account(at instant: MonotonicInstant) {
        (listenedBefore, scannedBefore) = (listened(at: instant), scanned(at: instant))
        if isListening { listeningSince = instant }
    }
}

/// What one advertisement tells of a beacon.
public enum BeaconHearing: Sendable, Hashable {
    case beacon(HeardBeacon)
    /// The state of the beacon that sends its identity from this address.
    case telemetry(BeaconTelemetry, SenderAddress)
}

/// A beacon's advertisement, as it was heard.
public struct HeardBeacon: Sendable, Hashable {
    public var beacon: Beacon
    public var sender: SenderAddress
    /// In dBm; nil where the controller gave none.
    public var strength: Int8?

    public init(beacon: Beacon, sender: SenderAddress, strength: Int8?) {
        self.beacon = beacon
        self.sender = sender
        self.strength = strength
    }
}
