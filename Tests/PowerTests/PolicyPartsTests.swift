import Receivers
import SextantUnits
import Testing

@testable import Power

@Suite("Movement model")
struct MovementModelTests {
    static func fix(north: Double, speed: Double? = 0) -> PowerFix {
        PowerFix(latitude: 48 + north / 111_195, longitude: 11, horizontalAccuracy: 4.5, speed: speed)
    }

    static let at = PolicyDriver.instant

    static func model(sensor: Bool) -> MovementModel {
        var model = MovementModel(hasSensor: sensor, learned: LearnedMovements())
        model.found(fix(north: 0), at: at(0))
        return model
    }

    @Test func `a board first found at rest counts as resting until it moves`() {
        var model = Self.model(sensor: false)
        #expect(model.beginning == .resting && !model.isMoving)
        model.found(Self.fix(north: 3), at: Self.at(60))
        #expect(model.beginning == .resting)
        model.found(Self.fix(north: 200, speed: 1.5), at: Self.at(200))
        #expect(model.beginning == .moving && model.isMoving)
        model.found(Self.fix(north: 210, speed: 0), at: Self.at(210))
        #expect(model.beginning == .pausing && model.isMoving)
        model.found(Self.fix(north: 212, speed: 0), at: Self.at(460))
        #expect(model.beginning == .resting)
    }

    @Test func `moved seconds are the sensor's seconds of motion since the last fix`() {
        var model = Self.model(sensor: true)
        model.sensed(motion: true, at: Self.at(100))
        #expect(model.isMoving && model.movedSeconds(at: Self.at(130)) == 30)
        model.sensed(motion: false, at: Self.at(140))
        #expect(model.movedSeconds(at: Self.at(200)) == 40 && model.quietSeconds(at: Self.at(200)) == 60)
        model.sensed(motion: true, at: Self.at(300))
        #expect(model.movedSeconds(at: Self.at(310)) == 50 && model.quietSeconds(at: Self.at(310)) == 0)
        model.found(Self.fix(north: 80, speed: 1), at: Self.at(310))
        #expect(model.movedSeconds(at: Self.at(315)) == 5 && model.age(at: Self.at(315)) == 5)
    }

    @Test func `a pause as long as a rest ends the movement`() {
        var model = Self.model(sensor: true)
        model.sensed(motion: true, at: Self.at(100))
        model.found(Self.fix(north: 300, speed: 5), at: Self.at(160))
        model.found(Self.fix(north: 350, speed: 0), at: Self.at(170))
        #expect(model.beginning == .pausing)
        model.sensed(motion: false, at: Self.at(190))
        model.sensed(motion: true, at: Self.at(200))
        #expect(model.beginning == .pausing)
        model.sensed(motion: false, at: Self.at(220))
        model.sensed(motion: true, at: Self.at(460))
        #expect(model.beginning == .resting)
    }

    @Test func `motion of the sensor while fixes show rest counts as a knock until the board moves`() {
        var model = Self.model(sensor: true)
        model.sensed(motion: true, at: Self.at(100))
        #expect(model.hasDeparted)
        model.found(Self.fix(north: 2), at: Self.at(108))
        #expect(model.beginning == .knocked && !model.hasDeparted && model.isMoving)
        model.found(Self.fix(north: 60, speed: 5), at: Self.at(118))
        #expect(model.beginning == .moving)
    }

    @Test func `a sensor that never reported motion is distrusted after one movement that fixes show`() {
        var model = Self.model(sensor: true)
        model.planned(wait: 300)
        model.found(Self.fix(north: 200), at: Self.at(400))
        #expect(model.trust.isDeaf && !model.isWatched)
    }

    @Test func `a sensor that has reported a movement is proven, and may then miss one`() {
        var model = Self.model(sensor: true)
        model.planned(wait: 300)
        model.sensed(motion: true, at: Self.at(100))
        model.found(Self.fix(north: 200, speed: 5), at: Self.at(140))
        #expect(model.learned.isSensorProven && model.isWatched)
        model.sensed(motion: false, at: Self.at(150))
        model.found(Self.fix(north: 210), at: Self.at(160))
        model.planned(wait: 300)
        model.found(Self.fix(north: 500), at: Self.at(700))
        #expect(model.isWatched)
    }

