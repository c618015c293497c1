public import Boards
internal import Hardware
public import HostSleep
public import HostSwitches
public import SextantUnits

/// Carries out the orders about the host's sleep, one after the other, with a host switch whose bus transfers block.
///
/// A class, because it owns the driver of the switch, which cannot be copied, and is captured by the closure that
/// carries out the orders.
public final class HostServer<Switch: HostSwitch & ~Copyable> {
    /// The clocks of the host.
    public struct Clocks {
        public var now: () -> MonotonicInstant
        /// The wall clock; nil unless the system reports it as right.
        public var wall: () -> UTCInstant?

        public init(now: @escaping () -> MonotonicInstant, wall: @escaping () -> UTCInstant?) {
            self.now = now
            self.wall = wall
        }
    }

    private let hostSwitch: HostSwitchAddress
    private let settings: HostSleepSettings
    private let files: HostRequestFiles
    private let clocks: Clocks
    /// The kernel's release, a part of the fingerprint of the system: with another kernel, sleep must be tried out
    /// again.
    private let kernel: String
    private let open: () throws(HostSwitchError) -> Switch
    /// The accelerometer that latches motion while the host is off; nil if the board has none.
    private let latch: MotionLatch?
    /// Finds what keeps the host from sleeping, other than the host switch.
    private let survey: () -> HostInspection
    private var device: Switch?
    /// The wall clock's time minus the boot clock's time at the last inspection, in nanoseconds; 0 if the wall clock
    /// was not known.
    private var wallOffset: Int64 = 0
    /// The time of the host switch's clock minus the boot clock's time, in nanoseconds, if the switch's alarm woke the
    /// host; nil if something else did.
    private var wokenOffset: Int64?

    public init(
        _ board: BoardHostSwitch, _ settings: HostSleepSettings, files: HostRequestFiles, kernel: String,
        clocks: Clocks, latch: MotionLatch? = nil, survey: @escaping () -> HostInspection,
        open: @escaping () throws(HostSwitchError) -> Switch
    ) {
        hostSwitch = HostSwitchAddress(model: board.model.rawValue, bus: board.bus, address: board.address?.rawValue)
        self.settings = settings
        self.files = files
        self.kernel = kernel
        self.clocks = clocks
        self.latch = latch
        self.survey = survey
        self.open = open
    }

    public func serve(_ order: HostPortOrder) -> HostPortAnswer {
        switch order {
        case .begin: begin()
        case .carryOut(.inspect(let wall)): inspect(wall: wall)
        case .carryOut(.arm(let order)): arm(order)
        case .carryOut(.disarm): disarm()
        case .carryOut(.powerOff(let order)): powerOff(order)
        }
    }

    /// Reads from the host switch what woke the host, and then clears this record and the alarm, which could otherwise
    /// reset a running host.
    ///
    /// This is `woken` in the Promela model hostsleep.pml.
    private func begin() -> HostPortAnswer {
        var reports: [HostReport] = []
        let problem = attempt { (device: inout Switch) throws(HostSwitchError) in
            let firmware = try device.identify()
            // A reading tells only an alarm that is still to come, so the switch looks for the one that has fired.
            var wake = try device.wake(near: nil)
            // The host switch only knows whether its own alarm woke the host; the accelerometer's latch tells about
            // motion.
            if wake.cause == .unknown, latch?.hasFelt == true { wake = HostWake(.motion, isRead: true) }
            let clock = try device.clock()
            wokenOffset = wake.cause == .alarm ? clock.map { $0.nanoseconds - clocks.now().nanoseconds } : nil
            reports = [.woke(wake, clock: clock, fingerprint: fingerprint(firmware))]
            if try !clear(&device) { reports.append(.notCleared) }
            reports.append(.battery(try device.battery().percent.map { Double($0) }))
        }
        if reports.isEmpty { reports = [.woke(HostWake(.unknown, isRead: false), clock: nil, fingerprint: 0)] }
        guard problem == nil else { return HostPortAnswer(reports, problem: problem) }
        let isFinal = settings.afterPowerOff == .stayOff
        return HostPortAnswer(reports, problem: isFinal ? files.write(hostSwitch) : files.removeHostSwitch())
    }

    /// The largest number of attempts to clear a host switch that does not accept the write.
    private static var attempts: Int { 3 }

