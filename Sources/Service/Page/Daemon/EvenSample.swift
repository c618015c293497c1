/// Elements of a list of any length, evenly spread over it: all of them, or else every second, fourth, eighth.
struct EvenSample<Element> {
    private(set) var elements: [Element] = []
    private let limit: Int
    /// One element of so many is kept.
    private var stride = 1
    private var count = 0

    /// - Parameter limit: The most elements that are kept, at least one.
    init(limit: Int) { self.limit = limit }

    mutating func add(_ element: Element) {
        defer { count += 1 }
        guard count.isMultiple(of: stride) else { return }
        elements.append(element)
        guard elements.count > limit else { return }
        stride *= 2
        elements = elements.indices.filter { $0.isMultiple(of: 2) }.map { elements[$0] }
    }
}