    @Test func `a sensor that reports motion for 15 minutes of rest is not relied on until it falls quiet`() {
        var model = Self.model(sensor: true)
        model.sensed(motion: true, at: Self.at(1))
        for second in stride(from: 60.0, through: 1200, by: 60) { model.found(Self.fix(north: 2), at: Self.at(second)) }
        #expect(!model.isWatched && !model.isMoving && model.beginning == .resting)
        model.sensed(motion: false, at: Self.at(1300))
        #expect(model.isWatched)
    }

    @Test func `a movement changes the expected speed of the next one`() {
        var model = Self.model(sensor: true)
        model.sensed(motion: true, at: Self.at(0))
        let before = model.learned
        for step in 1...60 {
            model.planned(wait: 30)
            model.found(Self.fix(north: 150 * Double(step), speed: 10), at: Self.at(30 * Double(step)))
        }
        // It goes at half the speed that its fixes show.
        #expect(model.learned.cruising.quantile(0.5) < 0.75 && before.cruising.quantile(0.5) > 0.8)
        #expect((4...6.5).contains(model.speedQuantile(0.5)))
    }

    @Test func `the probability of being beyond the limit starts at 0 and grows with the time moved`() {
        let model = Self.model(sensor: true)
        #expect(model.probability(beyond: 50, moved: 0) == 0)
        let grown = [5, 20, 40, 60, 200, 2000].map { model.probability(beyond: 50, moved: $0) }
        #expect(grown == grown.sorted() && grown[5] > 0.9 && grown[0] < 0.1)
    }

    @Test func `successive epochs are learned from as one displacement over the planned time`() {
        var model = Self.model(sensor: true)
        model.sensed(motion: true, at: Self.at(0))
        let before = model.learned
        for second in 1...20 {
            model.found(Self.fix(north: 9 * Double(second), speed: 9), at: Self.at(Double(second)))
            model.planned(wait: 5)
        }
        #expect(model.learned.cruising == before.cruising, "20 s from the first plan are not over")
        for second in 21...200 {
            model.found(Self.fix(north: 9 * Double(second), speed: 9), at: Self.at(Double(second)))
            model.planned(wait: 5)
        }
        #expect((13...19).contains(model.learned.cruising.count), "\(model.learned.cruising.count)")
    }

    @Test func `the longer a rest, the lower the risk of a late start and the longer the wait for a fix`() {
        let model = Self.model(sensor: true)
        let risks = [0, 60, 600, 6000].map { model.restartRisk(limit: 50, rest: $0, start: 10) }
        #expect(risks == risks.sorted().reversed() && risks[0] > 0.05 && risks[3] < 0.01)
        #expect(model.restartRisk(limit: 5000, rest: 0, start: 10) == 0)
        let waits = [0, 60, 600, 6000].map { model.unwatchedRest(limit: 50, risk: 0.05, rest: $0) }
        #expect(waits == waits.sorted() && waits[0] < 15 && waits[3] > 600)
    }
}

@Suite("Fix planner")
struct FixPlannerTests {
    private static let at = PolicyDriver.instant

    private static func planner(
        _ model: MovementModel, accuracy: Double = 50, search median: Double = 5, spread: Double = 0.1,
        isOn: Bool = false, now: Double
    ) -> FixPlanner {
        FixPlanner(
            movement: model, search: search(median, spread: spread), accuracy: accuracy, probe: 300, isOn: isOn,
            now: at(now))
    }

    /// Searches that take this many seconds, more or less.
    private static func search(_ median: Double, spread: Double) -> StartStatistics {
        let search = StartTimes.Search(median: median, spread: spread)
        return StartStatistics(boot: 0, search, or: search, secondProbability: 0)
    }

    /// Forty gaps of 30 s at 1.4 m/s.
    private static func walking() -> MovementModel {
        var model = MovementModelTests.model(sensor: true)
        model.sensed(motion: true, at: at(0))
        for step in 1...40 {
            model.planned(wait: 30)
            let north = 42 * Double(step)
            model.found(MovementModelTests.fix(north: north, speed: 1.4), at: at(30 * Double(step)))
        }
        return model
    }

