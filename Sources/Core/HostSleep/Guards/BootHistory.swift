/// The last boots and what follows from them, over all boots: it is stored before anything else.
///
/// Of all that grows it keeps the newest `capacity` boots.
public struct BootHistory: Sendable, Equatable {
    /// The most boots that are kept.
    public static let capacity = 32

    /// The last boots, the newest last.
    public internal(set) var boots: [BootRecord] = []
    /// How often the loop guard shut since it last went well.
    var loops = 0
    /// Seconds for which the loop guard still keeps the host on.
    var loopLeft = 0.0
    /// Boots in a row that served, since the loop guard shut.
    var servedInRow = 0
    /// Sleeps in a row from which the alarm woke the host.
    var alarmsInRow = BootHistory.trust
    /// Whether the owner must allow it again.
    public internal(set) var barred: StayAwakeReason?
    /// How often motion was left out since it last was worth a boot.
    var restlessLevel = 0
    /// Seconds for which motion still does not wake the host.
    var restlessLeft = 0.0
    /// Sleeps in a row over which the switch's clock agreed with the first fix.
    var clocksInRow = BootHistory.trust
    /// Seconds from the alarm until clients were served, the newest last.
    var bootSeconds: [Double] = []
    /// Trials of the switch that went well, and whether the board was rebooted among them.
    var trials = 0
    var hasRebooted = false
    /// The board, kernel and switch that the trials were of, as a number.
    var fingerprint: UInt32 = 0

    /// How many must have gone well before they are trusted again.
    static let trust = 5
    /// The trials that must go well.
    static let trialsNeeded = 3
    /// The longest sleep until then; seconds.
    static let cautious = 1800.0
    private static let day = 86_400.0
    private static let hour = 3600.0
    static let bootsLearned = 16
    /// Seconds from the alarm until clients are served, where nothing was learned: what a Zero 2 W with Debian takes,
    /// of which 12 s are measured (kittenlabs.de, 2024-09-01) and the rest assumed.
    static let assumedBoot = 25.0

    public init() {}

    /// The seconds from an alarm until clients are served, which nine of ten boots keep.
    public var boot: Double {
        guard !bootSeconds.isEmpty else { return BootHistory.assumedBoot }
        let sorted = bootSeconds.sorted()
        return sorted[(sorted.count * 9 - 1) / 10]
    }

    /// Whether the switch was tried out: it let the host sleep and woke it, and the host came back from a reboot.
    public var isTried: Bool { trials >= BootHistory.trialsNeeded && hasRebooted }

    /// Whether motion may wake the host.
    public var motionMayWake: Bool { restlessLeft <= 0 }

    /// The longest sleep that is dared; seconds.
    func longest(_ longest: Double) -> Double {
        let isDoubted = alarmsInRow < BootHistory.trust || clocksInRow < BootHistory.trust
        return isDoubted ? min(longest, BootHistory.cautious) : longest
    }

    /// How many of the boots of the last day had a cause that nobody knows.
    var unknownToday: Int { count(within: BootHistory.day) { $0.wake.cause == .unknown } }

    /// Takes the switch for one that was tried out, as a simulation may.
    public mutating func countAsTried() { (trials, hasRebooted) = (BootHistory.trialsNeeded, true) }

    // MARK: What happens

    /// A boot begins; what it means for the guards is settled at once.
    ///
    /// This is `countBoot` in the model hostsleep.pml.
    ///
    /// - Parameter fingerprint: What the trials before must have been made with.
    mutating func began(_ boot: BootRecord, fingerprint: UInt32) {
        if fingerprint != self.fingerprint { (trials, hasRebooted, self.fingerprint) = (0, false, fingerprint) }
        if boot.wasTrial {
            trials = boot.missedAlarm || boot.wake.cause != .alarm ? 0 : trials + 1
        } else if !boot.wasAsleep, trials > 0 {
            hasRebooted = true
        }
        pass(boots.last?.awake ?? 0)
        pass(boot.slept)
        boots.append(boot)
        if boots.count > BootHistory.capacity { boots.removeFirst() }
        judgeLoops()
        judgeAlarm(boot)
    }

