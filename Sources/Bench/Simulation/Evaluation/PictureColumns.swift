/// A simulated run reduced to a fixed number of pixel columns, for a picture with time from left to right.
struct PictureColumns {
    let count: Int
    /// For each column, the share of its time that the receiver spends in each state, in the order of
    /// `DrawState.allCases`; the shares of a column add up to 1.
    let shares: [[Double]]
    /// For each column, the share of its time that lies within bouts of movement, 0 to 1.
    let moving: [Double]
    /// For each column, the share of its time in which the board moves and the location's error exceeds the requested
    /// accuracy.
    let violatedMoving: [Double]
    /// For each column, the share of its time in which the board rests and the location's error exceeds the requested
    /// accuracy.
    let violatedRest: [Double]
    /// For each column, the range of the location's error in metres; nil for columns before the first delivered
    /// location.
    let errors: [ClosedRange<Double>?]
    let hasDelivery: [Bool]

    /// The largest location error of all columns in metres; 0 if no location was delivered.
    var greatestError: Double { errors.reduce(0) { max($0, $1?.upperBound ?? 0) } }

    /// - Parameter accuracy: The requested accuracy, in metres.
    init(of record: RunRecord, against truth: TruthGrid, accuracy: Double, count: Int) {
        let time = Time(start: truth.startTime, end: truth.endTime, count: count)
        self.count = count
        var states = [[Double]](
            repeating: [Double](repeating: 0, count: count), count: DrawState.allCases.count)
        for span in record.spans(from: truth.startTime, until: truth.endTime) {
            let state = DrawState.allCases.firstIndex(of: span.state) ?? 0
            time.add(from: span.from, until: span.until, to: &states[state])
        }
        let rounded = states.map { $0.map(Self.rounded) }
        shares = (0..<count).map { column in rounded.map { $0[column] } }

        let held = HeldErrors(of: record, against: truth)
        let isMoving = MovingBouts(of: truth, from: min(held.firstSecond, truth.count)).flags(count: truth.count)
        let isViolated = held.metres.map { $0 < .infinity && $0 > accuracy }
        moving = time.shares(of: isMoving)
        violatedMoving = time.shares(of: truth.indices.map { isMoving[$0] && isViolated[$0] })
        violatedRest = time.shares(of: truth.indices.map { !isMoving[$0] && isViolated[$0] })

        var errors = [ClosedRange<Double>?](repeating: nil, count: count)
        for second in held.firstSecond..<truth.count {
            let error = held.metres[second]
            for index in time.columns(ofSecond: second) {
                let known = errors[index]
                errors[index] = min(known?.lowerBound ?? error, error)...max(known?.upperBound ?? error, error)
            }
        }
        self.errors = errors

        var hasDelivery = [Bool](repeating: false, count: count)
        for delivery in record.deliveries where (truth.startTime...truth.endTime).contains(delivery.time) {
            hasDelivery[time.column(of: delivery.time)] = true
        }
        self.hasDelivery = hasDelivery
    }

    /// Rounds a share near 0 or 1 to 0 or 1, so that a column that is all in one state is filled completely in spite of
    /// rounded times.
    private static func rounded(_ share: Double) -> Double { share > 0.999_9 ? 1 : share < 0.000_1 ? 0 : share }

    /// A span of time divided into columns of equal width.
    private struct Time {
        let start: Double
        let width: Double
        let count: Int

        init(start: Double, end: Double, count: Int) {
            self.start = start
            self.count = count
            width = (end - start) / Double(count)
        }

        func column(of time: Double) -> Int { min(max(Int((time - start) / width), 0), count - 1) }

        /// The columns that overlap one second of the trace; the second is given by its number since the start.
        func columns(ofSecond second: Int) -> ClosedRange<Int> {
            let time = start + Double(second)
            let first = column(of: time)
            return first...max(first, column(of: time + 0.999))
        }

        func add(from: Double, until: Double, to shares: inout [Double]) {
            for index in column(of: from)...column(of: until) {
                let left = start + Double(index) * width
                shares[index] += max(min(until, left + width) - max(from, left), 0) / width
            }
        }

        /// For each column, the share of its time in which the flag is true; `flags` has one element for each second.
        func shares(of flags: [Bool]) -> [Double] {
            var shares = [Double](repeating: 0, count: count)
            for run in flags.runs(of: true) {
                add(from: start + Double(run.lowerBound), until: start + Double(run.upperBound), to: &shares)
            }
            return shares.map(PictureColumns.rounded)
        }
    }
}
