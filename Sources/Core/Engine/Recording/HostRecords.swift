internal import HostSleep
internal import SextantUnits

/// How a recording stores what is known of the host's sleep, little-endian; an absent value is a flag without the bit.
extension HostSleepConfiguration {
    var record: [UInt8] {
        var record = RecordWriter()
        record.write(
            flags: [
                settings.isAllowed, settings.onlyWhenAsked, settings.sleepsOnExternalPower, settings.withoutBackstop,
                settings.afterPowerOff == .wake, hasMotionWake, traits != nil, breakEven != nil,
            ])
        for number in [
            settings.floor, settings.longest, settings.maintenance, settings.lowPercent, settings.criticalPercent,
        ] { record.write(number) }
        if let breakEven { record.write(breakEven) }
        guard let traits else { return record.bytes }
        record.write(
            flags: [
                traits.backstop != nil, traits.tellsCause, traits.proof == .chip, traits.cutTrigger == .pulse,
                traits.cutTrigger == .halt,
            ])
        record.write(traits.horizon)
        record.write(Int32(clamping: traits.cutDelay))
        if let backstop = traits.backstop {
            record.write(backstop.unit)
            record.write(Int32(clamping: backstop.most))
        }
        if let costs {
            let host = costs.host
            record.write(flags: [costs.areMeasured])
            for number in [
                host.bootSeconds, host.bootJoules, host.stopSeconds, host.stopMilliwatts, host.haltedMilliwatts,
                host.idleMilliwatts, costs.offMilliwatts,
            ] { record.write(number) }
        }
        return record.bytes
    }

    init?(_ bytes: Span<UInt8>) {
        var record = RecordReader(bytes)
        guard let flags = record.flags() else { return nil }
        var settings = HostSleepSettings()
        settings.isAllowed = flags[0]
        settings.onlyWhenAsked = flags[1]
        settings.sleepsOnExternalPower = flags[2]
        settings.withoutBackstop = flags[3]
        settings.afterPowerOff = flags[4] ? .wake : .stayOff
        guard let floor = record.double(), let longest = record.double(), let maintenance = record.double(),
            let low = record.double(), let critical = record.double()
        else { return nil }
        (settings.floor, settings.longest, settings.maintenance) = (floor, longest, maintenance)
        (settings.lowPercent, settings.criticalPercent) = (low, critical)
        self.init(settings, traits: nil, hasMotionWake: flags[5], breakEven: nil)
        if flags[7] {
            guard let breakEven = record.double() else { return nil }
            self.breakEven = breakEven
        }
        if flags[6] {
            guard let kind = record.flags(), let horizon = record.double(), let cutDelay = record.integer(Int32.self)
            else {
                return nil
            }
            var backstop: HostSwitchTraits.Backstop?
            if kind[0] {
                guard let unit = record.double(), let most = record.integer(Int32.self) else { return nil }
                backstop = HostSwitchTraits.Backstop(unit: unit, most: Int(most))
            }
            traits = HostSwitchTraits(
                horizon: horizon, backstop: backstop, tellsCause: kind[1], proof: kind[2] ? .chip : .request,
                cutTrigger: kind[3] ? .pulse : kind[4] ? .halt : .command, cutDelay: Int(cutDelay))
            if !record.isAtEnd {
                guard let flags = record.flags(), let bootSeconds = record.double(), let bootJoules = record.double(),
                    let stopSeconds = record.double(), let stop = record.double(), let halted = record.double(),
                    let idle = record.double(), let off = record.double()
                else { return nil }
                let host = HostCosts(
                    bootSeconds: bootSeconds, bootJoules: bootJoules, stopSeconds: stopSeconds, stopMilliwatts: stop,
                    haltedMilliwatts: halted, idleMilliwatts: idle)
                costs = HostSleepCosts(host, offMilliwatts: off, areMeasured: flags[0])
            }
        }
        guard record.isAtEnd else { return nil }
    }
}

extension HostReport {
    private enum Kind: UInt8 {
        case woke, battery, inspected, armed, powerOffAnswered, notCleared
    }

    var record: [UInt8] {
        var record = RecordWriter()
        switch self {
        case .woke(let wake, let clock, let fingerprint):
            record.write(Kind.woke.rawValue)
            record.write(UInt8(WakeCause.allCases.firstIndex(of: wake.cause) ?? 0))
            record.write(flags: [wake.isRead, clock != nil])
            record.write(fingerprint)
            if let clock { record.write(clock.nanoseconds) }
        case .notCleared: record.write(Kind.notCleared.rawValue)
        case .battery(let percent):
            record.write(Kind.battery.rawValue)
            record.write(flags: [percent != nil])
            if let percent { record.write(percent) }
        case .inspected(let inspection):
            record.write(Kind.inspected.rawValue)
            inspection.write(to: &record)
        case .armed(let reading, let wall):
            record.write(Kind.armed.rawValue)
            record.write(wall.nanoseconds)
            reading?.write(to: &record)
        case .powerOffAnswered(let isAccepted):
            record.write(Kind.powerOffAnswered.rawValue)
            record.write(flags: [isAccepted])
        }
        return record.bytes
    }

