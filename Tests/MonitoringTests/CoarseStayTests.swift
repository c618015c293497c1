import ClientProtocol
import GNSS
import Parts
import SextantUnits
import Testing

@testable import Monitoring

@Suite("Visits as estimates show them")
struct CoarseStayTests {
    /// An estimate, so many periods of a quarter of an hour after midnight.
    private func estimate(_ period: Int, latitude: Double = 47.0475, isValidated: Bool = true) -> Fix {
        var fix = Fix()
        fix.type = .twoD
        fix.time = time(period).advanced(byNanoseconds: 7_000_000_000)
        fix.isTimeValidated = isValidated
        (fix.latitude, fix.longitude, fix.horizontalAccuracy) = (latitude, 8.5, 5000)
        return fix
    }

    private func time(_ period: Int) -> UTCInstant {
        UTCInstant(nanoseconds: 1_795_305_600_000_000_000 + Int64(period) * ReducedAccuracy.interval)
    }

    @Test func `two estimates in one cell are an arrival, and one in another cell is the departure`() throws {
        var stay = try #require(CoarseStay(estimate(0)))
        let began = stay.found(estimate(1))
        let arrival = try #require(began)
        #expect(arrival.arrival == time(0) && arrival.departure == nil && arrival.latitude == 47.0475)
        #expect(stay.found(estimate(2)) == nil)
        let ended = stay.found(estimate(3, latitude: 47.0925))
        let departure = try #require(ended)
        #expect(departure.arrival == time(0) && departure.departure == time(2) && departure.latitude == 47.0475)
        #expect(stay.found(estimate(4, latitude: 47.0925))?.arrival == time(3), "the next stay")
    }

    @Test func `a cell that is passed through is no visit`() throws {
        var stay = try #require(CoarseStay(estimate(0)))
        #expect(stay.found(estimate(1, latitude: 47.0925)) == nil)
        #expect(stay.found(estimate(2, latitude: 47.1375)) == nil)
    }

    @Test func `an estimate without a validated time, or from before the last, counts for nothing`() throws {
        #expect(CoarseStay(estimate(0, isValidated: false)) == nil)
        var stay = try #require(CoarseStay(estimate(5)))
        let ignored = [stay.found(estimate(6, isValidated: false)), stay.found(estimate(4))]
        #expect(ignored == [nil, nil])
        #expect(stay.found(estimate(6)) != nil)
    }

    @Test func `a stay goes on after it was stored and read, and a damaged record is refused`() throws {
        var stay = try #require(CoarseStay(estimate(0)))
        _ = stay.found(estimate(1))
        let record = stay.encode()
        let decoded = CoarseStay.decode(record.span)
        var read = try #require(decoded)
        #expect(read == stay)
        #expect(read.found(estimate(2, latitude: 47.0925))?.departure == time(1))
        let (short, foreign) = (Array(record.dropLast()), [9] + record.dropFirst())
        for damaged in [short, foreign] {
            let refused = CoarseStay.decode(damaged.span)
            #expect(refused == nil)
        }
    }
}
