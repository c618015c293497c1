/// Finds the least of any range of values, which are given from the last one to the first.
///
/// Level `l` holds for each index where the least of the 2^l values from it on stands; two such windows cover a range.
struct RangeMinimum {
    private var values: [Double]
    private var levels: [[Int32]]

    init(count: Int) {
        values = [Double](repeating: .infinity, count: count)
        let depth = max(1, Int.bitWidth - count.leadingZeroBitCount)
        levels = [[Int32]](repeating: [Int32](0..<Int32(count)), count: depth)
    }

    /// Sets the value at `index`; those behind it are set already.
    mutating func set(_ value: Double, at index: Int) {
        values[index] = value
        var width = 1
        for level in 1..<levels.count {
            let near = levels[level - 1][index]
            let far = index + width < values.count ? levels[level - 1][index + width] : near
            levels[level][index] = values[Int(near)] <= values[Int(far)] ? near : far
            width *= 2
        }
    }

    /// The least value of a range that is not empty, and where it stands.
    func least(in range: ClosedRange<Int>) -> (value: Double, index: Int) {
        let level = Int.bitWidth - 1 - range.count.leadingZeroBitCount
        let left = Int(levels[level][range.lowerBound])
        let right = Int(levels[level][range.upperBound + 1 - 1 << level])
        let index = values[left] <= values[right] ? left : right
        return (values[index], index)
    }
}
