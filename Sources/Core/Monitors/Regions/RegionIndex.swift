/// Finds the borders near a place among very many, by a balanced tree of boxes that is built in one go.
///
/// Each region has a slot (its number) and a ball that encloses it. A box bounds the centres of the balls below it in
/// the tree, and keeps the least and the greatest distance of a border from the centre of its ball. Regions added since
/// the tree was built are checked one by one; when there are too many of them, the tree is built anew.
struct RegionIndex: Sendable {
    private struct Box: Sendable {
        var least: SIMD3<Float>
        var greatest: SIMD3<Float>
        /// The least and the greatest distance of a border from the centre of its region's ball; metres.
        var inner: Float
        var outer: Float
    }

    /// The regions' numbers (slots) in the order of the tree's leaves.
    private var order: [Int32] = []
    /// The boxes of the tree in heap order: the boxes below box i are 2i + 1 and 2i + 2.
    private var boxes: [Box] = []
    private var depth = 0
    private var loose: [Int32] = []
    /// The number of regions removed since the tree was built.
    private var removed = 0
    /// The numbers (slots) of removed regions; no new region may get them before the tree is built anew.
    private var retired: [Int32] = []
    private var treeCount = 0

    private static let leafSize = 8
    /// Metres by which a box is wider than the centres in it, to cover the rounding of Float.
    private static let slack: Float = 1

    mutating func insert(_ slot: Int) { loose.append(Int32(truncatingIfNeeded: slot)) }

    /// Removes a region; no new region may get its slot before `rebuild` gives the slot back.
    mutating func remove(_ slot: Int) {
        removed += 1
        retired.append(Int32(truncatingIfNeeded: slot))
    }

    /// Whether so much has changed since the tree was built that it is to be built anew.
    var isWorn: Bool {
        loose.count > 256 + treeCount / 64 || removed > 256 + (treeCount + loose.count) / 4
    }

    /// Builds the tree anew, and gives back the slots that new regions can get.
    mutating func rebuild(_ geometry: RegionGeometry, freeing slots: inout [Int32]) {
        order.removeAll { geometry.isEmpty(Int($0)) }
        for slot in loose where !geometry.isEmpty(Int(slot)) { order.append(slot) }
        slots.append(contentsOf: retired)
        loose = []
        retired = []
        removed = 0
        treeCount = order.count
        depth = 0
        boxes = []
        guard treeCount > 0 else { return }
        while order.count >> depth > RegionIndex.leafSize { depth += 1 }
        let empty = Box(least: .zero, greatest: .zero, inner: 0, outer: 0)
        boxes = [Box](repeating: empty, count: (1 << (depth + 1)) - 1)
        build(0, 0..<order.count, 0, geometry)
    }
}

// MARK: Building

extension RegionIndex {
    private mutating func build(_ box: Int, _ range: Range<Int>, _ level: Int, _ geometry: RegionGeometry) {
        guard level < depth else {
            boxes[box] = leaf(range, geometry)
            return
        }
        let middle = range.lowerBound + range.count / 2
        split(range, at: middle, geometry)
        build(2 * box + 1, range.lowerBound..<middle, level + 1, geometry)
        build(2 * box + 2, middle..<range.upperBound, level + 1, geometry)
        let (left, right) = (boxes[2 * box + 1], boxes[2 * box + 2])
        boxes[box] = Box(
            least: pointwiseMin(left.least, right.least), greatest: pointwiseMax(left.greatest, right.greatest),
            inner: min(left.inner, right.inner), outer: max(left.outer, right.outer))
    }

    private func leaf(_ range: Range<Int>, _ geometry: RegionGeometry) -> Box {
        let none = SIMD3<Float>(repeating: .infinity)
        var box = Box(least: none, greatest: -none, inner: .infinity, outer: -.infinity)
        for place in range {
            let slot = Int(order[place])
            let centre = geometry.balls[slot].centre
            let point = SIMD3<Float>(Float(centre.x), Float(centre.y), Float(centre.z))
            let shell = geometry.shell(of: slot)
            box.least = pointwiseMin(box.least, point - RegionIndex.slack)
            box.greatest = pointwiseMax(box.greatest, point + RegionIndex.slack)
            box.inner = min(box.inner, (Float(shell.lowerBound)).nextDown)
            box.outer = max(box.outer, (Float(shell.upperBound)).nextUp)
        }
        return box
    }

    /// Puts the centres with the smaller coordinates along the widest axis before the index `middle` (Hoare's
    /// selection).
    private mutating func split(_ range: Range<Int>, at middle: Int, _ geometry: RegionGeometry) {
        let axis = widestAxis(range, geometry)
        var (low, high) = (range.lowerBound, range.upperBound - 1)
        while low < high {
            let pivot = coordinate(order[low + (high - low) / 2], axis, geometry)
            var (left, right) = (low, high)
            while left <= right {
                while coordinate(order[left], axis, geometry) < pivot { left += 1 }
                while coordinate(order[right], axis, geometry) > pivot { right -= 1 }
                guard left <= right else { break }
                order.swapAt(left, right)
                left += 1
                right -= 1
            }
            if right < middle { low = left }
            if left > middle { high = right }
        }
    }

