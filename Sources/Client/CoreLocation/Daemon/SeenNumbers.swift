/// The numbers of the events that this process has already received.
///
/// Bound: the newest 1024.
struct SeenNumbers {
    private static let limit = 1_024
    private var order: [Int] = []
    private var all: Set<Int> = []

    /// Adds a number; false where the number came before.
    mutating func insert(_ number: Int) -> Bool {
        guard all.insert(number).inserted else { return false }
        order.append(number)
        if order.count > Self.limit { all.remove(order.removeFirst()) }
        return true
    }

    /// Forgets a number, so that its event is accepted when the daemon sends it again.
    mutating func forget(_ number: Int) {
        all.remove(number)
        order.removeAll { $0 == number }
    }
}
