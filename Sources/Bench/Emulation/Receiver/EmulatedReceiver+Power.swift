import Epochs
public import Receivers
public import SextantUnits
import UBX

/// The time in nanoseconds from power-up or the edge of the wake line until the UART receives.
///
/// Drivers of u-blox receivers wait half a second before they send (openpilot's pigeond, Meshtastic).
private let deafness: Int64 = 300_000_000

extension EmulatedReceiver {
    /// Sets the level of a line that the host drives.
    ///
    /// `reset` holds the receiver in reset while high, whatever the polarity of the board's pin. An edge of `wake`
    /// wakes the receiver; a low `wake` keeps a u-blox asleep if its configuration says so. Lines that the receiver
    /// drives itself, such as the pulse per second, are ignored.
    public mutating func setLine(_ role: LineRole, _ level: Bool, at instant: MonotonicInstant) {
        settle(to: instant.nanoseconds)
        switch role {
        case .powerEnable: setPower(level)
        case .backupSupply: setBackup(level)
        case .reset: setReset(level)
        case .wake: setWakeLine(level)
        case .pulsePerSecond, .motionInterrupt, .indicator: break
        }
    }

    private mutating func setPower(_ level: Bool) {
        guard level != isPowered else { return }
        if level { powerUp() } else { powerDown() }
    }

    private mutating func setBackup(_ level: Bool) {
        settleCell()
        lines.isBackupOn = level && options.backup != .none
        guard !isPowered else { return }
        loseWhatIsNotBackedUp()
    }

    private mutating func setReset(_ level: Bool) {
        guard level != lines.isResetHeld else { return }
        lines.isResetHeld = level
        guard isPowered else { return }
        if level {
            leaveTracking()
            silence()
            phase = .reset
            draw = powerDraw.acquiring
            if personality.resetClearsBackup { loseMemory() }
        } else {
            boot()
        }
    }

    private mutating func setWakeLine(_ level: Bool) {
        let isEdge = level != lines.isWakeHigh
        lines.isWakeHigh = level
        guard isEdge else { return }
        if phase == .sleeping {
            if sleepOrder.wakeSources.contains(.line), level || !settings.wakeLineForcesSleep { wake() }
        } else if isRunning, !level, settings.wakeLineForcesSleep {
            fallAsleep(after: 0, for: nil, until: .line)
        }
    }

    mutating func powerUp() {
        settleCell()
        deadlines.backup = .max
        guard !lines.isResetHeld else {
            phase = .reset
            draw = powerDraw.acquiring
            return
        }
        boot()
    }

    mutating func powerDown() {
        leaveTracking()
        settleCell()
        silence()
        phase = .unpowered
        loseWhatIsNotBackedUp()
    }

    /// Starts the firmware with the settings and data that battery-backed memory and flash hold.
    mutating func boot() {
        leaveTracking()
        silence()
        restoreFromFlash()
        layers.boot()
        settings = ReceiverSettings(layers.inForce, isAtUSB: options.isAtUSB)
        phase = .booting
        draw = powerDraw.acquiring
        firmware = Firmware(startedAt: now, deafUntil: now + deafness)
        restoring = nil
        stream = ReceiverStream()
        deadlines.boot = now + Int64(startTimes.boot * 1e9)
    }

    /// Cancels the scheduled events, except the end of the backup supply, and discards the bytes that wait to be sent.
    private mutating func silence() {
        deadlines.clear()
        transmit.clear(at: now)
        dump = nil
    }

    // MARK: The backup domain

    /// Whether the battery-backed memory and the clock have a supply.
    var isBackupAlive: Bool {
        guard !isPowered else { return true }
        guard lines.isBackupOn, now < options.backupDies?.nanoseconds ?? .max else { return false }
        return cell.map { $0.charge > 0 } ?? true
    }

