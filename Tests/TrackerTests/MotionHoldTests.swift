import Testing
import Units

@testable import Tracker

@Suite("Whether the board moves, by its interrupt")
struct MotionHoldTests {
    private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

    @Test func `a pulse is motion until 20 s go by without another`() {
        var hold = MotionHold()
        #expect(hold.looked(hasRisen: true, isActive: false, at: at(5)) == .init(change: true, nextLook: at(25)))
        #expect(hold.looked(hasRisen: true, isActive: false, at: at(25)) == .init(change: nil, nextLook: at(45)))
        #expect(hold.looked(hasRisen: false, isActive: false, at: at(45)) == .init(change: false, nextLook: nil))
    }

    @Test func `a level that stays is motion as long as it stays`() {
        var hold = MotionHold()
        #expect(hold.looked(hasRisen: true, isActive: true, at: at(0)) == .init(change: true, nextLook: at(20)))
        #expect(hold.looked(hasRisen: false, isActive: true, at: at(20)) == .init(change: nil, nextLook: at(40)))
        #expect(hold.looked(hasRisen: false, isActive: false, at: at(40)) == .init(change: false, nextLook: nil))
    }

    @Test func `what fell before it was looked at waits for the next edge`() {
        var hold = MotionHold()
        #expect(hold.looked(hasRisen: false, isActive: false, at: at(3)) == .init(change: nil, nextLook: nil))
        #expect(!hold.isMoving)
    }
}