    init?(_ bytes: Span<UInt8>) {
        var record = RecordReader(bytes)
        guard let kind = record.integer(UInt8.self).flatMap({ Kind(rawValue: $0) }) else { return nil }
        switch kind {
        case .woke:
            guard let cause = record.integer(UInt8.self), Int(cause) < WakeCause.allCases.count,
                let flags = record.flags(), let fingerprint = record.integer(UInt32.self)
            else { return nil }
            var clock: UTCInstant?
            if flags[1] {
                guard let time = record.instant() else { return nil }
                clock = time
            }
            let wake = HostWake(WakeCause.allCases[Int(cause)], isRead: flags[0])
            self = .woke(wake, clock: clock, fingerprint: fingerprint)
        case .notCleared: self = .notCleared
        case .powerOffAnswered:
            guard let flags = record.flags() else { return nil }
            self = .powerOffAnswered(isAccepted: flags[0])
        case .battery:
            guard let flags = record.flags() else { return nil }
            var percent: Double?
            if flags[0] {
                guard let value = record.double() else { return nil }
                percent = value
            }
            self = .battery(percent)
        case .inspected:
            guard let inspection = HostInspection(from: &record) else { return nil }
            self = .inspected(inspection)
        case .armed:
            guard let wall = record.instant() else { return nil }
            guard !record.isAtEnd else {
                self = .armed(nil, wall: wall)
                return
            }
            guard let reading = SwitchReading(from: &record) else { return nil }
            self = .armed(reading, wall: wall)
        }
        guard record.isAtEnd else { return nil }
    }
}

extension HostInspection {
    private var answers: [Bool?] {
        [
            isInhibited, hasSession, hasSecondMaster, isPackageManagerBusy, isStoreSound, isStayAwakeFileThere,
            hasExternalPower,
        ]
    }

    fileprivate func write(to record: inout RecordWriter) {
        record.write(flags: answers.map { $0 != nil } + [batteryPercent != nil])
        record.write(flags: answers.map { $0 == true } + [wall != nil])
        record.write(flags: [switchClock != nil])
        if let batteryPercent { record.write(batteryPercent) }
        if let wall { record.write(wall.nanoseconds) }
        if let switchClock { record.write(switchClock.nanoseconds) }
    }

    fileprivate init?(from record: inout RecordReader) {
        guard let known = record.flags(), let values = record.flags(), let more = record.flags() else { return nil }
        func answer(_ place: Int) -> Bool? { known[place] ? values[place] : nil }
        self.init()
        isInhibited = answer(0)
        hasSession = answer(1)
        hasSecondMaster = answer(2)
        isPackageManagerBusy = answer(3)
        isStoreSound = answer(4)
        isStayAwakeFileThere = answer(5)
        hasExternalPower = answer(6)
        if known[7] {
            guard let percent = record.double() else { return nil }
            batteryPercent = percent
        }
        if values[7] {
            guard let time = record.instant() else { return nil }
            wall = time
        }
        if more[0] {
            guard let time = record.instant() else { return nil }
            switchClock = time
        }
    }
}

extension SwitchOrder {
    /// The record in a digest.
    var record: [UInt8] {
        var record = RecordWriter()
        SwitchReading(clock: nil, alarm: alarm, backstop: backstop, byMotion: byMotion).write(to: &record)
        return record.bytes
    }
}

extension SwitchReading {
    fileprivate func write(to record: inout RecordWriter) {
        record.write(flags: [clock != nil, alarm != nil, backstop != nil, byMotion])
        if let clock { record.write(clock.nanoseconds) }
        if let alarm { record.write(alarm.nanoseconds) }
        if let backstop { record.write(backstop) }
    }

    fileprivate init?(from record: inout RecordReader) {
        guard let flags = record.flags() else { return nil }
        self.init(clock: nil, alarm: nil, backstop: nil, byMotion: flags[3])
        if flags[0] {
            guard let time = record.instant() else { return nil }
            clock = time
        }
        if flags[1] {
            guard let time = record.instant() else { return nil }
            alarm = time
        }
        if flags[2] {
            guard let seconds = record.double() else { return nil }
            backstop = seconds
        }
    }
}

extension RecordWriter {
    /// Writes up to eight answers in one byte.
    fileprivate mutating func write(flags: [Bool]) {
        write(flags.enumerated().reduce(UInt8(0)) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 })
    }
}

extension RecordReader {
    fileprivate mutating func flags() -> [Bool]? {
        integer(UInt8.self).map { byte in (0..<8).map { byte & 1 << $0 != 0 } }
    }

    fileprivate mutating func instant() -> UTCInstant? { integer(Int64.self).map { UTCInstant(nanoseconds: $0) } }
}
