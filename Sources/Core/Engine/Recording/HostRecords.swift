public import HostSleep
public import SextantUnits

/// How a flight recording stores host sleep, little-endian; where a value is absent, its flag is not set.
extension HostSleepConfiguration: Recorded {
    public static var blank: HostSleepConfiguration {
        HostSleepConfiguration(HostSleepSettings(), traits: nil, hasMotionWake: false, breakEven: nil)
    }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var flags: InlineArray<8, Bool> = [
            settings.isAllowed, settings.onlyWhenAsked, settings.sleepsOnExternalPower, settings.withoutBackstop,
            settings.afterPowerOff == .wake, hasMotionWake, traits != nil, breakEven != nil,
        ]
        try record.code(&flags)
        (settings.isAllowed, settings.onlyWhenAsked) = (flags[0], flags[1])
        (settings.sleepsOnExternalPower, settings.withoutBackstop) = (flags[2], flags[3])
        settings.afterPowerOff = flags[4] ? .wake : .stayOff
        hasMotionWake = flags[5]
        try record.code(&settings.floor)
        try record.code(&settings.longest)
        try record.code(&settings.maintenance)
        try record.code(&settings.lowPercent)
        try record.code(&settings.criticalPercent)
        try record.code(&breakEven, where: flags[7])
        try record.code(&traits, where: flags[6])
        try record.code(&costs, where: traits != nil && record.hasMore(costs != nil))
    }
}

extension HostSwitchTraits: Recorded {
    public static var blank: HostSwitchTraits {
        HostSwitchTraits(
            horizon: 0, backstop: nil, tellsCause: false, proof: .request, cutTrigger: .command, cutDelay: 0)
    }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var flags: InlineArray<5, Bool> = [
            backstop != nil, tellsCause, proof == .chip, cutTrigger == .pulse, cutTrigger == .halt,
        ]
        try record.code(&flags)
        tellsCause = flags[1]
        proof = flags[2] ? .chip : .request
        cutTrigger = flags[3] ? .pulse : flags[4] ? .halt : .command
        try record.code(&horizon)
        try record.code(&cutDelay, as: Int32.self)
        try record.code(&backstop, where: flags[0])
    }
}

extension HostSwitchTraits.Backstop: Recorded {
    public static var blank: HostSwitchTraits.Backstop { HostSwitchTraits.Backstop(unit: 0, most: 0) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&unit)
        try record.code(&most, as: Int32.self)
    }
}

extension HostSleepCosts: Recorded {
    public static var blank: HostSleepCosts {
        let host = HostCosts(
            bootSeconds: 0, bootJoules: 0, stopSeconds: 0, stopMilliwatts: 0, haltedMilliwatts: 0, idleMilliwatts: 0)
        return HostSleepCosts(host, offMilliwatts: 0, areMeasured: false)
    }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&areMeasured)
        try record.code(&host.bootSeconds)
        try record.code(&host.bootJoules)
        try record.code(&host.stopSeconds)
        try record.code(&host.stopMilliwatts)
        try record.code(&host.haltedMilliwatts)
        try record.code(&host.idleMilliwatts)
        try record.code(&offMilliwatts)
    }
}

extension HostReport: Recorded {
    private enum Kind: UInt8 {
        case woke, battery, inspected, armed, powerOffAnswered, notCleared
    }

    private var kind: Kind {
        switch self {
        case .woke: .woke
        case .battery: .battery
        case .inspected: .inspected
        case .armed: .armed
        case .powerOffAnswered: .powerOffAnswered
        case .notCleared: .notCleared
        }
    }

    public static var blank: HostReport { .notCleared }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var kind = kind
        try record.code(&kind)
        switch kind {
        case .woke:
            var report = (wake: HostWake(.unknown, isRead: false), clock: UTCInstant?.none, fingerprint: UInt32(0))
            if case .woke(let wake, let clock, let fingerprint) = self { report = (wake, clock, fingerprint) }
            try record.code(index: &report.wake.cause)
            var flags: InlineArray<2, Bool> = [report.wake.isRead, report.clock != nil]
            try record.code(&flags)
            report.wake.isRead = flags[0]
            try record.code(&report.fingerprint)
            try record.code(&report.clock, where: flags[1])
            self = .woke(report.wake, clock: report.clock, fingerprint: report.fingerprint)
        case .battery:
            var percent: Double? = if case .battery(let percent) = self { percent } else { nil }
            var isKnown = percent != nil
            try record.code(&isKnown)
            try record.code(&percent, where: isKnown)
            self = .battery(percent)
        case .inspected:
            var inspection = if case .inspected(let inspection) = self { inspection } else { HostInspection() }
            try inspection.code(&record)
            self = .inspected(inspection)
        case .armed:
            var (reading, wall): (SwitchReading?, UTCInstant) =
                if case .armed(let reading, let wall) = self { (reading, wall) } else { (nil, .blank) }
            try wall.code(&record)
            try record.code(&reading, where: record.hasMore(reading != nil))
            self = .armed(reading, wall: wall)
        case .powerOffAnswered:
            var isAccepted = if case .powerOffAnswered(true) = self { true } else { false }
            try record.code(&isAccepted)
            self = .powerOffAnswered(isAccepted: isAccepted)
        case .notCleared: self = .notCleared
        }
    }
}

extension HostInspection: Recorded {
    public static var blank: HostInspection { HostInspection() }

    /// Reads or writes the state of the host: flags that say what is known, then the numbers that are known.
    ///
    /// The first 8 flags say which of seven yes-or-no answers, and the battery level, are known. The next 8 say which
    /// of the answers are yes, and whether the wall clock is known. One more says whether the power switch's clock is
    /// known.
    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        let answers = [
            isInhibited, hasSession, hasSecondMaster, isPackageManagerBusy, isStoreSound, isStayAwakeFileThere,
            hasExternalPower,
        ]
        var known = InlineArray<8, Bool> { $0 < 7 ? answers[$0] != nil : batteryPercent != nil }
        var isYes = InlineArray<8, Bool> { $0 < 7 ? answers[$0] == true : wall != nil }
        var hasSwitchClock = switchClock != nil
        try record.code(&known)
        try record.code(&isYes)
        try record.code(&hasSwitchClock)
        isInhibited = known[0] ? isYes[0] : nil
        hasSession = known[1] ? isYes[1] : nil
        hasSecondMaster = known[2] ? isYes[2] : nil
        isPackageManagerBusy = known[3] ? isYes[3] : nil
        isStoreSound = known[4] ? isYes[4] : nil
        isStayAwakeFileThere = known[5] ? isYes[5] : nil
        hasExternalPower = known[6] ? isYes[6] : nil
        try record.code(&batteryPercent, where: known[7])
        try record.code(&wall, where: isYes[7])
        try record.code(&switchClock, where: hasSwitchClock)
    }
}

extension SwitchOrder {
    /// The bytes that stand for this order to the power switch in the output digest.
    func encode() -> [UInt8] {
        SwitchReading(clock: nil, alarm: alarm, backstop: backstop, byMotion: byMotion).encode()
    }
}

extension SwitchReading: Recorded {
    public static var blank: SwitchReading { SwitchReading(clock: nil, alarm: nil, backstop: nil, byMotion: false) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var flags: InlineArray<4, Bool> = [clock != nil, alarm != nil, backstop != nil, byMotion]
        try record.code(&flags)
        byMotion = flags[3]
        try record.code(&clock, where: flags[0])
        try record.code(&alarm, where: flags[1])
        try record.code(&backstop, where: flags[2])
    }
}
