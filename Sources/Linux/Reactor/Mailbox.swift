import CSextantLinux
import Synchronization

/// The queue through which worker threads hand messages to the reactor's thread.
///
/// The queue is bounded: a full mailbox refuses the message, and the worker decides what to do. Its lock is held for
/// one append or one swap of arrays. A class, because a worker and the reactor share it.
public final class Mailbox<Message: Sendable>: Sendable {
    private let counter: Descriptor
    private let queue: Mutex<[Message]>
    private let capacity: Int

    fileprivate init(capacity: Int) throws(SystemError) {
        self.capacity = capacity
        counter = Descriptor(adopting: try SystemError.check(clinux_counter_open(), "eventfd"))
        var empty: [Message] = []
        empty.reserveCapacity(capacity)
        queue = Mutex(empty)
    }

    /// Adds a message and wakes the reactor; false if the mailbox is full and the message was not taken.
    @discardableResult
    public func post(_ message: Message) -> Bool {
        let countBefore = queue.withLock { queue -> Int? in
            guard queue.count < capacity else { return nil }
            queue.append(message)
            return queue.count - 1
        }
        // If the mailbox was not empty, an earlier message has woken the reactor already.
        if countBefore == 0 { _ = counter.withRawValue { clinux_counter_post($0) } }
        return countBefore != nil
    }

    /// Takes all waiting messages: the caller's empty array and the mailbox's array are swapped.
    fileprivate func take(into messages: inout [Message]) {
        _ = counter.withRawValue { clinux_counter_clear($0) }
        queue.withLock { swap(&$0, &messages) }
    }

    fileprivate func register(
        with reactor: Reactor, handler: @escaping (Readiness) -> Void
    ) throws(SystemError) {
        _ = try reactor.register(counter, for: .read, handler: handler)
    }
}

extension Reactor {
    /// Makes a mailbox for at most `capacity` waiting messages; `handler` gets each message on the reactor's thread.
    ///
    /// The mailbox lives as long as the reactor.
    public func makeMailbox<Message: Sendable>(
        capacity: Int, handler: @escaping (Message) -> Void
    ) throws(SystemError) -> Mailbox<Message> {
        let mailbox = try Mailbox<Message>(capacity: capacity)
        var messages: [Message] = []
        messages.reserveCapacity(capacity)
        try mailbox.register(with: self) { _ in
            mailbox.take(into: &messages)
            for index in messages.indices { handler(messages[index]) }
            messages.removeAll(keepingCapacity: true)
        }
        return mailbox
    }
}
