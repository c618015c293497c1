internal import Beacons
internal import SextantUnits

/// The events of the kernel's Bluetooth management socket, which carry advertisements from unknown senders.
///
/// Every event goes to the decoders and to the radio's state machine, which is ordered to listen all the time. Whatever
/// the input, the machine must send only one command at a time, and the bytes of a decoded beacon's identity must occur
/// in its event.
public struct BeaconSurface {
    /// The number of events taken, and the number of beacons among them.
    public private(set) var eventCount = 0
    public private(set) var beaconCount = 0
    private var radio = BeaconRadio(BeaconRadio.Settings(formats: Set(Beacon.Format.allCases)))
    private var now = MonotonicInstant.zero
    private var mutator = Mutator()

    public init() { reset() }

    /// Resets the radio's state machine as after a restart; the counts stay.
    public mutating func reset() {
        radio = BeaconRadio(BeaconRadio.Settings(formats: Set(Beacon.Format.allCases)))
        now = .zero
        radio.opened(at: now)
        radio.want(ScanTiming(interval: 596, window: 60), at: now)
        // Discards the first command, which the radio writes before any event.
        _ = radio.takeCommands()
    }

    /// Takes one event, as one read of the socket returns it.
    public mutating func take(_ event: [UInt8]) throws(Violation) {
        eventCount += 1
        now = now.advanced(byNanoseconds: 40_000_000)
        let heard = radio.heard(event.span, at: now)
        if let due = radio.deadline, due <= now { radio.advance(to: now) }
        let commands = radio.takeCommands()
        guard commands.count <= 1, commands.allSatisfy(BeaconSurface.isWhole) else { throw .commandsOutOfTurn }
        guard case .beacon(let heard)? = heard else { return }
        beaconCount += 1
        guard BeaconSurface.holds(event, heard.beacon.identity) else { throw .beaconNotInItsEvent }
    }

    private static func isWhole(_ command: [UInt8]) -> Bool {
        command.count >= 6 && command.count - 6 == Int(command[4]) | Int(command[5]) << 8
    }

    /// Whether the identity's 16 bytes occur in the event, one after the other.
    private static func holds(_ event: [UInt8], _ identity: BeaconIdentity) -> Bool {
        let digits = identity.uuid.description.compactMap(\.hexDigitValue)
        let wanted = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        guard wanted.count == 16, event.count >= 16 else { return false }
        return (0...event.count - 16).contains { Array(event[$0..<$0 + 16]) == wanted }
    }

    // MARK: Made-up events

    /// Runs the events of session `number`; they depend only on the seed and this number.
    public mutating func run(seed: UInt64, number: Int) throws(Violation) {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD6E8_FEB8_6659_FD93)
        reset()
        var input: [UInt8] = []
        for _ in 0..<FuzzSession.inputCount {
            input.removeAll(keepingCapacity: true)
            let event = BeaconSurface.events[random.below(BeaconSurface.events.count)]
            if random.oneIn(2) {
                input = event
            } else {
                let other = BeaconSurface.events[random.below(BeaconSurface.events.count)]
                mutator.append(event, other: other, to: &input, using: &random)
                // Half of the damaged events get a correct length field, so that the decoders judge their content.
                if random.oneIn(2), input.count >= 6 {
                    input[4] = UInt8(truncatingIfNeeded: input.count - 6)
                    input[5] = UInt8(truncatingIfNeeded: (input.count - 6) >> 8)
                }
            }
            try take(input)
        }
    }

    /// Well-formed events: answers to the commands that lead to a scan, events that can come between them, and
    /// advertisements.
    private static let events: [[UInt8]] =
        answers + [
            event(0x04, [], controller: 1), event(0x05, []), event(0x06, [1, 2, 0, 0]), event(0x06, [0, 2, 0, 0]),
            event(0x2C, [0, 0]), event(0x2C, [3, 0]), event(0x2D, [2]), event(0x2E, [0, 0, 0, 0, 0, 0, 0, 0]),
            event(0x13, [6, 1]), event(0x02, [0x05, 0, 0x12]), event(0x02, [0x52, 0, 0x01]),
        ] + advertisements.flatMap { [heard($0, isDiscovered: false), heard($0, isDiscovered: true)] }

    private static let answers: [[UInt8]] = [
        event(0x01, [0x03, 0, 0, 1, 0, 0, 0], controller: 0xFFFF),
        event(0x01, [0x04, 0, 0, 6, 5, 4, 3, 2, 1, 9, 0, 0, 1, 2, 0, 0, 1, 2, 0, 0]),
        event(0x01, [0x51, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 32, 0, 16, 1, 0, 7, 0]), event(0x01, [0x53, 0, 0, 7, 0]),
        event(0x01, [0x4C, 0, 0]), event(0x01, [0x52, 0, 0, 3, 0]), event(0x01, [0x05, 0, 0, 1, 2, 0, 0]),
    ]

    private static let uuid: [UInt8] = (0..<16).map { 0xE0 ^ $0 &* 0x1B }

    private static let advertisements: [[UInt8]] = [
        [0x02, 0x01, 0x1A, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + uuid + [0, 100, 0, 7, 0xC5],
        [0x1B, 0xFF, 0x18, 0x01, 0xBE, 0xAC] + uuid + [0, 1, 0, 2, 0xC5, 9],
        [0x03, 0x03, 0xAA, 0xFE, 0x17, 0x16, 0xAA, 0xFE, 0x00, 0xEE] + uuid + [0, 0],
        [0x03, 0x03, 0xAA, 0xFE, 0x11, 0x16, 0xAA, 0xFE, 0x20, 0, 0x0B, 0xB8, 0x15, 0x40, 0, 0, 1, 0, 0, 0, 2, 0],
        [0x02, 0x01, 0x1A, 0x0B, 0xFF, 0x4C, 0x00, 0x10, 0x06, 0x03, 0x1E, 0x6B, 0x2F, 0x1C, 0x9A], [],
    ]

    private static func heard(_ advertisement: [UInt8], isDiscovered: Bool) -> [UInt8] {
        let sender: [UInt8] = [0x43, 0x3E, 0xA2, 0xC9, 0x6B, 0x6A, 2, 0xB3, 0, 0, 0, 0]
        let data = sender + [UInt8(truncatingIfNeeded: advertisement.count), 0] + advertisement
        return event(isDiscovered ? 0x12 : 0x2F, (isDiscovered ? [] : [0, 0]) + data)
    }

    private static func event(_ code: UInt8, _ parameters: [UInt8], controller: UInt16 = 0) -> [UInt8] {
        let index = [UInt8(truncatingIfNeeded: controller), UInt8(truncatingIfNeeded: controller >> 8)]
        return [code, 0] + index + [UInt8(truncatingIfNeeded: parameters.count), 0] + parameters
    }
}