    @Test func `without a fix the search begins at once`() {
        let model = MovementModel(hasSensor: true, learned: LearnedMovements())
        #expect(Self.planner(model, now: 0).wait == 0)
    }

    @Test func `the wait for a walker is the time to walk the accuracy, less the receiver's start time`() {
        let wait = Self.planner(Self.walking(), now: 1200).wait
        #expect((15...33).contains(wait))
        let slow = Self.planner(Self.walking(), search: 15, now: 1200).wait
        #expect(abs(wait - slow - 10) < 2)
    }

    @Test func `twice the accuracy in metres gives about twice the wait`() {
        let (fine, coarse) = (
            Self.planner(Self.walking(), accuracy: 100, now: 1200).wait,
            Self.planner(Self.walking(), accuracy: 200, now: 1200).wait
        )
        #expect((1.8...2.4).contains(coarse / fine))
    }

    @Test func `at no instant is the probability of an error beyond the accuracy above 5 %`() {
        // Nine searches of ten take from 5 to 29 s.
        let (model, search) = (Self.walking(), Self.search(12, spread: 0.53))
        let wait = Self.planner(model, accuracy: 100, search: 12, spread: 0.53, now: 1200).wait
        #expect(wait > 0)
        for second in stride(from: 1.0, through: wait + 40, by: 1) {
            let beyond = model.probability(beyond: Self.planner(model, accuracy: 100, now: 1200).limit, moved: second)
            let ended = (0..<1000).first { search.quantile(Double($0) / 1000) > second - wait } ?? 1000
            let isWithoutFix = 1 - Double(ended) / 1000
            #expect(beyond * isWithoutFix <= 0.055, "after \(second) s")
        }
    }

    @Test func `one more fix of a steady walk does not change the wait`() {
        var model = Self.walking()
        let before = Self.planner(model, now: 1200).wait
        let fix = MovementModelTests.fix(north: 1680, speed: 1.4)
        model.found(fix, at: Self.at(1201))
        let after = Self.planner(model, now: 1201).wait
        #expect(abs(before - after) < 1)
    }

    @Test func `at rest the wait is two hours with a proven sensor, and grows with the rest with a new one`() {
        var model = MovementModelTests.model(sensor: true)
        #expect(Self.planner(model, accuracy: 1000, now: 0).wait == 300)
        model.found(MovementModelTests.fix(north: 1), at: Self.at(1000))
        #expect(Self.planner(model, accuracy: 1000, now: 1000).wait == 1000)
        model.planned(wait: 0)
        model.sensed(motion: true, at: Self.at(2000))
        model.found(MovementModelTests.fix(north: 300, speed: 9), at: Self.at(2040))
        model.sensed(motion: false, at: Self.at(2050))
        model.found(MovementModelTests.fix(north: 330), at: Self.at(2060))
        #expect(Self.planner(model, accuracy: 1000, now: 2060).wait == 7200)
        #expect(Self.planner(model, accuracy: 1000, now: 9000).wait == 260)
        #expect(Self.planner(model, accuracy: 1000, now: 9500).wait == 0)
    }

    @Test func `without a sensor the waits grow with the rest, up to the probe interval`() {
        var model = MovementModelTests.model(sensor: false)
        var waits: [Double] = []
        var now = 0.0
        for _ in 0..<60 {
            waits.append(Self.planner(model, now: now).wait)
            now += (waits.last ?? 0) + 10
            model.found(MovementModelTests.fix(north: 1), at: Self.at(now))
        }
        #expect(waits == waits.sorted() && waits[0] < 15 && waits[59] == 300)
        #expect(Self.planner(model, now: now + 299).wait == 1)
    }

    @Test func `a movement after a rest starts a search at once`() {
        var model = MovementModelTests.model(sensor: true)
        model.sensed(motion: true, at: Self.at(100))
        #expect(Self.planner(model, accuracy: 1000, now: 100).wait == 0)
    }

