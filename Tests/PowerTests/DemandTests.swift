import Power
import SextantUnits
import Testing

@Suite("Demand")
struct DemandTests {
    private func standard(
        _ client: UInt32, _ accuracy: DesiredAccuracy, filter: Double? = nil, interval: Double? = nil,
        activity: ActivityType = .other, state: AccuracyRequest.State = .running
    ) -> AccuracyRequest {
        AccuracyRequest(
            client: client,
            .standard(
                LocationSettings(
                    accuracy: accuracy, distanceFilter: filter, minimumInterval: interval, activity: activity)),
            state: state)
    }

    private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

    @Test func `without requests there is no demand`() {
        #expect(Demand.merging([]) == .none)
        #expect(Demand.none.accuracy == nil && !Demand.none.keepsOn && Demand.none.clients == [])
    }

    @Test func `the finest accuracy that any client asks for is demanded`() {
        let demand = Demand.merging([standard(1, .metres(1000)), standard(2, .metres(100)), standard(3, .metres(3000))])
        #expect(demand.accuracy == 100)
        #expect(!demand.keepsOn)
        #expect(demand.clients == [1, 2, 3])
    }

    @Test(arguments: [DesiredAccuracy.best, .bestForNavigation])
    func `an accuracy of best is 0 m, never negative, and keeps the receiver on`(accuracy: DesiredAccuracy) {
        let demand = Demand.merging([standard(1, .metres(10)), standard(2, accuracy)])
        #expect(demand.accuracy == 0)
        #expect(demand.keepsOn)
    }

    @Test(arguments: [
        (accuracy: DesiredAccuracy.metres(10), filter: 500.0, effective: 250.0, keepsOn: false),
        (accuracy: .metres(100), filter: 50, effective: 100, keepsOn: false),
        (accuracy: .best, filter: 200, effective: 100, keepsOn: false),
        (accuracy: .best, filter: 0, effective: 0, keepsOn: true),
        (accuracy: .bestForNavigation, filter: 200, effective: 100, keepsOn: true),
    ])
    func `a distance filter coarsens the accuracy to half its distance`(
        accuracy: DesiredAccuracy, filter: Double, effective: Double, keepsOn: Bool
    ) {
        let demand = Demand.merging([standard(1, accuracy, filter: filter)])
        #expect(demand.accuracy == effective)
        #expect(demand.keepsOn == keepsOn)
    }

    @Test func `a request for every epoch demands best accuracy`() {
        let demand = Demand.merging([AccuracyRequest(client: 9, .everyEpoch)])
        #expect(
            demand
                == Demand(
                    accuracy: 0, keepsOn: true, deadline: nil, minimumInterval: nil, activity: .other, clients: [9]))
    }

    @Test func `single locations keep the receiver on, and the earliest of their deadlines is demanded`() {
        let demand = Demand.merging([
            AccuracyRequest(client: 1, .singleLocation(.metres(100), deadline: at(60))),
            AccuracyRequest(client: 2, .singleLocation(.metres(50), deadline: at(10))),
            AccuracyRequest(client: 1, .singleLocation(.best, deadline: at(90))),
        ])
        #expect(demand.deadline == at(10))
        #expect(demand.accuracy == 0)
        #expect(demand.keepsOn)
        #expect(demand.clients == [1, 2])
    }

    @Test func `significant change demands 500 m every 300 s, and nothing more beside a finer client`() {
        let passive = AccuracyRequest(client: 1, .significantChange)
        let alone = Demand.merging([passive])
        #expect(alone.accuracy == 500 && alone.minimumInterval == 300 && !alone.keepsOn)
        let both = Demand.merging([passive, standard(2, .metres(100))])
        #expect(both.accuracy == 100 && both.minimumInterval == nil)
    }

    @Test func `the smallest interval is demanded, but none if a client has no interval`() {
        let slow = standard(1, .metres(10), interval: 60)
        #expect(Demand.merging([slow, AccuracyRequest(client: 2, .significantChange)]).minimumInterval == 60)
        #expect(Demand.merging([standard(3, .metres(10)), slow]).minimumInterval == nil)
    }

    @Test(arguments: [
        (distance: 8000.0, slack: 100.0, accuracy: 7900.0), (distance: 120, slack: 100, accuracy: 50),
        (distance: 10, slack: 100, accuracy: 50),
    ])
    func `a region demands the distance to its boundary as accuracy, never finer than 50 m`(
        distance: Double, slack: Double, accuracy: Double
    ) {
        let region = AccuracyRequest(client: 1, .region(distanceToBoundary: distance, slack: slack))
        #expect(Demand.merging([region]).accuracy == accuracy)
    }

    @Test func `the fastest of the clients' activities is used`() {
        let demand = Demand.merging([
            standard(1, .best, activity: .fitness), standard(2, .best),
            standard(3, .best, activity: .automotiveNavigation), standard(4, .best, activity: .otherNavigation),
        ])
        #expect(demand.activity == .automotiveNavigation)
    }

    @Test func `a paused request demands nothing`() {
        let paused = standard(1, .best, activity: .airborne, state: .paused)
        #expect(Demand.merging([paused]) == .none)
        let demand = Demand.merging([paused, standard(2, .metres(100))])
        #expect(demand.accuracy == 100 && demand.clients == [2] && demand.activity == .other)
    }

    @Test func `a probe asks for one position, no finer than 25 m, until its end`() {
        let probing = standard(1, .best, activity: .fitness, state: .probing(until: at(120)))
        let demand = Demand.merging([probing])
        #expect(
            demand
                == Demand(
                    accuracy: 25, keepsOn: true, deadline: at(120), minimumInterval: nil, activity: .fitness,
                    clients: [1]))
        #expect(Demand.merging([standard(1, .metres(1000), state: .probing(until: at(120)))]).accuracy == 1000)
    }

    @Test func `a demand lists at most 128 clients`() {
        let demand = Demand.merging((0..<200).map { standard($0, .metres(100)) })
        #expect(demand.clients == Array(0..<128))
    }

    @Test(arguments: ActivityType.allCases)
    func `an activity is found by its name`(activity: ActivityType) {
        #expect(ActivityType(name: activity.name.description) == activity)
        #expect(ActivityType(name: "Fitness") == nil)
    }
}
