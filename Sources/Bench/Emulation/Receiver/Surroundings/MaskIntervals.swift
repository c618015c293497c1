internal import SextantUnits

/// The times at which a receiver sees no satellites, as indoors.
public struct MaskIntervals: Sendable {
    /// The intervals in seconds since 1970, UTC, in order and without overlap.
    public let intervals: [Range<Double>]

    public static let none = MaskIntervals(intervals: [])

    /// Takes intervals of seconds since 1970, in any order; intervals that overlap or touch are joined.
    public init(intervals: [Range<Double>]) {
        var joined: [Range<Double>] = []
        for interval in intervals.sorted(by: { $0.lowerBound < $1.lowerBound }) where !interval.isEmpty {
            if let last = joined.last, interval.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, interval.upperBound)
            } else {
                joined.append(interval)
            }
        }
        self.intervals = joined
    }

    /// Reads a CSV table with the columns `start` and `end`, in seconds since 1970.
    public static func read(_ text: [UInt8]) throws(CSVError) -> MaskIntervals {
        var intervals: [Range<Double>] = []
        try TableFile.read(text, columns: ["start", "end"], requiredCount: 2) { row throws(CSVError) in
            let start = try row.required(0, in: 0...9e9)
            let end = try row.required(1, in: 0...9e9)
            guard start <= end else {
                throw CSVError(
                    line: row.line, problem: "end is before start", mend: "write the earlier time first")
            }
            intervals.append(start..<end)
        }
        return MaskIntervals(intervals: intervals)
    }

    public static func read(path: String) throws(CSVError) -> MaskIntervals {
        try read(TableFile.contents(of: path))
    }

    public func contains(_ unixSeconds: Double) -> Bool {
        let index = firstIndex(endingAfter: unixSeconds)
        return index < intervals.count && intervals[index].lowerBound <= unixSeconds
    }

    /// The next time after the given one at which an interval starts or ends; nil if there is none.
    public func nextChange(after unixSeconds: Double) -> Double? {
        let index = firstIndex(endingAfter: unixSeconds)
        guard index < intervals.count else { return nil }
        let interval = intervals[index]
        return interval.lowerBound > unixSeconds ? interval.lowerBound : interval.upperBound
    }

    private func firstIndex(endingAfter time: Double) -> Int {
        intervals.partitioningIndex { $0.upperBound > time }
    }
}
