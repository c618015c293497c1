/// Numbers with the time at which each is due, of which the earliest is known.
///
/// A binary heap that knows where each number is: a change takes the logarithm of how many there are.
struct DueQueue: Sendable {
    private struct Entry {
        var due: Int64
        var number: Int32
    }

    private var heap: [Entry] = []
    /// Where each number is in the heap; -1 where it is not.
    private var places: [Int32] = []

    /// The earliest time at which any number is due; nil where none is.
    var earliest: Int64? { heap.first?.due }

    var isEmpty: Bool { heap.isEmpty }

    /// Sets when a number is due; nil takes it out.
    mutating func set(_ number: Int32, due: Int64?) {
        let place = places.indices.contains(Int(number)) ? Int(places[Int(number)]) : -1
        guard let due else {
            if place >= 0 { remove(at: place) }
            return
        }
        if place >= 0 {
            let old = heap[place].due
            heap[place].due = due
            if due < old { rise(from: place) } else { sink(from: place) }
        } else {
            while places.count <= Int(number) { places.append(-1) }
            heap.append(Entry(due: due, number: number))
            places[Int(number)] = Int32(clamping: heap.count - 1)
            rise(from: heap.count - 1)
        }
    }

    /// Takes out the earliest number if it is due by a time.
    mutating func popFirst(dueBy time: Int64) -> Int32? {
        guard let first = heap.first, first.due <= time else { return nil }
        remove(at: 0)
        return first.number
    }

    private mutating func remove(at place: Int) {
        places[Int(heap[place].number)] = -1
        let moved = heap.removeLast()
        guard place < heap.count else { return }
        let old = heap[place].due
        put(moved, at: place)
        if moved.due < old { rise(from: place) } else { sink(from: place) }
    }

    private mutating func put(_ entry: Entry, at place: Int) {
        heap[place] = entry
        places[Int(entry.number)] = Int32(clamping: place)
    }

    private mutating func rise(from start: Int) {
        var place = start
        let entry = heap[place]
        while place > 0, entry.due < heap[(place - 1) / 2].due {
            put(heap[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        put(entry, at: place)
    }

    private mutating func sink(from start: Int) {
        var place = start
        let entry = heap[place]
        while 2 * place + 1 < heap.count {
            let left = 2 * place + 1
            let child = left + 1 < heap.count && heap[left + 1].due < heap[left].due ? left + 1 : left
            guard heap[child].due < entry.due else { break }
            put(heap[child], at: place)
            place = child
        }
        put(entry, at: place)
    }
}