    @Test func `a stop after a long move starts a search at once`() {
        var model = MovementModelTests.model(sensor: true)
        model.sensed(motion: true, at: Self.at(100))
        model.sensed(motion: false, at: Self.at(400))
        #expect(Self.planner(model, now: 400).wait == 0)
    }

    @Test func `at the start of a pause a receiver that is on stays on, and a sleeping one is not woken`() {
        var model = Self.walking()
        model.sensed(motion: false, at: Self.at(1201))
        model.found(MovementModelTests.fix(north: 1681, speed: 0), at: Self.at(1202))
        #expect(Self.planner(model, search: 10, isOn: true, now: 1202).wait == 0)
        #expect(Self.planner(model, search: 10, isOn: false, now: 1202).wait > 100)
        #expect(Self.planner(model, search: 10, isOn: true, now: 1500).wait > 100)
    }
}

@Suite("Sleep chooser")
struct SleepChooserTests {
    private static let draw = ReceiverModel.neoM8N.powerDraw

    private static func chooser(_ draw: PowerDraw = draw, ephemerisAge: Double? = 0) -> SleepChooser {
        SleepChooser(draw: draw, starts: LearnedStateTests.fresh(), ephemerisAge: ephemerisAge)
    }

    @Test func `the energy of a sleep includes the rest, the search and the second of the fix`() {
        let search = LearnedStateTests.fresh().expected(.hardware, off: 600, ephemerisAge: 0)
        let energy = Self.chooser().energy(.hardware, 600)
        #expect(abs(energy - (0.045 * 600 + 96 * search + 87)) < 1e-9)
        #expect(abs(Self.chooser().power(.hardware, 600) - energy / (601 + search)) < 1e-9)
    }

    @Test func `the ephemeris ages during the sleep`() {
        let fresh = LearnedStateTests.fresh()
        let aged = fresh.expected(.hardware, off: 9000, ephemerisAge: 3000)
        #expect(aged == fresh.expected(.hardware, off: 0, ephemerisAge: 12_000))
        #expect(abs(Self.chooser(ephemerisAge: 3000).energy(.hardware, 9000) - (405 + 96 * aged + 87)) < 1e-9)
    }

    @Test func `the cheapest sleep is never cyclic tracking, and software sleep wins over equal hardware sleep`() {
        #expect(Self.chooser().cheapest(of: [.cyclic], for: 60) == nil)
        #expect(Self.chooser().cheapest(of: [], for: 60) == nil)
        var equal = Self.draw
        equal.hardwareSleep = equal.softwareSleep
        #expect(Self.chooser(equal).cheapest(of: [.software, .hardware], for: 60) == .software)
        #expect(Self.chooser().cheapest(of: Set(SleepKind.allCases), for: 60) == .hardware)
    }

    @Test func `a supply cut pays against a poor sleep of an hour but not of a minute`() {
        let poor = PowerDraw(acquiring: 75, tracking: 60, cyclic: nil, softwareSleep: 6, hardwareSleep: 6)
        #expect(Self.chooser(poor).cheapest(of: [.software, .cut], for: 60) == .software)
        #expect(Self.chooser(poor).cheapest(of: [.software, .cut], for: 3600) == .cut)
    }

    @Test func `the draw of staying on is that of full tracking, or of cyclic tracking where allowed`() {
        var tracking = Tracking(
            since: PolicyDriver.instant(0), lastFix: PolicyDriver.instant(0), bestAccuracy: 4, fixesSinceBest: 0,
            isCyclic: false)
        let now = PolicyDriver.instant(20)
        #expect(Self.chooser().stayingOn(tracking, at: now, mayBeCyclic: false) == 87)
        #expect(Self.chooser().stayingOn(tracking, at: now, mayBeCyclic: true) == 28.5)
        // Ten seconds of full tracking come before it.
        #expect(Self.chooser().stayingOn(tracking, at: PolicyDriver.instant(0), mayBeCyclic: true) > 32)
        tracking.isCyclic = true
        #expect(Self.chooser().stayingOn(tracking, at: now, mayBeCyclic: true) < 28.5)
    }
}
