internal import Access
internal import Beacons
internal import ClientProtocol
internal import Emulation
internal import Engine
internal import Parts
internal import SextantJSON
internal import SextantUnits

/// The CPU time and heap allocations that one advertisement costs the Engine, for different numbers of beacon regions
/// and of sending beacons with one UUID.
///
/// A class, because an Engine's `Turn` cannot be copied.
final class AdvertisementMeasurement {
    /// Mean microseconds of CPU time, and mean number of heap allocations, for one advertisement.
    private(set) var microseconds = 0.0
    private(set) var allocations = 0.0

    private let engine: Engine
    private var turn = Turn()
    private var radio = EmulatedRadio()
    private var now = MonotonicInstant.zero

    private static let uuid = BeaconUUID(high: 0xE2C5_6DB5_DFFB_48D2, low: 0xB060_D0F5_A710_96E0)
    private static let (tracker, root) = (ClientID(rawValue: 1), ClientID(rawValue: 2))
    private static let rounds = 40

    /// - Parameters:
    ///   - regions: The number of monitored regions with the UUID; each has its own major number.
    ///   - senders: The number of Bluetooth addresses that advertise in turn, each as another beacon.
    ///   - isRanging: Whether a client also ranges all beacons of the UUID.
    init(regions: Int, senders: Int, isRanging: Bool) {
        let configuration = EngineConfiguration(
            device: "/dev/gnss", fixedBaud: nil, lastBaud: nil, now: UTCInstant(nanoseconds: 1_790_000_000_000_000_000))
        engine = Engine(configuration)
        var manifest = ClientManifest(name: "tracker", selector: ClientSelector(unit: "tracker.service"))
        manifest.purposes = PurposeStrings(whenInUse: "measures", always: "measures")
        manifest.maximumRegions = max(1, regions)
        give(.started(configuration))
        give(.admission(Admission(manifests: ClientManifests([manifest]), policy: OperatorPolicy())))
        give(.storeRead)
        give(.radioOpened)
        let (tracker, root) = (AdvertisementMeasurement.tracker, AdvertisementMeasurement.root)
        give(.clientConnected(tracker, .local, PeerIdentity(userID: 1000, unit: "tracker.service")))
        give(.clientConnected(root, .local, PeerIdentity(userID: 0)))
        ask(#"{"request":"answer","client":"tracker","answer":"always"}"#, of: root)
        let uuid = AdvertisementMeasurement.uuid
        for major in 0..<regions {
            ask(
                #"{"request":"monitorRegion","identifier":"\#(major)","uuid":"\#(uuid)","major":\#(major)}"#,
                of: tracker)
        }
        if isRanging { ask(#"{"request":"rangeBeacons","uuid":"\#(uuid)"}"#, of: tracker) }
        for second in 1...5 { pass(to: Double(second)) }
        measure((0..<senders).map(event))
    }

    private func give(_ input: Input) {
        engine.handle(input, at: now, into: &turn)
        for case .radio(let range) in turn.actions {
            radio.take(turn.text.bytes(range))
        }
    }

    private func ask(_ line: String, of client: ClientID) {
        give(.clientLine(client, .local, Array(line.utf8)))
    }

    private func pass(to second: Double) {
        now = MonotonicInstant.zero.advanced(bySeconds: second)
        var events: [[UInt8]] = []
        radio.advance(to: now) { events.append($0) }
        for event in events { give(.radioEvent(event)) }
        give(.timePassed)
    }

    /// An advertisement as the kernel's Bluetooth management socket reports it.
    private func event(ofSender number: Int) -> [UInt8] {
        let identity = BeaconIdentity(
            uuid: AdvertisementMeasurement.uuid, major: UInt16(number % 1000), minor: UInt16(number))
        let advertisement = [2, 1, 6] + identity.advertisement(measuredPower: -59)
        let address = [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), 0, 0, 0, 0xC0]
        let parameters = [0, 0] + address + [2, UInt8(bitPattern: -70), 0, 0, 0, 0] + [UInt8(advertisement.count), 0]
        return [0x2F, 0, 0, 0, UInt8(parameters.count + advertisement.count), 0] + parameters + advertisement
    }

    /// Feeds the advertisements of all senders in turn to the Engine, 500 per second; the work that the Engine does
    /// once a second is not measured.
    private func measure(_ events: [[UInt8]]) {
        var (count, spent, asked) = (0, 0.0, 0)
        for round in 0..<AdvertisementMeasurement.rounds {
            for (place, event) in events.enumerated() {
                let before = (ProcessorClock.seconds, AllocationProbe.count)
                engine.handle(.radioEvent(event), at: now, into: &turn)
                // During the first rounds the regions are entered and the table of senders fills, so these rounds are
                // not measured.
                if round >= AdvertisementMeasurement.rounds / 2 {
                    spent += ProcessorClock.seconds - before.0
                    asked += AllocationProbe.count - before.1
                    count += 1
                }
                now = now.advanced(bySeconds: 0.002)
                if place % 500 == 499 { give(.timePassed) }
            }
            give(.timePassed)
        }
        microseconds = spent / Double(max(1, count)) * 1e6
        allocations = Double(asked) / Double(max(1, count))
    }

    /// Prints the results as a table.
    static func tell() {
        print("| regions of the UUID | senders | ranging | us an advertisement | allocations |")
        print("|---:|---:|---|---:|---:|")
        for (regions, senders, isRanging) in [
            (1, 16, false), (1000, 16, false), (1000, 1024, false), (1000, 1024, true), (1000, 4096, true),
        ] {
            let measured = AdvertisementMeasurement(regions: regions, senders: senders, isRanging: isRanging)
            let cells = [
                "\(regions)", "\(senders)", isRanging ? "yes" : "no", DecimalText.of(measured.microseconds, 1),
                DecimalText.of(measured.allocations, 2),
            ]
            print("| " + cells.joined(separator: " | ") + " |")
        }
    }
}
