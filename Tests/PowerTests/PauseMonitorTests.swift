import GNSS
import Power
import SextantUnits
import Testing

/// A monitor that is driven by literal seconds and metres.
private struct Drive {
    var monitor: PauseMonitor
    var outcomes: [(second: Int, outcome: PauseOutcome)] = []

    init(_ activity: ActivityType, accuracy: Double = 0) {
        monitor = PauseMonitor(activity: activity, accuracy: accuracy, at: Drive.at(0))
    }

    static func at(_ second: Int) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(second) * 1_000_000_000) }

    /// A fix so many metres north of 47° N 8° E.
    static func fix(
        _ metres: Double, accuracy: Double? = 3, speed: Double? = nil, height: Double? = nil
    ) -> Fix {
        var fix = Fix()
        fix.type = .threeD
        fix.latitude = 47 + metres / 111_195.08
        fix.longitude = 8
        fix.horizontalAccuracy = accuracy
        fix.speed = speed
        fix.heightAboveEllipsoid = height
        return fix
    }

    @discardableResult
    mutating func give(_ event: PauseEvent, at second: Int) -> PauseOutcome? {
        let outcome = monitor.handle(event, at: Drive.at(second))
        if let outcome { outcomes.append((second, outcome)) }
        return outcome
    }

    /// A fix a second, at `metres(second)`.
    mutating func give(_ seconds: ClosedRange<Int>, metres: (Int) -> Double) {
        for second in seconds { give(.fix(Drive.fix(metres(second))), at: second) }
    }

    var deadline: Int? { monitor.deadline.map { Int($0.nanoseconds / 1_000_000_000) } }
}

@Suite("Pause monitor")
struct PauseMonitorTests {
    @Test(arguments: [
        (activity: ActivityType.fitness, minutes: 5), (activity: .automotiveNavigation, minutes: 10),
        (activity: .otherNavigation, minutes: 15), (activity: .other, minutes: 15),
    ])
    func `without an accelerometer it pauses after the activity's time at one place`(
        activity: ActivityType, minutes: Int
    ) {
        var drive = Drive(activity)
        drive.give(1...(minutes * 60 + 60)) { Double($0 % 5) }
        #expect(drive.outcomes.map(\.outcome) == [.didPause(.still)])
        #expect(drive.outcomes.map(\.second) == [minutes * 60 + 1])
        #expect(drive.monitor.isPaused && drive.monitor.state == .paused)
    }

    @Test func `a board that creeps slowly is never paused`() {
        var drive = Drive(.other)
        // 15 cm/s: 135 m in a quarter of an hour.
        drive.give(1...7200) { Double($0) * 0.15 }
        #expect(drive.outcomes.isEmpty)
    }

    @Test func `a car that covers 100 m a minute with stops is never paused`() {
        var drive = Drive(.automotiveNavigation)
        drive.give(1...7200) { Double($0 / 60) * 100 }
        #expect(drive.outcomes.isEmpty)
    }

    @Test func `a traffic jam of 9 minutes does not pause a car, one of 11 minutes does`() {
        var drive = Drive(.automotiveNavigation)
        drive.give(1...120) { Double($0) * 15 }
        drive.give(121...660) { _ in 1800 }
        drive.give(661...780) { 1800 + Double($0 - 660) * 15 }
        #expect(drive.outcomes.isEmpty)
        drive.give(781...1440) { _ in 3600 }
        #expect(drive.outcomes.map(\.outcome) == [.didPause(.still)])
    }

    @Test func `a runner on a short track is not paused`() {
        var drive = Drive(.fitness)
        drive.give(1...3600) { abs(Double($0 % 100) - 50) * 4 }
        #expect(drive.outcomes.isEmpty)
    }

    @Test func `one wild fix does not make a still board move`() {
        var drive = Drive(.other)
        drive.give(1...920) { $0 == 450 ? 900 : 0 }
        #expect(drive.outcomes.map(\.second) == [901])
    }

