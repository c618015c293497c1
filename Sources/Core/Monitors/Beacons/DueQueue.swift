/// A priority queue of numbers, each with the time at which it is due.
///
/// It is a binary heap that also keeps the position of each number, so a change takes logarithmic time.
struct DueQueue: Sendable {
    private struct Entry {
        var due: Int64
        var number: Int32
    }

    private var heap: [Entry] = []
    /// The position of each number in the heap; -1 for a number that is not in the heap.
    private var positions: [Int32] = []

    /// The earliest time at which any number is due; nil if the queue is empty.
    var earliest: Int64? { heap.first?.due }

    var isEmpty: Bool { heap.isEmpty }

    /// Sets when a number is due; nil removes the number.
    mutating func set(_ number: Int32, due: Int64?) {
        let position = positions.indices.contains(Int(number)) ? Int(positions[Int(number)]) : -1
        guard let due else {
            if position >= 0 { remove(at: position) }
            return
        }
        if position >= 0 {
            let old = heap[position].due
            heap[position].due = due
            if due < old { rise(from: position) } else { sink(from: position) }
        } else {
            while positions.count <= Int(number) { positions.append(-1) }
            heap.append(Entry(due: due, number: number))
            positions[Int(number)] = Int32(clamping: heap.count - 1)
            rise(from: heap.count - 1)
        }
    }

    /// Removes and returns the number that is due first, if it is due by `time`.
    mutating func popFirst(dueBy time: Int64) -> Int32? {
        guard let first = heap.first, first.due <= time else { return nil }
        remove(at: 0)
        return first.number
    }

    private mutating func remove(at index: Int) {
        positions[Int(heap[index].number)] = -1
        let moved = heap.removeLast()
        guard index < heap.count else { return }
        let old = heap[index].due
        put(moved, at: index)
        if moved.due < old { rise(from: index) } else { sink(from: index) }
    }

    private mutating func put(_ entry: Entry, at index: Int) {
        heap[index] = entry
        positions[Int(entry.number)] = Int32(clamping: index)
    }

    private mutating func rise(from start: Int) {
        var position = start
        let entry = heap[position]
        while position > 0, entry.due < heap[(position - 1) / 2].due {
            put(heap[(position - 1) / 2], at: position)
            position = (position - 1) / 2
        }
        put(entry, at: position)
    }

    private mutating func sink(from start: Int) {
        var position = start
        let entry = heap[position]
        while 2 * position + 1 < heap.count {
            let left = 2 * position + 1
            let child = left + 1 < heap.count && heap[left + 1].due < heap[left].due ? left + 1 : left
            guard heap[child].due < entry.due else { break }
            put(heap[child], at: position)
            position = child
        }
        put(entry, at: position)
    }
}
