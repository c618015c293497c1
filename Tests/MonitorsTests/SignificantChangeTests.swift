import GNSS
import Monitors
import SextantUnits
import Testing

@Suite("Significant change")
struct SignificantChangeTests {
    /// A monitor that told of the place at 0 m when it started, at 1000 s.
    private func started(accuracy: Double = 5) throws -> SignificantChangeMonitor {
        var monitor = SignificantChangeMonitor()
        let first = monitor.start(latest: fix(0, accuracy: accuracy), isCoarse: false, at: at(1000))
        _ = try #require(first)
        return monitor
    }

    @Test func `SLC-01 the first event is the latest known position, with its own time`() {
        var monitor = SignificantChangeMonitor()
        let cached = fix(0, time: 1_795_000_000_123_000_000)
        #expect(monitor.start(latest: cached, isCoarse: false, at: at(1000)) == cached)
    }

    @Test func `without a known position the first fix is the first event`() {
        var monitor = SignificantChangeMonitor()
        #expect(monitor.start(latest: nil, isCoarse: false, at: at(1000)) == nil)
        #expect(monitor.found(Fix(), isCoarse: false, at: at(1001)) == nil)
        #expect(monitor.found(fix(3), isCoarse: false, at: at(1002)) == fix(3))
        #expect(monitor.found(fix(3), isCoarse: false, at: at(1003)) == nil)
    }

    @Test(arguments: [5.0, 10, 20], 1...20 as ClosedRange<UInt64>)
    func `SLC-02 499 m cause no event within an hour at 1 Hz`(accuracy: Double, seed: UInt64) throws {
        var noise = Noise(seed: seed)
        var monitor = try started(accuracy: accuracy)
        let events = (1...3600).filter { second in
            let metres = 499 + noise.error(accuracy: accuracy)
            let now = at(1000 + Double(second))
            return monitor.found(fix(metres, accuracy: accuracy), isCoarse: false, at: now) != nil
        }
        #expect(events == [])
    }

    @Test(arguments: [5.0, 10, 20], 1...20 as ClosedRange<UInt64>)
    func `SLC-02 600 m cause an event as soon as the interval is over`(accuracy: Double, seed: UInt64) throws {
        var noise = Noise(seed: seed)
        var monitor = SignificantChangeMonitor()
        let first = fix(noise.error(accuracy: accuracy), accuracy: accuracy)
        #expect(monitor.start(latest: first, isCoarse: false, at: at(1000)) == first)
        var events: [Double] = []
        for second in stride(from: 1020.0, through: 1500, by: 20) {
            let metres = 600 + noise.error(accuracy: accuracy)
            let event = monitor.found(fix(metres, accuracy: accuracy), isCoarse: false, at: at(second))
            if event != nil { events.append(second) }
        }
        #expect(events == [1300])
    }

    @Test func `a change within the interval is reported when the interval is over, without another fix`() throws {
        var monitor = try started()
        #expect(monitor.deadline == nil)
        #expect(monitor.found(fix(700), isCoarse: false, at: at(1010)) == nil)
        #expect(monitor.deadline == at(1300))
        #expect(monitor.advance(to: at(1299.9)) == nil)
        #expect(monitor.advance(to: at(1300)) == fix(700))
        #expect(monitor.deadline == nil)
        #expect(monitor.advance(to: at(9999)) == nil)
    }

    @Test func `a board that is back before the interval is over has not changed`() throws {
        var monitor = try started()
        #expect(monitor.found(fix(700), isCoarse: false, at: at(1010)) == nil)
        #expect(monitor.found(fix(510), isCoarse: false, at: at(1020)) == nil)
        #expect(monitor.deadline == at(1300))
        #expect(monitor.found(fix(20), isCoarse: false, at: at(1030)) == nil)
        #expect(monitor.deadline == nil)
    }

    @Test func `SLC-03 ten moves of 600 m within 5 minutes cause at most one more event`() throws {
        var monitor = try started()
        var events: [Fix] = []
        for move in 1...10 {
            let now = at(1000 + Double(move) * 30)
            if let event = monitor.found(fix(Double(move) * 600), isCoarse: false, at: now) { events.append(event) }
        }
        #expect(events == [fix(6000)])
    }

    @Test func `a fix too inaccurate to show 500 m causes no event`() throws {
        var monitor = try started()
        #expect(monitor.found(fix(900, accuracy: 200), isCoarse: false, at: at(2000)) == nil)
        #expect(monitor.found(fix(1200, accuracy: 200), isCoarse: false, at: at(2001)) == fix(1200, accuracy: 200))
    }

    @Test func `a coarse first position does not hide a later move`() {
        var monitor = SignificantChangeMonitor()
        _ = monitor.start(latest: fix(0, accuracy: 3000), isCoarse: false, at: at(1000))
        #expect(monitor.found(fix(550), isCoarse: false, at: at(2000)) == nil)
        #expect(monitor.found(fix(650), isCoarse: false, at: at(2001)) == fix(650))
    }

    @Test func `RED-04 with reduced accuracy a new cell is a change, and the same cell is not`() {
        var monitor = SignificantChangeMonitor()
        let cell = fix(0, accuracy: 5000)
        #expect(monitor.start(latest: cell, isCoarse: true, at: at(1000)) == cell)
        #expect(monitor.found(cell, isCoarse: true, at: at(1900)) == nil)
        let next = fix(5004, accuracy: 5000)
        #expect(monitor.found(next, isCoarse: true, at: at(2800)) == next)
    }

    @Test func `SLC-05 starting twice gives one first event, and stopping in between gives two`() throws {
        var monitor = try started()
        #expect(monitor.start(latest: fix(9), isCoarse: false, at: at(1001)) == nil)
        monitor.stop()
        #expect(monitor.isMonitoring == false)
        #expect(monitor.found(fix(9000), isCoarse: false, at: at(1002)) == nil)
        #expect(monitor.start(latest: fix(9), isCoarse: false, at: at(1003)) == fix(9))
    }

    @Test func `SLC-08 after a restart a change is measured from the last reported position`() throws {
        let record = try started().notified?.encode() ?? []
        var monitor = SignificantChangeMonitor()
        monitor.restore(NotifiedPlace.decode(record.span), at: at(5))
        #expect(monitor.isMonitoring)
        #expect(monitor.found(fix(10), isCoarse: false, at: at(6)) == nil)
        #expect(monitor.found(fix(700), isCoarse: false, at: at(7)) == nil)
        #expect(monitor.advance(to: at(305)) == fix(700))
    }

    @Test func `SLC-08 a registration without a position gets its first event after the restart`() {
        var monitor = SignificantChangeMonitor()
        monitor.restore(nil, at: at(5))
        #expect(monitor.found(fix(700), isCoarse: false, at: at(7)) == fix(700))
    }

    @Test func `a damaged record is refused or gives a valid position`() throws {
        let record = try #require(try started().notified?.encode())
        #expect(record.count == 25)
        for length in 0..<record.count { #expect(NotifiedPlace.decode(Array(record[..<length]).span) == nil) }
        for index in record.indices {
            for bit in 0..<8 {
                var damaged = record
                damaged[index] ^= 1 << bit
                guard let place = NotifiedPlace.decode(damaged.span) else { continue }
                #expect(index > 0 && abs(place.latitude) <= 90 && abs(place.longitude) <= 180 && place.accuracy >= 0)
            }
        }
    }
}