    @Test(arguments: [
        (activity: ActivityType.fitness, minutes: 3), (activity: .automotiveNavigation, minutes: 10),
        (activity: .other, minutes: 15),
    ])
    func `with a quiet accelerometer it pauses after the activity's time without a further fix`(
        activity: ActivityType, minutes: Int
    ) {
        var drive = Drive(activity)
        drive.give(.fix(Drive.fix(0)), at: 1)
        drive.give(.receiver(isOn: false), at: 2)
        drive.give(.motion(false), at: 10)
        #expect(drive.deadline == 10 + minutes * 60)
        drive.give(.timePassed, at: 9 + minutes * 60)
        #expect(!drive.monitor.isPaused)
        drive.give(.timePassed, at: 10 + minutes * 60)
        #expect(drive.outcomes.map(\.outcome) == [.didPause(.still)])
    }

    @Test func `fitness does not pause while the accelerometer reports motion, even at one place`() {
        var drive = Drive(.fitness)
        drive.give(.motion(true), at: 0)
        drive.give(1...1800) { _ in 0 }
        #expect(drive.outcomes.isEmpty)
    }

    @Test func `a quiet accelerometer does not pause a car whose fixes move`() {
        var drive = Drive(.automotiveNavigation)
        drive.give(.motion(false), at: 0)
        drive.give(1...3600) { Double($0) * 20 }
        #expect(drive.outcomes.isEmpty)
    }

    @Test func `a boat pauses by its position, and the swell neither prevents nor ends the pause`() {
        var drive = Drive(.otherNavigation)
        drive.give(.motion(true), at: 0)
        drive.give(1...901) { Double($0 % 20) }
        #expect(drive.outcomes.map(\.outcome) == [.didPause(.still)])
        drive.give(.motion(false), at: 902)
        drive.give(.motion(true), at: 903)
        drive.give(.timePassed, at: 910)
        #expect(drive.monitor.isPaused)
        drive.give(.fix(Drive.fix(80)), at: 911)
        #expect(drive.outcomes.last?.outcome == .didResume(.displacement))
    }

    @Test func `an airborne client pauses only after 20 minutes without speed and change of height`() {
        var drive = Drive(.airborne)
        drive.give(.motion(false), at: 0)
        for second in 1...3000 { drive.give(.fix(Drive.fix(0, speed: 0.5, height: Double(second) * 0.1)), at: second) }
        #expect(drive.outcomes.isEmpty, "it climbs")
        for second in 3001...4500 { drive.give(.fix(Drive.fix(0, speed: 0.5, height: 300)), at: second) }
        #expect(drive.outcomes.map(\.outcome) == [.didPause(.still)])
        drive.give(.fix(Drive.fix(0, speed: 0.5, height: 309)), at: 4501)
        #expect(drive.monitor.isPaused)
        drive.give(.fix(Drive.fix(0, speed: 0.5, height: 311)), at: 4502)
        #expect(drive.outcomes.last?.outcome == .didResume(.displacement))
        var unsaid = Drive(.airborne)
        unsaid.give(1...3000) { _ in 0 }
        #expect(unsaid.outcomes.isEmpty, "a fix without speed and height proves nothing")
    }

    @Test func `without a usable fix for 15 minutes it pauses, and a fix ends that`() {
        var drive = Drive(.fitness)
        #expect(drive.deadline == 900)
        drive.give(.fix(Fix()), at: 300)
        drive.give(.fix(Drive.fix(0, accuracy: 900)), at: 600)
        drive.give(.timePassed, at: 900)
        #expect(drive.outcomes.map(\.outcome) == [.didPause(.noFix)])
        #expect(drive.deadline == 1200)
        drive.give(.fix(Drive.fix(0)), at: 1000)
        #expect(drive.outcomes.last?.outcome == .didResume(.fix))
    }

