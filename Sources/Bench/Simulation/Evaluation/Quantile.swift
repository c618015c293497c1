extension [Double] {
    /// The quantile `share` (0 to 1) of an array in ascending order; nil if the array is empty.
    ///
    /// Between two values the quantile is interpolated linearly, which is also numpy's default.
    public func quantile(_ share: Double) -> Double? {
        guard !isEmpty else { return nil }
        let place = share * Double(count - 1)
        let index = Int(place)
        guard index + 1 < count, self[index + 1] > self[index] else { return self[index] }
        return self[index] + (self[index + 1] - self[index]) * (place - Double(index))
    }
}
