public import SextantUnits

/// An emulated Bluetooth controller behind the kernel's management socket, with beacons around it, in virtual time.
///
/// It behaves as Linux 6.1 was observed to: advertisement monitors stay when the socket closes or the power is
/// switched; a scan takes its timing when a monitor is added; discovery by another program changes the event code of
/// reports; and every advertisement that arrives during an open scan window is reported. Source of the layouts: BlueZ,
/// `doc/mgmt-api.txt`.
public struct EmulatedRadio: Sendable {
    /// The controller's index in the management protocol; nil if the controller has been removed.
    public private(set) var index: UInt16? = 0
    public private(set) var isOn = false
    private var hasLowEnergy = true
    private var isBlocked = false
    /// Whether another program runs a discovery; the kernel then reports the advertisements with another event code.
    public var isDiscovering = false
    /// Whether the controller leaves all commands without an answer.
    public var isSilent = false
    /// The handles of the advertisement monitors, with the scan timing of each.
    public private(set) var monitors: [(handle: UInt16, scan: Scan)] = []
    /// The data of the advertisements that are being sent, by instance number.
    public private(set) var advertisements: [UInt8: [UInt8]] = [:]
    /// The largest number of advertisements that can be registered, which the controller sends in turn.
    public var maximumAdvertisements: UInt8 = 5
    /// The error status with which requests to advertise are answered; nil if they are accepted.
    public var advertisingRefusal: UInt8?
    /// The codes of all commands that have arrived, in order.
    public private(set) var commands: [UInt16] = []
    /// The total time in seconds during which a scan window was open.
    public private(set) var scannedSeconds = 0.0

    /// The scan interval and scan window, in units of 0.625 ms.
    public struct Scan: Sendable, Equatable {
        public var interval: UInt16
        public var window: UInt16

        /// Makes a scan timing; without arguments it is the kernel's default.
        public init(interval: UInt16 = 96, window: UInt16 = 48) {
            self.interval = interval
            self.window = window
        }
    }

    private var scan = Scan()
    private var senders: [BeaconSender] = []
    private var random: SplitMix64
    private var now: MonotonicInstant
    private var scanBegan: MonotonicInstant
    /// Management events that the caller has not received yet.
    private var events: [[UInt8]] = []

    /// The weakest signal that the emulated controller receives, in dBm.
    private static let sensitivity = -92.0

    public init(seed: UInt64 = 1, at instant: MonotonicInstant = .zero) {
        random = SplitMix64(seed: seed)
        now = instant
        scanBegan = instant
    }

    private var isScanning: Bool { index != nil && isOn && !monitors.isEmpty }

    /// The next instant at which the radio has a management event or a beacon advertises; nil for never.
    public var nextEvent: MonotonicInstant? {
        guard events.isEmpty else { return now }
        return isScanning ? senders.map(\.next).min() : nil
    }

    /// Lets time pass up to an instant, and calls `emit` with each management event, in order.
    public mutating func advance(to instant: MonotonicInstant, emit: ([UInt8]) -> Void) {
        while let place = nearest, senders[place].next <= instant {
            pass(to: max(now, senders[place].next))
            let level = senders[place].send(&random)
            if let level, isScanning, level > EmulatedRadio.sensitivity, isWindowOpen { report(place, level) }
        }
        pass(to: max(now, instant))
        for event in events { emit(event) }
        events.removeAll()
    }

    /// The index of the beacon that will be the next to advertise.
    private var nearest: Int? { senders.indices.min { senders[$0].next < senders[$1].next } }

    private mutating func pass(to instant: MonotonicInstant) {
        if isScanning {
            let timing = monitors.last?.scan ?? Scan()
            let seconds = Double(instant.nanoseconds(since: now)) * 1e-9
            scannedSeconds += seconds * Double(timing.window) / Double(timing.interval)
        }
        now = instant
    }