    @Test func `a fix worse than 200 m is usable for a client that asked for a coarser accuracy`() {
        var drive = Drive(.other, accuracy: 3000)
        for second in [0, 600, 1200] { drive.give(.fix(Drive.fix(Double(second) * 10, accuracy: 900)), at: second) }
        #expect(drive.deadline == 2100)
    }

    @Test func `a receiver's sleep after a fix ends the wait for a fix, a sleep without one does not`() {
        var drive = Drive(.other)
        drive.give(.fix(Drive.fix(0)), at: 10)
        drive.give(.receiver(isOn: false), at: 20)
        #expect(drive.deadline == nil)
        drive.give(.receiver(isOn: true), at: 7200)
        #expect(drive.deadline == 8100)
        drive.give(.receiver(isOn: false), at: 7260)
        drive.give(.receiver(isOn: true), at: 8000)
        #expect(drive.deadline == 8100)
        drive.give(.timePassed, at: 8100)
        #expect(drive.outcomes.map(\.outcome) == [.didPause(.noFix)])
    }

    @Test func `a receiver that sleeps when reports begin or resume is not waited for`() {
        var drive = Drive(.other)
        drive.monitor = PauseMonitor(activity: .other, accuracy: 1000, isReceiverOn: false, at: Drive.at(0))
        #expect(drive.deadline == nil)
        drive.give(.receiver(isOn: true), at: 5000)
        #expect(drive.deadline == 5900)
        drive.give(.fix(Drive.fix(0)), at: 5010)
        drive.give(.receiver(isOn: false), at: 5020)
        drive.give(.motion(false), at: 5030)
        drive.give(.timePassed, at: 5930)
        drive.give(.asked, at: 6000)
        drive.give(.motion(true), at: 6001)
        #expect(drive.outcomes.map(\.outcome) == [.didPause(.still), .didResume(.asked)])
        #expect(drive.deadline == nil)
    }

    @Test func `three seconds of movement end a pause, a bump does not`() {
        var drive = Drive(.other)
        drive.give(.motion(false), at: 0)
        drive.give(1...901) { _ in 0 }
        #expect(drive.monitor.isPaused)
        drive.give(.motion(true), at: 1000)
        #expect(drive.deadline == 1003)
        drive.give(.motion(false), at: 1002)
        drive.give(.timePassed, at: 1003)
        #expect(drive.monitor.isPaused)
        drive.give(.motion(true), at: 1010)
        drive.give(.timePassed, at: 1013)
        #expect(drive.outcomes.last?.outcome == .didResume(.motion))
        #expect(drive.monitor.state == .running)
        #expect(drive.deadline == 1013 + 900)
    }

    @Test func `a car's speed ends its pause before the car has left its place`() {
        var drive = Drive(.automotiveNavigation)
        drive.give(1...601) { _ in 0 }
        #expect(drive.monitor.isPaused)
        drive.give(.fix(Drive.fix(5, speed: 2)), at: 700)
        #expect(drive.monitor.isPaused)
        drive.give(.fix(Drive.fix(10, speed: 4)), at: 701)
        #expect(drive.outcomes.last?.outcome == .didResume(.displacement))
    }

    @Test func `probes come after 30 minutes, 1 hour and then every 2 hours, and last 2 minutes`() {
        var drive = Drive(.fitness)
        drive.give(1...301) { _ in 0 }
        let pausedAt = 301
        drive.outcomes = []
        var second = pausedAt
        var begins: [Int] = []
        for _ in 0..<5 {
            second = drive.deadline ?? 0
            begins.append(second)
            drive.give(.timePassed, at: second)
            #expect(drive.monitor.state == .probing(until: Drive.at(second + 120)))
            #expect(drive.deadline == second + 120)
            drive.give(.timePassed, at: second + 120)
            #expect(drive.monitor.state == .paused)
        }
        #expect(begins.map { $0 - pausedAt } == [1800, 5520, 12_840, 20_160, 27_480])
    }

