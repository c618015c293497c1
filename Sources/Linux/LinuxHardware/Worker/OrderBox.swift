internal import CSextantLinux
internal import SextantReactor
internal import Synchronization

/// The queue through which the reactor's thread hands orders to a worker thread; `Mailbox` is the queue in the other
/// direction.
///
/// The queue is bounded: a full queue refuses the order. Its lock is held for one append or one removal. A class,
/// because both threads hold it.
final class OrderBox<Order: Sendable>: Sendable {
    private struct State {
        var waiting: [Order] = []
        var isClosed = false
    }

    private let counter: Descriptor
    private let state: Mutex<State>
    private let capacity: Int

    init(capacity: Int) throws(SystemError) {
        self.capacity = capacity
        counter = Descriptor(adopting: try SystemError.check(clinux_counter_open(), "eventfd"))
        var empty = State()
        empty.waiting.reserveCapacity(capacity)
        state = Mutex(empty)
    }

    /// Adds an order and wakes the worker thread; false if the order was not taken: the queue is full or closed.
    func put(_ order: Order) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.waiting.count < capacity else { return false }
            state.waiting.append(order)
            return true
        }
        if isTaken { wake() }
        return isTaken
    }

    /// Closes the queue: refuses further orders, and drops those that wait.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.waiting.removeAll()
        }
        wake()
    }

    /// Waits without limit for the next order and returns it; nil once the queue is closed.
    func next() -> Order? {
        while true {
            let (order, isClosed) = state.withLock { state in
                (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isClosed)
            }
            if isClosed { return nil }
            if let order { return order }
            // An order that is added after this check raises the eventfd's counter again, so that no order is missed.
            _ = counter.withRawValue { clinux_wait_readable($0, -1) }
            _ = counter.withRawValue { clinux_counter_clear($0) }
        }
    }

    private func wake() { _ = counter.withRawValue { clinux_counter_post($0) } }
}