    private var isWindowOpen: Bool {
        let timing = monitors.last?.scan ?? Scan()
        let interval = Double(timing.interval) * 0.000625
        let phase = (Double(now.nanoseconds(since: scanBegan)) * 1e-9).truncatingRemainder(dividingBy: interval)
        return phase < Double(timing.window) * 0.000625
    }

    // MARK: Beacons

    /// Adds a beacon, which advertises from now on.
    ///
    /// - Returns: The beacon's index, for `setLevel`.
    public mutating func place(_ beacon: EmulatedBeacon) -> Int {
        let first = now.advanced(byNanoseconds: Int64(random.next(in: 0...beacon.interval) * 1e9))
        senders.append(BeaconSender(beacon, next: first))
        return senders.count - 1
    }

    /// Changes the mean received strength of a beacon at the board, in dBm; nil takes the beacon out of reach.
    public mutating func setLevel(_ level: Double?, ofBeacon index: Int) { senders[index].beacon.level = level }

    /// Reports a received advertisement at once, whether or not a scan window is open; does nothing if there is no
    /// scan.
    public mutating func report(_ advertisement: [UInt8], strength: Int8, address: [UInt8] = [1, 0, 0, 0, 0, 0xC0]) {
        guard isScanning else { return }
        var parameters: [UInt8] = isDiscovering ? [] : [0, 0]
        parameters += address + [address[5] >= 0xC0 ? 2 : 1, UInt8(bitPattern: strength), 0, 0, 0, 0]
        parameters += [UInt8(advertisement.count), 0] + advertisement
        event(isDiscovering ? 0x12 : 0x2F, parameters)
    }

    private mutating func report(_ index: Int, _ level: Double) {
        let beacon = senders[index].beacon
        report(beacon.advertisement, strength: Int8(max(-127, min(20, level.rounded()))), address: beacon.address)
    }

    // MARK: Other programs and people

    /// Switches the radio on or off, as if another program did it.
    public mutating func setPowered(_ isOn: Bool) {
        guard self.isOn != isOn else { return }
        self.isOn = isOn
        scanBegan = now
        event(0x06, settings)
    }

    /// Blocks the radio as rfkill does, or unblocks it and switches it on.
    public mutating func setBlocked(_ isBlocked: Bool) {
        self.isBlocked = isBlocked
        setPowered(!isBlocked)
    }

    /// Removes all advertisement monitors, as if another program did it.
    public mutating func removeMonitors() {
        monitors.removeAll()
        event(0x2C, [0, 0])
    }

    /// Registers an advertisement of another program, which the controller then sends.
    public mutating func advertise(_ structures: [UInt8], instance: UInt8) { advertisements[instance] = structures }

    /// Removes all advertisement monitors and all registered advertisements, as `bluetoothd` does when it starts.
    ///
    /// Source: BlueZ, `src/adapter.c`, `reset_adv_monitors`, and `src/advertising.c`, `read_adv_features_callback`.
    public mutating func startBluetoothDaemon() {
        removeMonitors()
        // The events of the removals are put before the answers that have not been delivered yet. So such an answer can
        // report an advertisement as added although it has already been removed.
        let answers = events
        events.removeAll()
        for instance in advertisements.keys.sorted() { event(0x24, [instance]) }
        events += answers
        advertisements.removeAll()
    }

    public mutating func unplug() {
        guard let gone = index else { return }
        event(0x05, [])
        forget()
        events[events.count - 1][2] = UInt8(truncatingIfNeeded: gone)
        index = nil
    }

    /// Plugs in a controller that is off and has no advertisement monitors.
    public mutating func plug(index new: UInt16) {
        forget()
        index = new
        event(0x04, [])
    }

    private mutating func forget() {
        (isOn, monitors, advertisements, scan) = (false, [], [:], Scan())
    }

    // MARK: Commands

