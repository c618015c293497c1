internal import Synchronization

/// The number of `for await` loops over this module's sequences that have begun in this process, which tests read.
enum LoopCount {
    static let begun = Atomic(0)
}

/// A queue of elements that a `for await` loop reads; a full queue drops its oldest element for a new one.
final class BoundedQueue<Element: Sendable>: Sendable {
    private let capacity: Int
    private let contents = Mutex(Contents())

    private enum Answer {
        case element(Element)
        case end
        case later
    }

    private struct Contents {
        var elements: [Element] = []
        var readers: [(key: Int, continuation: CheckedContinuation<Element?, Never>)] = []
        var lastKey = 0
        var isFinished = false
        var isRead = false
        var waiters: [@Sendable () -> Void] = []

        /// Whether no element is still on its way to a loop: the loop waits for a new element, no loop reads the queue,
        /// or the queue has ended.
        var isSettled: Bool { isFinished || !isRead || (elements.isEmpty && !readers.isEmpty) }

        mutating func takeWaiters() -> [@Sendable () -> Void] {
            guard isSettled else { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds an element, and returns the one dropped for it: the oldest of a full queue, or the new one if the queue has
    /// ended.
    @discardableResult
    func push(_ element: Element) -> Element? {
        let (reader, dropped) = contents.withLock { contents -> (CheckedContinuation<Element?, Never>?, Element?) in
            guard !contents.isFinished else { return (nil, element) }
            guard contents.readers.isEmpty else { return (contents.readers.removeFirst().continuation, nil) }
            contents.elements.append(element)
            return (nil, contents.elements.count > capacity ? contents.elements.removeFirst() : nil)
        }
        reader?.resume(returning: element)
        return dropped
    }

    /// Waits for and removes the oldest element; nil once the queue has ended or the task is cancelled.
    func next() async -> Element? {
        let (key, isFirst) = contents.withLock { contents in
            contents.lastKey += 1
            defer { contents.isRead = true }
            return (contents.lastKey, !contents.isRead)
        }
        if isFirst { LoopCount.begun.add(1, ordering: .relaxed) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { read(key, $0) }
        } onCancel: {
            let reader = contents.withLock { contents -> CheckedContinuation<Element?, Never>? in
                guard let index = contents.readers.firstIndex(where: { $0.key == key }) else { return nil }
                return contents.readers.remove(at: index).continuation
            }
            reader?.resume(returning: nil)
        }
    }

    private func read(_ key: Int, _ continuation: CheckedContinuation<Element?, Never>) {
        let (answer, waiters) = contents.withLock { contents -> (Answer, [@Sendable () -> Void]) in
            if !contents.elements.isEmpty { return (.element(contents.elements.removeFirst()), []) }
            if contents.isFinished || Task.isCancelled { return (.end, contents.takeWaiters()) }
            contents.readers.append((key, continuation))
            return (.later, contents.takeWaiters())
        }
        switch answer {
        case .element(let element): continuation.resume(returning: element)
        case .end: continuation.resume(returning: nil)
        case .later: break
        }
        for waiter in waiters { waiter() }
    }

    /// Marks the queue as not being read, because the reading loop has ended; waiting elements are kept for another
    /// loop.
    func pause() {
        let waiters = contents.withLock { contents in
            contents.isRead = false
            return contents.takeWaiters()
        }
        for waiter in waiters { waiter() }
    }

    /// Ends the queue, so that every reading loop stops, and returns the elements that were not read.
    @discardableResult
    func finish() -> [Element] {
        let (readers, waiters, left) = contents.withLock { contents in
            contents.isFinished = true
            defer {
                contents.readers = []
                contents.elements = []
            }
            return (contents.readers, contents.takeWaiters(), contents.elements)
        }
        for reader in readers { reader.continuation.resume(returning: nil) }
        for waiter in waiters { waiter() }
        return left
    }

    func whenSettled(_ done: @escaping @Sendable () -> Void) {
        let isSettled = contents.withLock { contents in
            if !contents.isSettled { contents.waiters.append(done) }
            return contents.isSettled
        }
        if isSettled { done() }
    }
}
