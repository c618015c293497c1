/// A run brought down to a fixed count of columns, nothing lost that a column can show.
struct PictureColumns {
    let count: Int
    /// In each column the share of its time of every state, in the order of `ReceiverState.allCases`; they add up to 1.
    let shares: [[Double]]
    /// In each column the least and the greatest error in metres; nil before the first delivery.
    let errors: [ClosedRange<Double>?]
    let hasDelivery: [Bool]

    /// Metres; 0 where nothing was delivered.
    var greatestError: Double { errors.reduce(0) { max($0, $1?.upperBound ?? 0) } }

    init(of record: RunRecord, against truth: TruthGrid, count: Int) {
        self.count = count
        let width = (truth.endTime - truth.startTime) / Double(count)
        func column(of time: Double) -> Int { min(max(Int((time - truth.startTime) / width), 0), count - 1) }

        var shares = [[Double]](repeating: [Double](repeating: 0, count: ReceiverState.allCases.count), count: count)
        for span in record.spans(from: truth.startTime, until: truth.endTime) {
            let state = ReceiverState.allCases.firstIndex(of: span.state) ?? 0
            for index in column(of: span.from)...column(of: span.until) {
                let left = truth.startTime + Double(index) * width
                let seconds = min(span.until, left + width) - max(span.from, left)
                shares[index][state] += max(seconds, 0) / width
            }
        }
        // A column of one state shows it in full, whatever the rounding of times left of it.
        self.shares = shares.map { column in column.map { $0 > 0.999_9 ? 1 : $0 < 0.000_1 ? 0 : $0 } }

        var errors = [ClosedRange<Double>?](repeating: nil, count: count)
        let held = HeldErrors(of: record, against: truth)
        for second in held.firstSecond..<truth.count {
            let index = column(of: truth.startTime + Double(second))
            let (error, known) = (held.metres[second], errors[index])
            errors[index] = min(known?.lowerBound ?? error, error)...max(known?.upperBound ?? error, error)
        }
        self.errors = errors

        var hasDelivery = [Bool](repeating: false, count: count)
        for delivery in record.deliveries where (truth.startTime...truth.endTime).contains(delivery.time) {
            hasDelivery[column(of: delivery.time)] = true
        }
        self.hasDelivery = hasDelivery
    }
}
