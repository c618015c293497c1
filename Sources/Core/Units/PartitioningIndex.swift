extension RandomAccessCollection {
    /// The index of the first element for which the condition holds, by bisection; `endIndex` where it holds for none.
    ///
    /// All elements for which the condition holds must come after those for which it does not.
    @inlinable
    public func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Index {
        var start = startIndex
        var length = count
        while length > 0 {
            let half = length / 2
            let middle = index(start, offsetBy: half)
            if isInSecondPart(self[middle]) {
                length = half
            } else {
                start = index(after: middle)
                length -= half + 1
            }
        }
        return start
    }
}
