import Receivers
import Testing
import Units

@testable import Power

@Suite("Error budget")
struct ErrorBudgetTests {
    @Test func `time earns its share, and errors spend it`() {
        var budget = ErrorBudget(share: 0.05)
        #expect(budget.earned(in: 100) == 5)
        budget.account(gap: 10_000, spent: 20)
        #expect(budget.balance == 460 && budget.elapsed == 10_000, "480 s, of which 20 s stay in reserve")
        budget.account(gap: 100, spent: 500)
        #expect(budget.balance == -15 - 0.006 * 10_100, "half of the worst gap would be more than the reserve may be")
    }

    @Test func `neither wealth nor debt is of more than a day`() {
        var budget = ErrorBudget(share: 0.05)
        budget.account(gap: 1e6, spent: 0)
        #expect(budget.balance == 4320 - 20)
        budget.account(gap: 0, spent: 1e6)
        #expect(budget.balance == -4320 - 6000)
    }

    @Test func `what was saved under one accuracy cannot be spent under a finer one, debts remain`() {
        var budget = ErrorBudget(share: 0.05)
        budget.account(gap: 10_000, spent: 0)
        budget.finerAsked()
        #expect(budget.balance == -20)
        budget.account(gap: 0, spent: 7)
        budget.finerAsked()
        #expect(budget.balance == -27)
    }

    @Test func `an error is dear in debt and cheap with savings`() {
        var budget = ErrorBudget(share: 0.05)
        #expect(budget.price == 0.2 && budget.scale == 60)
        budget.account(gap: 10_000, spent: 0)
        #expect(budget.scale == 200 && budget.price == 0.2 / (1 + 480.0 / 200) / (1 + 480.0 / 200))
        budget.account(gap: 0, spent: 640)
        #expect(budget.balance == -200 && budget.price == 0.8)
    }
}

@Suite("Movement model")
struct MovementModelTests {
    static func fix(north: Double, speed: Double? = 0) -> PowerFix {
        PowerFix(latitude: 48 + north / 111_195, longitude: 11, horizontalAccuracy: 4.5, speed: speed)
    }

    static let at = PolicyDriver.instant

    static func model(sensor: Bool) -> MovementModel {
        var model = MovementModel(hasSensor: sensor, learned: LearnedMovements())
        _ = model.take(fix(north: 0), limit: 50, at: at(0))
        return model
    }

    @Test func `whoever is first met at rest rests, and goes on resting until it stirs`() {
        var model = Self.model(sensor: false)
        #expect(model.beginning == .resting && !model.isMoving)
        _ = model.take(Self.fix(north: 3), limit: 50, at: Self.at(60))
        #expect(model.beginning == .resting)
        _ = model.take(Self.fix(north: 200, speed: 1.5), limit: 50, at: Self.at(200))
        #expect(model.beginning == .moving && model.isMoving)
        _ = model.take(Self.fix(north: 210, speed: 0), limit: 50, at: Self.at(210))
        #expect(model.beginning == .pausing && model.isMoving)
        _ = model.take(Self.fix(north: 212, speed: 0), limit: 50, at: Self.at(460))
        #expect(model.beginning == .resting)
    }

    @Test func `moved seconds are those of the sensor since the last fix`() {
        var model = Self.model(sensor: true)
        model.sensed(motion: true, at: Self.at(100))
        #expect(model.isMoving && model.movedSeconds(at: Self.at(130)) == 30)
        model.sensed(motion: false, at: Self.at(140))
        #expect(model.movedSeconds(at: Self.at(200)) == 40 && model.restSeconds(at: Self.at(200)) == 60)
        model.sensed(motion: true, at: Self.at(300))
        #expect(model.movedSeconds(at: Self.at(310)) == 50 && model.restSeconds(at: Self.at(310)) == 0)
        _ = model.take(Self.fix(north: 80, speed: 1), limit: 50, at: Self.at(310))
        #expect(model.movedSeconds(at: Self.at(315)) == 5 && model.age(at: Self.at(315)) == 5)
    }

    @Test func `a pause as long as a rest ends a movement`() {
        var model = Self.model(sensor: true)
        model.sensed(motion: true, at: Self.at(100))
        _ = model.take(Self.fix(north: 300, speed: 5), limit: 50, at: Self.at(160))
        _ = model.take(Self.fix(north: 350, speed: 0), limit: 50, at: Self.at(170))
        #expect(model.beginning == .pausing)
        model.sensed(motion: false, at: Self.at(190))
        model.sensed(motion: true, at: Self.at(200))
        #expect(model.beginning == .pausing)
        model.sensed(motion: false, at: Self.at(220))
        model.sensed(motion: true, at: Self.at(460))
        #expect(model.beginning == .resting)
    }

