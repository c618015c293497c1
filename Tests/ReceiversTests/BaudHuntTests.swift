import Receivers
import SextantUnits
import Testing

private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

@Suite("Baud hunt")
struct BaudHuntTests {
    @Test func `the hunt begins with the last rate that worked`() {
        #expect(BaudHunt(startingAt: 57_600).rate == 57_600)
        #expect(BaudHunt(startingAt: nil).rate == 9600)
    }

    @Test func `a valid message confirms the rate`() {
        var hunt = BaudHunt(startingAt: nil)
        #expect(hunt.isSearching)
        #expect(hunt.heard(hadMessage: true, at: at(1)) == .found)
        #expect(!hunt.isSearching)
        #expect(hunt.rate == 9600)
        #expect(hunt.heard(hadMessage: true, at: at(2)) == .nothing)
    }

    @Test func `each rate is tried for more than two seconds, because receivers may report once a second`() {
        var hunt = BaudHunt(startingAt: nil)
        #expect(hunt.heard(hadMessage: false, at: at(10)) == .nothing)
        #expect(hunt.heard(hadMessage: false, at: at(11)) == .nothing)
        #expect(hunt.heard(hadMessage: false, at: at(12.4)) == .nothing)
        #expect(hunt.heard(hadMessage: false, at: at(12.6)) == .changed)
        #expect(hunt.rate == 38_400)
    }

    @Test func `a silent line does not change the rate`() {
        var hunt = BaudHunt(startingAt: nil)
        #expect(hunt.heard(hadMessage: false, at: at(10)) == .nothing)
        #expect(hunt.heard(hadMessage: false, at: at(13)) == .changed)
        // An hour later the first byte at the new rate begins its dwell.
        #expect(hunt.heard(hadMessage: false, at: at(3600)) == .nothing)
        #expect(hunt.rate == 38_400)
        #expect(hunt.heard(hadMessage: true, at: at(3601)) == .found)
    }

    @Test func `the hunt tries all rates and begins again`() {
        var hunt = BaudHunt(startingAt: nil)
        var tried = [hunt.rate]
        var complaints = 0
        for second in 1...90 {
            switch hunt.heard(hadMessage: false, at: at(Double(second))) {
            case .changed: tried.append(hunt.rate)
            case .unintelligible: complaints += 1
            case .nothing, .found: break
            }
        }
        #expect(Array(tried.prefix(9)) == BaudHunt.rates.map { Optional($0) })
        #expect(tried[9] == 9600)
        #expect(complaints == 1)
    }

    @Test func `garbage between good sentences is ignored, only garbage for five seconds restarts the hunt`() {
        var hunt = BaudHunt(startingAt: 115_200)
        #expect(hunt.heard(hadMessage: true, at: at(0)) == .found)
        for tenth in 1...40 { #expect(hunt.heard(hadMessage: false, at: at(Double(tenth) / 10)) == .nothing) }
        #expect(hunt.heard(hadMessage: true, at: at(4.1)) == .nothing)
        #expect(hunt.heard(hadMessage: false, at: at(9)) == .nothing)
        #expect(!hunt.isSearching)
        #expect(hunt.heard(hadMessage: false, at: at(9.2)) == .nothing)
        #expect(hunt.isSearching)
        // The old rate is listened to once more before the next is tried.
        #expect(hunt.rate == 115_200)
        #expect(hunt.heard(hadMessage: false, at: at(12)) == .changed)
        #expect(hunt.rate == 9600)
    }

    @Test func `a configured rate is never changed`() {
        var hunt = BaudHunt(fixedAt: 4800)
        for second in 0...100 {
            let outcome = hunt.heard(hadMessage: false, at: at(Double(second)))
            #expect(outcome == (second == 5 ? .unintelligible : .nothing))
        }
        #expect(hunt.rate == 4800)
        #expect(hunt.heard(hadMessage: true, at: at(101)) == .nothing)
        #expect(hunt.heard(hadMessage: false, at: at(102)) == .nothing)
        #expect(hunt.heard(hadMessage: false, at: at(107)) == .unintelligible)
        #expect(BaudHunt(fixedAt: nil).rate == nil)
    }
}
