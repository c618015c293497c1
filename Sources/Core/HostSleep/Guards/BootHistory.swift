/// The record of the host's last boots and the conclusions from them; at a boot, it is stored before anything else.
///
/// Only the newest `capacity` boots are kept.
public struct BootHistory: Sendable, Equatable {
    /// The largest number of boots that are kept.
    public static let capacity = 32

    /// The last boots, the newest last.
    public internal(set) var boots: [BootRecord] = []
    /// The number of times that the loop guard, which keeps the host on after boots in a loop, was triggered; after
    /// five boots that served clients it is 0 again.
    var loops = 0
    /// Seconds after the newest boot for which the loop guard keeps the host on.
    var loopLeft = 0.0
    /// The number of boots in which clients were served, since the loop guard was last triggered.
    var servedInRow = 0
    /// The number of alarms that woke the host since an alarm last failed to; it counts no further than 5 (`trust`).
    var alarmsInRow = BootHistory.trust
    /// The reason why the host does not sleep until the owner allows it again; nil where there is none.
    public internal(set) var barred: StayAwakeReason?
    /// The number of times that wake-ups by motion were disabled; set back to 0 by a boot by motion in which the board
    /// moved at least 20 m.
    var restlessLevel = 0
    /// Seconds after the newest boot for which motion is not allowed to wake the host.
    var restlessLeft = 0.0
    /// The number of sleeps since the switch's clock last differed too much from the first fix's time, up to 5
    /// (`trust`).
    var clocksInRow = BootHistory.trust
    /// For each of the last boots by an alarm, the seconds from the alarm until clients were served; the newest last.
    var bootSeconds: [Double] = []
    /// The number of test sleeps in a row from which the switch woke the host; `hasRebooted` tells whether the board
    /// has been rebooted since the first of them.
    var trials = 0
    var hasRebooted = false
    /// A number that identifies the board, the kernel and the switch with which the switch was tested.
    var fingerprint: UInt32 = 0
    /// Whether board, kernel and switch were identified in this boot; not stored.
    private var isIdentified = true

    /// The number of good alarms, clock comparisons or boots after which these are trusted again after a bad one.
    static let trust = 5
    /// The number of test sleeps from which the switch must wake the host before the host sleeps otherwise.
    static let trialsNeeded = 3
    /// The longest sleep in seconds that is allowed while the switch's alarm or clock is not trusted.
    static let cautious = 1800.0
    private static let day = 86_400.0
    private static let hour = 3600.0
    static let bootsLearned = 16
    /// Seconds from the alarm until clients are served, before any boot was measured: what a Raspberry Pi Zero 2 W with
    /// Debian takes, of which 12 s are measured (kittenlabs.de, 2024-09-01) and the rest assumed.
    static let assumedBoot = 25.0

    public init() {}

    /// The seconds from an alarm within which nine of ten boots serve clients.
    public var boot: Double {
        guard !bootSeconds.isEmpty else { return BootHistory.assumedBoot }
        let sorted = bootSeconds.sorted()
        return sorted[(sorted.count * 9 - 1) / 10]
    }

    /// Whether the switch was tested: it woke the host from three test sleeps, and the host came back from a reboot.
    public var isTried: Bool { trials >= BootHistory.trialsNeeded && hasRebooted && isIdentified }

    /// Whether motion is allowed to wake the host once `seconds` have passed since the newest boot.
    func motionMayWake(after seconds: Double) -> Bool { restlessLeft <= seconds }

    /// `longest` in seconds, but at most 30 minutes while the switch's alarm or clock is not trusted.
    func longest(_ longest: Double) -> Double {
        let isDoubted = alarmsInRow < BootHistory.trust || clocksInRow < BootHistory.trust
        return isDoubted ? min(longest, BootHistory.cautious) : longest
    }

    /// The number of boots in the last day whose cause is not known.
    var unknownToday: Int { count(within: BootHistory.day) { $0.wake.cause == .unknown } }

    /// Marks the power switch as tested, for a simulation.
    public mutating func countAsTried() { (trials, hasRebooted) = (BootHistory.trialsNeeded, true) }

    // MARK: What happens

    /// Takes note of a new boot, and judges at once if boots, alarms or motion show a fault that must keep the host on.
    ///
    /// This is `countBoot` in the Promela model hostsleep.pml.
    ///
    /// - Parameter fingerprint: A number that identifies the present board, kernel and switch; tests of the switch with
    ///   another number do not count. 0 if the switch did not answer.
    mutating func began(_ boot: BootRecord, fingerprint: UInt32) {
        // A switch that did not answer has no fingerprint (0), but that does not void its earlier tests.
        isIdentified = fingerprint != 0 || self.fingerprint == 0
        if isIdentified, fingerprint != self.fingerprint {
            (trials, hasRebooted, self.fingerprint) = (0, false, fingerprint)
        }
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

    /// Takes note that clients are served; `seconds` is the time since the alarm, nil where no alarm woke the host.
    mutating func served(after seconds: Double?) {
        guard let last = boots.indices.last, !boots[last].served else { return }
        boots[last].served = true
        // A clock that went back since the alarm gives a negative time, which the stored form cannot hold.
        if let seconds, seconds >= 0 {
            bootSeconds.append(seconds)
            if bootSeconds.count > BootHistory.bootsLearned { bootSeconds.removeFirst() }
        }
        servedInRow += 1
        if servedInRow >= BootHistory.trust { loops = 0 }
    }

    /// Takes note of the metres from the last location before the sleep to the first one of this boot.
    mutating func travelled(_ metres: Double) {
        guard let last = boots.indices.last, boots[last].travelled == nil else { return }
        boots[last].travelled = metres
        if boots[last].wake.cause == .motion, !boots[last].wasRestless { restlessLevel = 0 }
    }

    /// Takes note that the switch's clock and the first fix's time differed by `apart` seconds after a sleep.
    mutating func compared(apart: Double, after slept: Double) {
        // The clocks agree if they differ by at most 5 s plus 50 ppm of the sleep, the drift of a crystal.
        clocksInRow = abs(apart) <= 5 + 50e-6 * slept ? min(clocksInRow + 1, BootHistory.trust) : 0
    }

    /// Takes note that the host goes to sleep after this many seconds awake.
    mutating func ends(after seconds: Double) {
        guard let last = boots.indices.last else { return }
        boots[last].awake = seconds
        judgeRest()
    }

    /// Takes note that the owner allows the host to sleep again.
    mutating func allow() {
        barred = nil
        loopLeft = 0
        loops = 0
    }

    // MARK: Guards

    /// Triggers the loop guard after three boots in a row that served no client, or after three sleeps in a row that
    /// ended within 120 s by neither alarm nor motion.
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
        // The boots that triggered the loop guard are dropped, so that they do not trigger it again.
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

    /// Disables wake-ups by motion for 1 to 24 h after more than six futile ones within an hour; if they were disabled
    /// before, after more than one.
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

    /// The number of boots within the last `seconds` for which `isSo` holds.
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
