public import SextantReactor

/// A thread for a bus whose transfers block: it carries out orders one by one, and answers each.
///
/// The thread sleeps while there is no order, and the reactor never waits for the thread: a transfer that hangs delays
/// the answers of this bus alone, until the kernel's own time limit ends the transfer. A class, because the reactor's
/// thread and its mailbox share it; call every method on the reactor's thread.
public final class BusWorker<Order: Sendable, Answer: Sendable> {
    private let orders: OrderBox<Order>
    private let answered: (Answer) -> Void
    private var isClosed = false

    /// Starts the thread; `answered` gets each answer, on the reactor's thread.
    ///
    /// - Parameter name: The thread's name, of which the first 15 bytes are kept.
    /// - Parameter capacity: The largest number of orders that can wait, not counting the one being carried out.
    /// - Parameter makeServer: A function that is called first on the new thread; the function that it returns carries
    ///   out the orders there.
    public init(
        _ name: String, capacity: Int, reactor: Reactor, answered: @escaping (Answer) -> Void,
        makeServer: @escaping @Sendable () -> (Order) -> Answer
    ) throws(SystemError) {
        let orders = try OrderBox<Order>(capacity: capacity)
        self.orders = orders
        self.answered = answered
        // The mailbox has room for the answers to the waiting orders, to the present order, and to the previous one.
        let mailbox = try reactor.makeMailbox(capacity: capacity + 2) { [weak self] (answer: Answer) in
            self?.take(answer)
        }
        try Thread.start(name) {
            let serve = makeServer()
            while let order = orders.next() { mailbox.post(serve(order)) }
        }
    }

    deinit { orders.close() }

    /// Adds an order to the queue; false after `close`, or if the queue is full, which means that the bus hangs.
    public func order(_ order: Order) -> Bool { orders.put(order) }

    /// Ends the thread after its present order, without waiting for the end; no answer is passed on any more.
    public func close() {
        isClosed = true
        orders.close()
    }

    private func take(_ answer: Answer) {
        if !isClosed { answered(answer) }
    }
}
