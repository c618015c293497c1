public import Reactor

/// A thread for a bus whose transfers block: orders go to it one by one, and each has an answer.
///
/// It sleeps while there is no order, and the reactor never waits for it: a transfer that hangs delays the answers of
/// this bus alone, until the kernel's own limit ends it. A class, because the reactor's thread and its mailbox share it;
/// every call is made on the reactor's thread.
public final class BusWorker<Order: Sendable, Answer: Sendable> {
    private let orders: OrderBox<Order>
    private let answered: (Answer) -> Void
    private var isClosed = false

    /// Starts the thread; `answered` is called on the reactor's.
    ///
    /// - Parameter name: The thread's, of which 15 bytes are kept.
    /// - Parameter capacity: Orders that may wait beside the one that is carried out.
    /// - Parameter makeServer: Called first on the new thread; what it returns lives there and carries the orders out.
    public init(
        _ name: String, capacity: Int, reactor: Reactor, answered: @escaping (Answer) -> Void,
        makeServer: @escaping @Sendable () -> (Order) -> Answer
    ) throws(SystemError) {
        let orders = try OrderBox<Order>(capacity: capacity)
        self.orders = orders
        self.answered = answered
        // An answer each for the orders that wait, the one that is carried out, and the one before it.
        let mailbox = try reactor.makeMailbox(capacity: capacity + 2) { [weak self] (answer: Answer) in
            self?.take(answer)
        }
        try Thread.start(name) {
            let serve = makeServer()
            while let order = orders.next() { mailbox.post(serve(order)) }
        }
    }

    deinit { orders.close() }

    /// Leaves an order; false, and nothing is taken, where so many wait already that the bus must hang, or after `close`.
    public func order(_ order: Order) -> Bool { orders.put(order) }

    /// Ends the thread after the order that it carries out, without waiting for that; nothing is answered any more.
    public func close() {
        isClosed = true
        orders.close()
    }

    private func take(_ answer: Answer) {
        if !isClosed { answered(answer) }
    }
}