    @Test func `an even way beyond the limit was too far off for its last part`() {
        var model = Self.model(sensor: true)
        model.sensed(motion: true, at: Self.at(0))
        let spent = model.take(Self.fix(north: 200, speed: 2), limit: 50, at: Self.at(100))
        #expect(abs(spent - 75) < 0.1)
        #expect(model.take(Self.fix(north: 220, speed: 2), limit: 50, at: Self.at(110)) == 0)
    }

    @Test func `a rest that came after it counts whole, and a move that nobody sensed counts half the gap`() {
        var model = Self.model(sensor: true)
        model.sensed(motion: true, at: Self.at(0))
        model.sensed(motion: false, at: Self.at(100))
        let rested = model.take(Self.fix(north: 200), limit: 50, at: Self.at(400))
        #expect(abs(rested - 375) < 0.1)
        var unsensed = Self.model(sensor: true)
        #expect(unsensed.take(Self.fix(north: 200), limit: 50, at: Self.at(400)) == 200)
        #expect(unsensed.learned.missedMoves == 1)
    }

    @Test func `a movement teaches what the next one is expected to be`() {
        var model = Self.model(sensor: true)
        model.sensed(motion: true, at: Self.at(0))
        let before = model.learned
        for step in 1...60 {
            _ = model.take(Self.fix(north: 150 * Double(step), speed: 10), limit: 50, at: Self.at(30 * Double(step)))
        }
        // It goes at half the speed that its fixes show.
        #expect(model.learned.cruising.quantile(0.5) < 0.6 && before.cruising.quantile(0.5) > 0.8)
        #expect((4...6.5).contains(model.speedQuantile(0.5, moved: 30)))
    }

    @Test func `the probability to be beyond the limit grows with the time moved, from none`() {
        let model = Self.model(sensor: true)
        #expect(model.probability(beyond: 50, moved: 0) == 0)
        let grown = [5, 20, 40, 60, 200, 2000].map { model.probability(beyond: 50, moved: $0) }
        #expect(grown == grown.sorted() && grown[5] > 0.9 && grown[0] < 0.1)
    }

    @Test func `the longer a rest, the longer it will last`() {
        #expect(abs(MovementModel.lateness(1e6, rest: 1) / 1e6 - 1) < 0.01)
        let late = [30, 300, 3000, 30_000].map { MovementModel.lateness(600, rest: $0) }
        #expect(late == late.sorted().reversed() && late[3] > 0 && late[0] < 600)
    }
}

@Suite("Fix planner")
struct FixPlannerTests {
    private static let at = PolicyDriver.instant

    private static func planner(
        _ model: MovementModel, accuracy: Double = 50, starts: Double = 5,
        budget: ErrorBudget = ErrorBudget(share: 0.036), now: Double
    ) -> FixPlanner {
        FixPlanner(
            movement: model, budget: budget, starts: FixPlanner.StartTimes(repeating: starts), accuracy: accuracy,
            now: at(now))
    }

    private static func walking() -> MovementModel {
        var model = MovementModelTests.model(sensor: true)
        model.sensed(motion: true, at: at(0))
        for step in 1...40 {
            let north = 42 * Double(step)
            _ = model.take(MovementModelTests.fix(north: north, speed: 1.4), limit: 50, at: at(30 * Double(step)))
        }
        return model
    }

    @Test func `without a fix the search begins at once`() {
        let model = MovementModel(hasSensor: true, learned: LearnedMovements())
        #expect(Self.planner(model, now: 0).plan.wait == 0)
    }

    @Test func `a walker is looked for after the accuracy's way, less the start`() {
        let wait = Self.planner(Self.walking(), now: 1200).plan.wait
        #expect((20...40).contains(wait))
        let slow = Self.planner(Self.walking(), starts: 15, now: 1200).plan.wait
        #expect((8...12).contains(wait - slow))
    }

    @Test func `twice the accuracy is about twice the wait`() {
        let (fine, coarse) = (
            Self.planner(Self.walking(), accuracy: 100, now: 1200).plan.wait,
            Self.planner(Self.walking(), accuracy: 200, now: 1200).plan.wait
        )
        #expect((1.8...2.4).contains(coarse / fine))
    }