    @Test func `a probe ends when it finds the board at its place, and resumes when it finds it elsewhere`() {
        var drive = Drive(.fitness)
        drive.give(1...301) { _ in 0 }
        drive.give(.timePassed, at: 2101)
        drive.give(.fix(Fix()), at: 2110)
        #expect(drive.monitor.state == .probing(until: Drive.at(2221)))
        drive.give(.fix(Drive.fix(20)), at: 2120)
        #expect(drive.outcomes.last?.outcome == .probeEnded)
        #expect(drive.deadline == 2120 + 3600)
        drive.give(.timePassed, at: 5720)
        drive.give(.fix(Drive.fix(200)), at: 5730)
        #expect(drive.outcomes.last?.outcome == .didResume(.displacement))
    }

    @Test func `a board that paused without a position takes its place from the first fix`() {
        var drive = Drive(.fitness)
        drive.give(.motion(false), at: 0)
        drive.give(.timePassed, at: 180)
        #expect(drive.monitor.isPaused)
        drive.give(.fix(Drive.fix(0)), at: 200)
        #expect(drive.monitor.isPaused)
        drive.give(.fix(Drive.fix(60)), at: 300)
        #expect(drive.outcomes.last?.outcome == .didResume(.displacement))
    }

    @Test func `a poor fix nearby does not count as displacement`() {
        var drive = Drive(.fitness)
        drive.give(1...301) { _ in 0 }
        drive.give(.fix(Drive.fix(90, accuracy: 50)), at: 400)
        #expect(drive.monitor.isPaused)
    }

    @Test func `a pause for want of a fix looks again after 5 minutes and backs off to an hour`() {
        var drive = Drive(.other)
        var begins: [Int] = []
        drive.give(.timePassed, at: 900)
        var previous = 900
        for _ in 0..<6 {
            let begin = drive.deadline ?? 0
            begins.append(begin - previous)
            drive.give(.timePassed, at: begin)
            drive.give(.timePassed, at: begin + 120)
            previous = begin + 120
        }
        #expect(begins == [300, 600, 1200, 2400, 3600, 3600])
    }

    @Test func `a client that asks again resumes at once, and its time at rest starts over`() {
        var drive = Drive(.fitness)
        drive.give(1...301) { _ in 0 }
        #expect(drive.give(.asked, at: 400) == .didResume(.asked))
        #expect(drive.give(.asked, at: 401) == nil)
        drive.outcomes = []
        drive.give(401...701) { _ in 0 }
        #expect(drive.outcomes.map(\.second) == [701])
    }

    @Test(arguments: ActivityType.allCases)
    func `the next deadline is always in the future, and pauses alternate with resumes`(activity: ActivityType) {
        var random: UInt64 = 7
        func next(_ bound: UInt64) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((random >> 33) % bound)
        }
        var drive = Drive(activity)
        var second = 0
        for _ in 0..<20_000 {
            second += 1 + next(120)
            switch next(8) {
            case 0: drive.give(.motion(true), at: second)
            case 1: drive.give(.motion(false), at: second)
            case 2: drive.give(.receiver(isOn: next(2) == 0), at: second)
            case 3: drive.give(.fix(Fix()), at: second)
            case 4: drive.give(.fix(Drive.fix(Double(next(60)), speed: 1, height: 400)), at: second)
            case 5: drive.give(.fix(Drive.fix(Double(next(10_000)))), at: second)
            default: break
            }
            // As the Engine does: every deadline that has come is told, and none may come twice.
            for _ in 0..<4 {
                guard let deadline = drive.deadline, deadline <= second else { break }
                drive.give(.timePassed, at: second)
            }
            if let deadline = drive.deadline { #expect(deadline > second) }
        }
        var isPaused = false
        for (_, outcome) in drive.outcomes {
            switch outcome {
            case .didPause:
                #expect(!isPaused)
                isPaused = true
            case .didResume:
                #expect(isPaused)
                isPaused = false
            case .probeBegan, .probeEnded: #expect(isPaused)
            }
        }
        #expect(drive.outcomes.count > 10)
    }
}
