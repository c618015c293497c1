internal import Glibc

/// Compares the visits that a program found with the true visits.
///
/// A found visit is right if its overlap with a true visit is longer than half of the time from the earlier arrival to
/// the later departure of the two, and if their places are at most 150 m apart.
public struct VisitScore: Sendable {
    public private(set) var trueCount = 0
    public private(set) var foundCount = 0
    public private(set) var rightCount = 0
    /// The number of surplus found visits: of several found visits that lie mostly within one true visit, all but one.
    public private(set) var fragmentCount = 0
    /// The errors of the arrival times of right visits, in seconds; true arrivals without fixes shortly before and
    /// after are left out.
    public private(set) var arrivalErrors: [Double] = []
    public private(set) var departureErrors: [Double] = []
    /// The number of pairs of right visits that the program puts at one place though they were at two, or at two though
    /// they were at one.
    public private(set) var confusedPairs = 0
    public private(set) var pairs = 0

    public init() {}

    public var precision: Double { foundCount == 0 ? 1 : Double(rightCount) / Double(foundCount) }
    public var recall: Double { trueCount == 0 ? 1 : Double(rightCount) / Double(trueCount) }
    public var f1: Double { precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall) }

    /// Adds the visits of one trace.
    public mutating func add(found: [VisitSpan], truth: [VisitSpan]) {
        trueCount += truth.count
        foundCount += found.count
        var matches: [(truth: VisitSpan, found: VisitSpan)] = []
        for visit in truth {
            // A right visit overlaps the true visit for more than half of the time that the two span together, so at
            // most one found visit is right.
            if let match = found.first(where: { VisitScore.isRight($0, visit) }) { matches.append((visit, match)) }
            let within = found.filter { VisitScore.overlap($0, visit) > 0.5 * ($0.departure - $0.arrival) }
            fragmentCount += max(0, within.count - 1)
        }
        rightCount += matches.count
        for (visit, match) in matches {
            if visit.isArrivalSeen { arrivalErrors.append(match.arrival - visit.arrival) }
            if visit.isDepartureSeen { departureErrors.append(match.departure - visit.departure) }
        }
        compare(matches)
    }

    private mutating func compare(_ matches: [(truth: VisitSpan, found: VisitSpan)]) {
        for (index, one) in matches.enumerated() {
            for other in matches[..<index] {
                pairs += 1
                let isSame = one.found.place == other.found.place
                if isSame != (one.truth.place == other.truth.place) { confusedPairs += 1 }
            }
        }
    }

    /// The quantile `share` (0 to 1) of the absolute errors, in seconds; 0 without errors.
    public static func quantile(_ share: Double, of errors: [Double]) -> Double {
        errors.map(abs).sorted().quantile(share) ?? 0
    }

    static func overlap(_ one: VisitSpan, _ other: VisitSpan) -> Double {
        max(0, min(one.departure, other.departure) - max(one.arrival, other.arrival))
    }

    public static func isRight(_ found: VisitSpan, _ truth: VisitSpan) -> Bool {
        let common = overlap(found, truth)
        let all = max(found.departure, truth.departure) - min(found.arrival, truth.arrival)
        return common > 0.5 * all && metres(found, truth) <= 150
    }

    static func metres(_ one: VisitSpan, _ other: VisitSpan) -> Double {
        let north = (one.latitude - other.latitude) * 111_195
        let east = (one.longitude - other.longitude) * 111_320 * cos(other.latitude * .pi / 180)
        return hypot(east, north)
    }
}
