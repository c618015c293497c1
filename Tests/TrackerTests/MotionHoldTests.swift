import Testing
import Units

@testable import Power
@testable import Tracker

@Suite("Whether the board moves, by its interrupt")
struct MotionHoldTests {
    private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

    @Test func `pulses are motion until 20 s go by without another`() {
        var hold = MotionHold()
        #expect(hold.looked(hasRisen: true, isActive: false, at: at(5)) == .init(change: true, nextLook: at(7)))
        #expect(hold.looked(hasRisen: true, isActive: false, at: at(7)) == .init(change: nil, nextLook: at(27)))
        #expect(hold.looked(hasRisen: true, isActive: false, at: at(27)) == .init(change: nil, nextLook: at(47)))
        #expect(hold.looked(hasRisen: false, isActive: false, at: at(47)) == .init(change: false, nextLook: nil))
    }

    @Test func `a level that stays is motion as long as it stays`() {
        var hold = MotionHold()
        #expect(hold.looked(hasRisen: true, isActive: true, at: at(0)) == .init(change: true, nextLook: at(2)))
        #expect(hold.looked(hasRisen: false, isActive: true, at: at(2)) == .init(change: nil, nextLook: at(22)))
        #expect(hold.looked(hasRisen: false, isActive: false, at: at(22)) == .init(change: false, nextLook: nil))
    }

    @Test func `a knock is over before motion counts, and so is the next one`() {
        var hold = MotionHold()
        for start in [10, 15] as [Int64] {
            let knock = hold.looked(hasRisen: true, isActive: true, at: at(start))
            #expect(knock.change == true)
            // By then the chip was told to watch anew, and its line fell.
            let end = hold.looked(hasRisen: false, isActive: false, at: knock.nextLook ?? at(0))
            #expect(end == .init(change: false, nextLook: nil))
        }
        #expect(Double(MotionHold.firstInterval) < ReceiverPowerPolicy.motionHold * 1e9)
    }

    @Test func `what fell before it was looked at waits for the next edge`() {
        var hold = MotionHold()
        #expect(hold.looked(hasRisen: false, isActive: false, at: at(3)) == .init(change: nil, nextLook: nil))
        #expect(!hold.isMoving)
    }
}
