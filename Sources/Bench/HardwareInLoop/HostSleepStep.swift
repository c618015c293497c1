internal import Emulation
internal import HostSleep
internal import SextantUnits

/// The models of host switch that the bench can put on a board's I2C bus.
enum FittedSwitch: String, Sendable, CaseIterable {
    case pijuice, lifepo4wered, piSugar3, latch

    func chip(at instant: UTCInstant) -> EmulatedHostSwitch {
        switch self {
        case .pijuice: EmulatedPiJuice(at: instant)
        case .lifepo4wered: EmulatedLiFePO4wered(at: instant)
        case .piSugar3: EmulatedPiSugar3(at: instant)
        case .latch: EmulatedLatch(at: instant)
        }
    }
}

/// A step of a scenario that concerns the host switch (which cuts the board's supply) or the host's sleep.
enum HostSleepStep: Equatable, Sendable {
    case fit(FittedSwitch)
    case skipSleep
    case loseAlarm
    case cutPower
    case carry(metresEast: Double)
    case setClock(unixSeconds: Int)
    case fault(register: UInt8, EmulatedHostSwitch.Fault?)
    case expectHalted(within: Double)
    case expectAsleep(within: Double)
    case expectAwake(WakeCause, within: Double)
    case expectRestart(within: Double)
    case expectReason(String, within: Double)
    case expectSoundDisk

    /// A copy of the step in which the time limit for an expected state is `bound` seconds; a step without a limit
    /// stays as it is.
    func waiting(atMost bound: Double) -> HostSleepStep {
        switch self {
        case .expectHalted: .expectHalted(within: bound)
        case .expectAsleep: .expectAsleep(within: bound)
        case .expectAwake(let cause, _): .expectAwake(cause, within: bound)
        case .expectRestart: .expectRestart(within: bound)
        case .expectReason(let word, _): .expectReason(word, within: bound)
        case .fit, .skipSleep, .loseAlarm, .cutPower, .carry, .setClock, .fault, .expectSoundDisk: self
        }
    }
}

extension Step {
    /// Whether this step puts a host switch on the board.
    var fitsSwitch: Bool { if case .hostSleep(.fit) = self { true } else { false } }
}

extension StepPattern {
    static let hostSleep: [StepPattern] = [
        StepPattern(
            "switch <model>",
            "a switch of the board's supply is on its bus, and in the board's file: "
                + FittedSwitch.allCases.map(\.rawValue).joined(separator: ", ")
        ) { FittedSwitch(rawValue: $0[0]).map { .hostSleep(.fit($0)) } },
        StepPattern("jump to alarm", "lets time pass at once until the switch starts the guest, for 28 days at most") {
            _ in .hostSleep(.skipSleep)
        },
        StepPattern("lose alarm", "the switch forgets its alarm, as after another program's write") { _ in
            .hostSleep(.loseAlarm)
        },
        StepPattern("cut power", "the guest ends at once, and starts when its switch supplies it again") { _ in
            .hostSleep(.cutPower)
        },
        StepPattern(
            "carry receiver <metres> m east",
            "it rests so far from where it was at first, with orbits of ten minutes ago"
        ) { StepValue.number($0[0]).map { .hostSleep(.carry(metresEast: $0)) } },
        StepPattern("switch clock <date>", "the switch's clock shows midnight UTC of YYYY-MM-DD") {
            StepValue.date($0[0]).map { .hostSleep(.setClock(unixSeconds: $0)) }
        },
        StepPattern(
            "switch register <number> <fault>",
            "what is wrong with a register of the switch, 0xB9: none, "
                + EmulatedHostSwitch.Fault.allCases.map(\.rawValue).joined(separator: ", ")
        ) { values in
            let fault = EmulatedHostSwitch.Fault(rawValue: values[1])
            guard fault != nil || values[1] == "none" else { return nil }
            return StepValue.register(values[0]).map { .hostSleep(.fault(register: $0, fault)) }
        },
        StepPattern("expect halted within <seconds> s", "the guest has switched itself off, or its supply is cut") {
            StepValue.number($0[0]).map { .hostSleep(.expectHalted(within: $0)) }
        },
        StepPattern("expect asleep within <seconds> s", "the switch has cut the guest's supply") {
            StepValue.number($0[0]).map { .hostSleep(.expectAsleep(within: $0)) }
        },
        StepPattern(
            "expect awake by <cause> within <seconds> s",
            "the switch has started the guest, whose system serves: "
                + WakeCause.allCases.map(\.rawValue).joined(separator: ", ")
        ) { values in
            guard let cause = WakeCause(rawValue: values[0]), let time = StepValue.number(values[1]) else { return nil }
            return .hostSleep(.expectAwake(cause, within: time))
        },
        StepPattern("expect restart within <seconds> s", "the guest restarts by itself, without a cut of its supply") {
            StepValue.number($0[0]).map { .hostSleep(.expectRestart(within: $0)) }
        },
        StepPattern(
            "expect sound disk", "e2fsck finds nothing on the disk of a guest that is off, once its journal is replayed"
        ) { _ in .hostSleep(.expectSoundDisk) },
        StepPattern("expect host reason <word> within <seconds> s", "why the host stays on, in the daemon's status") {
            values in
            StepValue.number(values[1]).map { .hostSleep(.expectReason(values[0], within: $0)) }
        },
    ]
}

extension StepValue {
    static func register(_ text: String) -> UInt8? {
        text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : nil
    }
}
