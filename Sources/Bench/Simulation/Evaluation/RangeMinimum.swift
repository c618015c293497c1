/// Finds the smallest value in any range of an array that is filled from its end to its start.
///
/// It is a sparse table: level `l` holds, for each index, the position of the smallest of the 2^l values that begin
/// there. Two such windows of one level cover any range.
struct RangeMinimum {
    private var values: [Double]
    private var levels: [[Int32]]

    init(count: Int) {
        values = [Double](repeating: .infinity, count: count)
        let depth = max(1, Int.bitWidth - count.leadingZeroBitCount)
        levels = [[Int32]](repeating: [Int32](0..<Int32(count)), count: depth)
    }

    /// Sets the value at `index`; the values at all higher indices must have been set already.
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

    /// The smallest value in a range, and its index.
    func least(in range: ClosedRange<Int>) -> (value: Double, index: Int) {
        let level = Int.bitWidth - 1 - range.count.leadingZeroBitCount
        let left = Int(levels[level][range.lowerBound])
        let right = Int(levels[level][range.upperBound + 1 - 1 << level])
        let index = values[left] <= values[right] ? left : right
        return (values[index], index)
    }
}
