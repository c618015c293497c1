import PartsTestSupport
import Testing

@testable import Delivery

@Suite("Loss of fix")
struct FixLossTests {
    @Test func `STD-10 without a first fix the loss is reported after 30 s`() {
        var loss = FixLoss(receiverIsOn: true, at: at(0))
        #expect(loss.deadline == at(30))
        #expect(loss.advance(to: at(29.9)) == false)
        #expect(loss.advance(to: at(30)) == true)
        #expect(loss.deadline == nil)
    }

    @Test func `STD-11 a loss is reported once, however long it lasts, and the next loss again`() {
        var loss = FixLoss(receiverIsOn: true, at: at(0))
        loss.found(at: at(1))
        #expect(loss.advance(to: at(15.9)) == false)
        #expect((16...7200).filter { loss.advance(to: at(Double($0))) } == [16])
        #expect(loss.isLost)
        loss.found(at: at(7201))
        #expect(loss.isLost == false)
        #expect(loss.advance(to: at(7216)) == true)
    }

    @Test func `fixes at 1 Hz are not a loss`() {
        var loss = FixLoss(receiverIsOn: true, at: at(0))
        for second in 1...600 {
            loss.found(at: at(Double(second)))
            #expect(loss.advance(to: at(Double(second) + 0.5)) == false)
        }
    }

    @Test func `a receiver at rest loses nothing`() {
        var loss = FixLoss(receiverIsOn: true, at: at(0))
        loss.found(at: at(1))
        loss.receiver(isOn: false, at: at(2))
        #expect(loss.deadline == nil)
        #expect(loss.advance(to: at(9999)) == false)
        loss.receiver(isOn: true, at: at(10_000))
        #expect(loss.deadline == at(10_029))
        loss.found(at: at(10_028))
        #expect(loss.advance(to: at(10_042)) == false)
        #expect(loss.advance(to: at(10_043)) == true)
    }

    @Test func `the durations of short unsuccessful searches add up`() {
        var loss = FixLoss(receiverIsOn: false, at: at(0))
        for search in 0..<2 {
            loss.receiver(isOn: true, at: at(Double(search) * 100))
            loss.receiver(isOn: false, at: at(Double(search) * 100 + 12))
        }
        loss.receiver(isOn: true, at: at(500))
        #expect(loss.advance(to: at(505.9)) == false)
        #expect(loss.advance(to: at(506)) == true)
        loss.receiver(isOn: false, at: at(520))
        loss.receiver(isOn: true, at: at(600))
        #expect(loss.advance(to: at(900)) == false)
    }

    @Test func `an outage with a known cause is reported after a minute, even while the receiver rests`() {
        var loss = FixLoss(receiverIsOn: true, at: at(0))
        loss.outage(since: at(0))
        loss.receiver(isOn: false, at: at(15))
        #expect(loss.deadline == at(60))
        #expect((16...7200).filter { loss.advance(to: at(Double($0))) } == [60])
        loss.found(at: at(7201))
        #expect(!loss.isLost && loss.deadline == nil)
    }

    @Test func `a session begun during an outage gets a minute of its own`() {
        var loss = FixLoss(receiverIsOn: false, at: at(500))
        loss.outage(since: at(100))
        #expect(loss.deadline == at(560))
        loss.outage(since: nil)
        #expect(loss.deadline == nil)
    }
}