    private func widestAxis(_ range: Range<Int>, _ geometry: RegionGeometry) -> Int {
        let first = geometry.balls[Int(order[range.lowerBound])].centre
        var (least, greatest) = (SIMD3(first.x, first.y, first.z), SIMD3(first.x, first.y, first.z))
        for place in range {
            let centre = geometry.balls[Int(order[place])].centre
            let point = SIMD3(centre.x, centre.y, centre.z)
            least = pointwiseMin(least, point)
            greatest = pointwiseMax(greatest, point)
        }
        let widths = greatest - least
        if widths.x >= widths.y, widths.x >= widths.z { return 0 }
        return widths.y >= widths.z ? 1 : 2
    }

    @inline(__always)
    private func coordinate(_ slot: Int32, _ axis: Int, _ geometry: RegionGeometry) -> Double {
        let centre = geometry.balls[Int(slot)].centre
        return axis == 0 ? centre.x : axis == 1 ? centre.y : centre.z
    }
}

// MARK: Asking

extension RegionIndex {
    /// A lower bound of the distance to the nearest border of any region, in metres; infinity without regions.
    func nearestBorder(to place: RegionPlace, _ geometry: RegionGeometry) -> Double {
        var nearest = Double.infinity
        for slot in loose where !geometry.isEmpty(Int(slot)) {
            nearest = min(nearest, abs(geometry.offset(of: place, to: Int(slot)).distance))
        }
        if !boxes.isEmpty { descend(0, 0..<order.count, 0, place, geometry, &nearest) }
        return nearest
    }

    private func descend(
        _ box: Int, _ range: Range<Int>, _ level: Int, _ place: RegionPlace, _ geometry: RegionGeometry,
        _ nearest: inout Double
    ) {
        guard level < depth else {
            for index in range where !geometry.isEmpty(Int(order[index])) {
                nearest = min(nearest, abs(geometry.offset(of: place, to: Int(order[index])).distance))
            }
            return
        }
        let middle = range.lowerBound + range.count / 2
        let (left, right) = (bound(2 * box + 1, place), bound(2 * box + 2, place))
        if left <= right {
            if left < nearest { descend(2 * box + 1, range.lowerBound..<middle, level + 1, place, geometry, &nearest) }
            if right < nearest { descend(2 * box + 2, middle..<range.upperBound, level + 1, place, geometry, &nearest) }
        } else {
            if right < nearest { descend(2 * box + 2, middle..<range.upperBound, level + 1, place, geometry, &nearest) }
            if left < nearest { descend(2 * box + 1, range.lowerBound..<middle, level + 1, place, geometry, &nearest) }
        }
    }

    /// Appends the slot of each region whose border is within `reach` metres of a place.
    ///
    /// - Returns: A lower bound of the distance to the nearest border of all other regions, in metres.
    func collect(
        within reach: Double, of place: RegionPlace, _ geometry: RegionGeometry, into found: inout [Int32]
    ) -> Double {
        var next = Double.infinity
        for slot in loose { look(slot, reach, place, geometry, &found, &next) }
        if !boxes.isEmpty { visit(0, 0..<order.count, 0, reach, place, geometry, &found, &next) }
        return next
    }

    private func visit(
        _ box: Int, _ range: Range<Int>, _ level: Int, _ reach: Double, _ place: RegionPlace,
        _ geometry: RegionGeometry, _ found: inout [Int32], _ next: inout Double
    ) {
        let bound = self.bound(box, place)
        guard bound <= reach else {
            next = min(next, bound)
            return
        }
        guard level < depth else {
            for index in range { look(order[index], reach, place, geometry, &found, &next) }
            return
        }
        let middle = range.lowerBound + range.count / 2
        visit(2 * box + 1, range.lowerBound..<middle, level + 1, reach, place, geometry, &found, &next)
        visit(2 * box + 2, middle..<range.upperBound, level + 1, reach, place, geometry, &found, &next)
    }

    @inline(__always)
    private func look(
        _ slot: Int32, _ reach: Double, _ place: RegionPlace, _ geometry: RegionGeometry, _ found: inout [Int32],
        _ next: inout Double
    ) {
        guard !geometry.isEmpty(Int(slot)) else { return }
        let distance = abs(geometry.offset(of: place, to: Int(slot)).distance)
        if distance <= reach { found.append(slot) } else { next = min(next, distance) }
    }

    /// A lower bound of the distance to the nearest border of the regions in a box; metres.
    @inline(__always)
    private func bound(_ number: Int, _ place: RegionPlace) -> Double {
        let box = boxes[number]
        let point = SIMD3<Float>(Float(place.vector.x), Float(place.vector.y), Float(place.vector.z))
        let below = box.least - point
        let above = point - box.greatest
        let outside = pointwiseMax(pointwiseMax(below, above), .zero)
        let nearest = (outside * outside).sum().squareRoot()
        let across = pointwiseMax(box.greatest - point, point - box.least)
        let farthest = (across * across).sum().squareRoot()
        return Double(max(0, nearest - box.outer, box.inner - farthest - RegionIndex.slack))
    }
}