    /// After the main supply is off: clears the battery-backed memory if it has no supply, otherwise schedules the end
    /// of the backup supply.
    private mutating func loseWhatIsNotBackedUp() {
        deadlines.backup = .max
        guard isBackupAlive else {
            draw = 0
            return loseMemory()
        }
        draw = powerDraw.hardwareSleep
        deadlines.backup = options.backupDies?.nanoseconds ?? .max
        guard let cell else { return }
        let left = Int64((cell.charge / powerDraw.hardwareSleep * 1e9).rounded(.up))
        deadlines.backup = min(deadlines.backup, now + left)
    }

    /// Checks whether the backup supply has ended, and clears the battery-backed memory if so.
    mutating func checkBackup() {
        settleCell()
        loseWhatIsNotBackedUp()
    }

    mutating func loseMemory() {
        memory = RetainedMemory()
        layers.batteryBacked = [:]
    }

    /// Charges or discharges the board's backup cell for the time since the last call.
    private mutating func settleCell() {
        guard let charging = cell?.charging else { return }
        let flow = isPowered ? charging : lines.isBackupOn ? -powerDraw.hardwareSleep : 0
        cell?.settle(at: now, flow: flow)
    }

    private mutating func restoreFromFlash() {
        guard let saved = savedOnFlash else {
            restoration = .noBackup
            return
        }
        guard memory.ephemerisTime == nil else { return }
        memory.ephemerisTime = saved.memory.ephemerisTime
        memory.isPositionKnown = memory.isPositionKnown || saved.memory.isPositionKnown
        layers.batteryBacked.merge(saved.configuration) { kept, _ in kept }
        restoration = .restored
    }

    // MARK: The receiver's own sleep

    /// Schedules a sleep of `duration` nanoseconds; if that is nil, the sleep lasts until one of `sources` ends it.
    mutating func fallAsleep(
        after delay: Int64, for duration: Int64?, until sources: WakeSources, losingRAM: Bool = true
    ) {
        guard !options.faults.contains(.ignoresSleep) else { return }
        sleepOrder = SleepOrder(duration: duration, wakeSources: sources, losesRAM: losingRAM)
        deadlines.sleep = now + delay
        if delay == 0 { sleep() }
    }

    mutating func sleep() {
        leaveTracking()
        silence()
        phase = .sleeping
        draw = powerDraw.softwareSleep
        if let duration = sleepOrder.duration { deadlines.wake = now + duration }
        if let seconds = options.wakesBySelfAfter {
            deadlines.wake = min(deadlines.wake, now + Int64(seconds * 1e9))
        }
    }

    mutating func wake() {
        guard sleepOrder.losesRAM else {
            silence()
            firmware = Firmware(startedAt: now, deafUntil: now)
            draw = powerDraw.acquiring
            phase = .booting
            // The RAM was kept during the sleep, so the firmware continues after 0.1 s instead of booting.
            deadlines.boot = now + 100_000_000
            return
        }
        boot()
    }

    // MARK: Bytes from the host

    /// Takes bytes that the host has sent to the receiver.
    ///
    /// Bytes are lost while the receiver has no power and for 0.3 s after each start of its firmware. If bytes can end
    /// the present sleep, the first byte wakes the receiver and is lost itself.
    public mutating func receive(_ bytes: borrowing Span<UInt8>, at instant: MonotonicInstant) {
        settle(to: instant.nanoseconds)
        guard bytes.count > 0, !options.faults.contains(.neverAnswers) else { return }
        var first = 0
        if phase == .sleeping {
            guard sleepOrder.wakeSources.contains(.uart) else { return }
            wake()
            first = 1
        }
        guard phase != .unpowered, phase != .reset, now >= firmware.deafUntil else { return }
        if let hostBaud, hostBaud != settings.baud, !options.isAtUSB { return }
        while first < bytes.count {
            first += stream.append(bytes.extracting(first...))
            while let message = stream.next() { obey(message) }
        }
    }
}