    /// The daemon serves its clients.
    mutating func served(after seconds: Double?) {
        guard let last = boots.indices.last, !boots[last].served else { return }
        boots[last].served = true
        if let seconds {
            bootSeconds.append(seconds)
            if bootSeconds.count > BootHistory.bootsLearned { bootSeconds.removeFirst() }
        }
        servedInRow += 1
        if servedInRow >= BootHistory.trust { loops = 0 }
    }

    /// The first location of a boot is known, so many metres from the last one before.
    mutating func travelled(_ metres: Double) {
        guard let last = boots.indices.last, boots[last].travelled == nil else { return }
        boots[last].travelled = metres
        if boots[last].wake.cause == .motion, !boots[last].wasRestless { restlessLevel = 0 }
    }

    /// The switch's clock was this many seconds from the first fix's time after a sleep.
    mutating func compared(apart: Double, after slept: Double) {
        // 5 s, and a crystal's 50 ppm.
        clocksInRow = abs(apart) <= 5 + 50e-6 * slept ? min(clocksInRow + 1, BootHistory.trust) : 0
    }

    /// The host goes to sleep after this many seconds.
    mutating func ends(after seconds: Double) {
        guard let last = boots.indices.last else { return }
        boots[last].awake = seconds
        judgeRest()
    }

    /// The owner allows it again.
    mutating func allow() {
        barred = nil
        loopLeft = 0
        loops = 0
    }

    // MARK: Guards

    /// Three boots that did not serve, or three sleeps that ended within 120 s and not by the alarm.
    private mutating func judgeLoops() {
        let before = boots.dropLast().suffix(3)
        let areUnserved = before.count == 3 && before.allSatisfy { !$0.served }
        let latest = boots.suffix(3)
        let areShort =
            latest.count == 3 && latest.allSatisfy { $0.wasAsleep && $0.slept < 120 && !$0.wasCalled }
        guard areUnserved || areShort, loopLeft <= 0 else { return }
        loops += 1
        servedInRow = 0
        loopLeft = min(BootHistory.hour * Double(1 << min(loops - 1, 5)), BootHistory.day)
        // The boots that shut the guard are not counted again.
        boots = [boots[boots.count - 1]]
    }

    private mutating func judgeAlarm(_ boot: BootRecord) {
        guard boot.wasAsleep else { return }
        guard boot.missedAlarm else {
            if boot.wake.cause == .alarm { alarmsInRow = min(alarmsInRow + 1, BootHistory.trust) }
            return
        }
        let before = boots.dropLast().last { $0.wasAsleep && ($0.wake.cause == .alarm || $0.missedAlarm) }
        if before?.missedAlarm == true { barred = .missedAlarms }
        alarmsInRow = 0
    }

    /// More than six boots by motion in an hour that led nowhere; once that was so, two.
    private mutating func judgeRest() {
        guard restlessLeft <= 0 else { return }
        let restless = count(within: BootHistory.hour) { $0.wasRestless }
        guard restless > (restlessLevel == 0 ? 6 : 1) else { return }
        restlessLeft = min(BootHistory.hour * Double(1 << min(restlessLevel, 5)), BootHistory.day)
        restlessLevel += 1
    }

    private mutating func pass(_ seconds: Double) {
        loopLeft = max(0, loopLeft - seconds)
        restlessLeft = max(0, restlessLeft - seconds)
    }

    /// How many of the newest boots, as far back as this many seconds, are so.
    private func count(within seconds: Double, where isSo: (BootRecord) -> Bool) -> Int {
        var (left, count) = (seconds, 0)
        for boot in boots.reversed() {
            guard left >= 0 else { break }
            if isSo(boot) { count += 1 }
            left -= boot.slept + boot.awake
        }
        return count
    }
}