    @Test func `what was saved is spent, and debts shorten the wait`() {
        var (rich, poor) = (ErrorBudget(share: 0.036), ErrorBudget(share: 0.036))
        rich.account(gap: 1000, spent: 0)
        poor.account(gap: 0, spent: 100)
        let walking = Self.walking()
        let (more, normal, less) = (
            Self.planner(walking, budget: rich, now: 1200).plan.wait, Self.planner(walking, now: 1200).plan.wait,
            Self.planner(walking, budget: poor, now: 1200).plan.wait
        )
        #expect(more > normal + 10 && less < normal && less > 0)
    }

    @Test func `a watched rest waits two hours from the fix at most, whatever was saved`() {
        var budget = ErrorBudget(share: 0.036)
        budget.account(gap: 86_400, spent: 0)
        let model = MovementModelTests.model(sensor: true)
        #expect(Self.planner(model, accuracy: 1000, budget: budget, now: 0).plan.wait == 7200)
        #expect(Self.planner(model, accuracy: 1000, budget: budget, now: 7000).plan.wait == 200)
        #expect(Self.planner(model, accuracy: 1000, budget: budget, now: 9000).plan.wait == 0)
    }

    @Test func `an unwatched rest waits no longer than what can be paid, counted from the fix`() {
        let model = MovementModelTests.model(sensor: false)
        let longest = 60 + 50 / 5.0
        #expect(Self.planner(model, now: 0).plan.wait <= longest)
        #expect(Self.planner(model, now: 50).plan.wait <= longest - 50)
        #expect(Self.planner(model, now: longest).plan.wait == 0)
        #expect((61...200).contains(Self.planner(model, accuracy: 1000, now: 0).plan.wait))
    }

    @Test func `a stop after a move that led far is looked at once`() {
        var model = MovementModelTests.model(sensor: true)
        model.sensed(motion: true, at: Self.at(100))
        model.sensed(motion: false, at: Self.at(400))
        #expect(Self.planner(model, now: 400).plan.wait == 0)
    }
}

@Suite("Sleep chooser")
struct SleepChooserTests {
    private static let draw = ReceiverModel.neoM8N.powerDraw

    private static func chooser(_ draw: PowerDraw = draw, ephemerisAge: Double? = 0) -> SleepChooser {
        SleepChooser(draw: draw, starts: LearnedStateTests.fresh(), ephemerisAge: ephemerisAge)
    }

    @Test func `energy is rest, search and the fix's own second`() {
        let search = LearnedStateTests.fresh().expected(.hardware, off: 600, ephemerisAge: 0)
        let energy = Self.chooser().energy(.hardware, 600)
        #expect(abs(energy - (0.045 * 600 + 96 * search + 87)) < 1e-9)
        #expect(abs(Self.chooser().power(.hardware, 600) - energy / (601 + search)) < 1e-9)
    }

    @Test func `the ephemeris ages through the sleep`() {
        let fresh = LearnedStateTests.fresh()
        let aged = fresh.expected(.hardware, off: 9000, ephemerisAge: 3000)
        #expect(aged == fresh.expected(.hardware, off: 0, ephemerisAge: 12_000))
        #expect(abs(Self.chooser(ephemerisAge: 3000).energy(.hardware, 9000) - (405 + 96 * aged + 87)) < 1e-9)
    }

    @Test func `cyclic tracking is no sleep, and of equals the lighter one wins`() {
        #expect(Self.chooser().cheapest(of: [.cyclic], for: 60) == nil)
        #expect(Self.chooser().cheapest(of: [], for: 60) == nil)
        var equal = Self.draw
        equal.hardwareSleep = equal.softwareSleep
        #expect(Self.chooser(equal).cheapest(of: [.software, .hardware], for: 60) == .software)
        #expect(Self.chooser().cheapest(of: Set(SleepKind.allCases), for: 60) == .hardware)
    }

    @Test func `a cut costs a cold start and is worth it after half a day of a poor sleep`() {
        let poor = PowerDraw(acquiring: 75, tracking: 60, cyclic: nil, softwareSleep: 6, hardwareSleep: 6)
        #expect(Self.chooser(poor).cheapest(of: [.software, .cut], for: 60) == .software)
        #expect(Self.chooser(poor).cheapest(of: [.software, .cut], for: 3600) == .cut)
    }

    @Test func `staying on is full tracking, or cyclic where it may be`() {
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
