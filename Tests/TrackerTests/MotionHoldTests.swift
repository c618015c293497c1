import SextantUnits
import Testing

@testable import Power
@testable import Tracker

@Suite("Motion by the sensor's interrupt line")
struct MotionHoldTests {
    private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

    @Test func `pulses count as motion until 20 s pass without another`() {
        var hold = MotionHold()
        #expect(hold.looked(hasRisen: true, isActive: false, at: at(5)) == .init(change: true, nextLook: at(6)))
        for (look, next) in [(6, 7.5), (7.5, 27.5), (27.5, 47.5)] {
            let outcome = hold.looked(hasRisen: true, isActive: false, at: at(look))
            #expect(outcome == .init(nextLook: at(next), watchesAnew: true))
        }
        #expect(hold.isMoving)
        #expect(hold.looked(hasRisen: false, isActive: false, at: at(47.5)) == .init(change: false))
        #expect(!hold.isMoving)
    }

    @Test func `a steady level counts as motion as long as it lasts`() {
        var hold = MotionHold()
        #expect(hold.looked(hasRisen: true, isActive: true, at: at(0)) == .init(change: true, nextLook: at(1)))
        for (look, next) in [(1, 2.5), (2.5, 22.5)] {
            let outcome = hold.looked(hasRisen: false, isActive: true, at: at(look))
            #expect(outcome == .init(nextLook: at(next), watchesAnew: true))
        }
        #expect(hold.looked(hasRisen: false, isActive: false, at: at(22.5)) == .init(change: false))
    }

    @Test func `a knock ends before the limit after which a search goes on`() {
        var hold = MotionHold()
        for start in [10.0, 15] {
            #expect(hold.looked(hasRisen: true, isActive: true, at: at(start)).change == true)
            // Its echo, and a line that is held.
            let settled = hold.looked(hasRisen: true, isActive: true, at: at(start + 1))
            #expect(settled == .init(nextLook: at(start + 2.5), watchesAnew: true))
            #expect(hold.looked(hasRisen: false, isActive: false, at: at(start + 2.5)) == .init(change: false))
        }
        #expect(Double(MotionHold.knock + MotionHold.proof) < ReceiverPowerPolicy.knock * 1e9)
    }

    @Test func `a line found inactive without an edge is no motion`() {
        var hold = MotionHold()
        #expect(hold.looked(hasRisen: false, isActive: false, at: at(3)) == .init())
        #expect(!hold.isMoving)
    }
}