    /// Clears the host switch's alarms, and checks by reading that they are gone.
    ///
    /// This is `disarm` in the Promela model hostsleep.pml.
    private func clear(_ device: inout Switch) throws(HostSwitchError) -> Bool {
        for _ in 0..<HostServer.attempts {
            try device.disarm()
            let reading = try device.reading()
            if reading.alarm == nil, reading.backstop == nil { return true }
        }
        return false
    }

    private func fingerprint(_ firmware: String) -> UInt32 {
        let bytes = Array("\(hostSwitch.text)\n\(firmware)\n\(kernel)".utf8)
        return CRC32.of(bytes.span)
    }

    private func inspect(wall told: UTCInstant?) -> HostPortAnswer {
        var inspection = survey()
        let now = clocks.now()
        // If the host switch's alarm woke the host, its clock is good enough for the next sleep: on a board without a
        // network there is no other time while no client needs the receiver.
        let wall = told ?? clocks.wall() ?? wokenOffset.map { UTCInstant(nanoseconds: now.nanoseconds + $0) }
        wallOffset = wall.map { $0.nanoseconds - now.nanoseconds } ?? 0
        inspection.wall = wall
        let problem = attempt { (device: inout Switch) throws(HostSwitchError) in
            let battery = try device.battery()
            // If the host switch cannot tell whether the board has external power, the host counts as on battery;
            // otherwise it would never sleep.
            inspection.hasExternalPower = battery.hasExternalPower ?? false
            inspection.batteryPercent = battery.percent.map { Double($0) }
            inspection.switchClock = try device.clock()
            guard let wall else { return }
            let apart = inspection.switchClock.map { $0.nanoseconds(since: wall).magnitude } ?? .max
            guard apart > 1_000_000_000 else { return }
            try device.setClock(to: wall)
            inspection.switchClock = try device.clock()
        }
        return HostPortAnswer([.inspected(inspection)], problem: problem)
    }

    /// Sets the alarms of the host switch, and reads back what it holds.
    ///
    /// This is `arm` in the Promela model hostsleep.pml.
    private func arm(_ order: SwitchOrder) -> HostPortAnswer {
        var reading: SwitchReading?
        let problem = attempt { (device: inout Switch) throws(HostSwitchError) in
            try setRecovery(&device)
            try device.arm(order)
            var found = try device.reading()
            // The motion sensor is not part of the host switch but a chip of its own, which the tracker watches.
            found.byMotion = order.byMotion && latch?.hold(true) != false
            reading = found
        }
        return HostPortAnswer([.armed(reading, wall: wall(at: clocks.now()))], problem: problem)
    }

    /// How far above `lowPercent` the charge must rise, in percentage points, for a low battery to count as charged
    /// again.
    private static var charged: Double { 5 }

    /// Makes a host switch that measures the battery's charge wake the host before the alarm, once a low battery is
    /// charged again.
    private func setRecovery(_ device: inout Switch) throws(HostSwitchError) {
        let battery = try device.battery()
        guard let percent = battery.percent else { return }
        let recovery = HostRecovery(
            percent: Int(settings.lowPercent + HostServer.charged), millivolts: battery.millivolts ?? 0)
        try device.setRecovery(Double(percent) <= settings.lowPercent ? recovery : nil)
    }

    private func disarm() -> HostPortAnswer {
        files.removeRequest()
        _ = latch?.hold(false)
        var isClear = false
        let problem = attempt { (device: inout Switch) throws(HostSwitchError) in isClear = try clear(&device) }
        return HostPortAnswer(isClear ? [] : [.notCleared], problem: problem)
    }

    private func powerOff(_ order: SwitchOrder) -> HostPortAnswer {
        let now = clocks.now()
        let request = HostRequest(order: order, hostSwitch: hostSwitch, made: now, wall: wall(at: now))
        if let problem = files.ask(request) {
            return HostPortAnswer([.powerOffAnswered(isAccepted: false)], problem: problem)
        }
        return HostPortAnswer(awaited: request)
    }

    private func wall(at now: MonotonicInstant) -> UTCInstant {
        UTCInstant(nanoseconds: now.nanoseconds + wallOffset)
    }

    /// Does work on the host switch, which is opened again after a failure; returns an error text for people, or nil if
    /// there was no error.
    private func attempt(_ work: (inout Switch) throws(HostSwitchError) -> Void) -> String? {
        do throws(HostSwitchError) {
            if device == nil { device = try open() }
            guard var taken = device.take() else { return nil }
            try work(&taken)
            device = consume taken
            return nil
        } catch {
            return "host sleep: \(error)"
        }
    }
}