    /// Takes a management command; the answer is appended to the events.
    public mutating func take(_ command: [UInt8]) {
        guard command.count >= 6 else { return }
        let code = UInt16(command[0]) | UInt16(command[1]) << 8
        let asked = UInt16(command[2]) | UInt16(command[3]) << 8
        commands.append(code)
        guard !isSilent else { return }
        guard code == 0x03 || asked == index else { return answer(code, asked, status: 0x11, []) }
        carryOut(code, asked, Array(command.dropFirst(6)))
    }

    private mutating func carryOut(_ code: UInt16, _ asked: UInt16, _ parameters: [UInt8]) {
        switch code {
        case 0x03: answer(code, asked, index.map { [1, 0, UInt8(truncatingIfNeeded: $0), 0] } ?? [0, 0])
        case 0x04: answer(code, asked, [6, 5, 4, 3, 2, 1, 9, 0, 0] + supported + settings)
        case 0x05:
            guard !isBlocked else { return answer(code, asked, status: 0x12, []) }
            isOn = parameters == [1]
            scanBegan = now
            answer(code, asked, settings)
        case 0x0D:
            hasLowEnergy = parameters == [1]
            answer(code, asked, settings)
        case 0x51:
            let handles = monitors.flatMap { EmulatedRadio.bytes($0.handle) }
            let count = EmulatedRadio.bytes(UInt16(monitors.count))
            answer(code, asked, [1, 0, 0, 0, 0, 0, 0, 0, 32, 0, 16] + count + handles)
        case 0x4C where parameters.count == 10:
            scan = Scan(
                interval: UInt16(parameters[3]) | UInt16(parameters[4]) << 8,
                window: UInt16(parameters[8]) | UInt16(parameters[9]) << 8)
            answer(code, asked, [])
        case 0x52: addMonitor(code, asked)
        case 0x53 where parameters.count == 2:
            let handle = UInt16(parameters[0]) | UInt16(parameters[1]) << 8
            let isKnown = monitors.contains { $0.handle == handle }
            monitors.removeAll { $0.handle == handle }
            answer(code, asked, status: isKnown ? 0 : 0x11, parameters)
        case 0x3D:
            let numbers = advertisements.keys.sorted()
            answer(code, asked, [0, 0, 0, 0, 31, 31, maximumAdvertisements, UInt8(numbers.count)] + numbers)
        case 0x3E where parameters.count > 11:
            if let advertisingRefusal { return answer(code, asked, status: advertisingRefusal, []) }
            advertisements[parameters[0]] = Array(parameters.dropFirst(11))
            answer(code, asked, [parameters[0]])
        case 0x3F where parameters.count == 1:
            advertisements[parameters[0]] = nil
            answer(code, asked, parameters)
        default: answer(code, asked, status: 0x0D, [])
        }
    }

    private mutating func addMonitor(_ code: UInt16, _ asked: UInt16) {
        // The kernel gives a new monitor the lowest free handle.
        let handle = (UInt16(1)...).first { number in !monitors.contains { $0.handle == number } } ?? 1
        monitors.append((handle, scan))
        scanBegan = now.advanced(byNanoseconds: -Int64(random.next(in: 0...0.3) * 1e9))
        answer(code, asked, EmulatedRadio.bytes(handle))
    }

    private var supported: [UInt8] { [0x01, 0x02, 0, 0] }
    private var settings: [UInt8] { [isOn ? 1 : 0, hasLowEnergy ? 2 : 0, 0, 0] }

    private mutating func answer(_ code: UInt16, _ asked: UInt16, status: UInt8 = 0, _ data: [UInt8]) {
        let parameters = EmulatedRadio.bytes(code) + [status] + data
        events.append(
            EmulatedRadio.bytes(status == 0 ? 1 : 2) + EmulatedRadio.bytes(asked)
                + EmulatedRadio.bytes(UInt16(parameters.count)) + parameters)
    }

    private mutating func event(_ code: UInt16, _ parameters: [UInt8]) {
        events.append(
            EmulatedRadio.bytes(code) + EmulatedRadio.bytes(index ?? 0)
                + EmulatedRadio.bytes(UInt16(parameters.count)) + parameters)
    }

    private static func bytes(_ value: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
}
