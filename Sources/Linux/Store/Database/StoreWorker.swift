public import Reactor
internal import Synchronization

/// The thread that writes the state files, so that no other thread waits for the card.
///
/// All changes submitted while a transaction is being synced go into the next transaction together, which is made as a
/// whole or not at all, and has one outcome. A class, because the reactor's thread and its mailbox share it; every call
/// is made on the reactor's thread.
public final class StoreWorker {
    /// Called for every ticket, on the reactor's thread; the error is nil when the ticket's changes are on the card.
    public typealias Completion = (_ ticket: UInt32, _ error: StoreError?) -> Void

    /// The most submissions that wait for their outcome, and the most changes that wait for a transaction.
    public static let capacity = 1024

    private enum Mode {
        case inline(StateFilesBox)
        case thread(StoreQueue)
    }

    private let mode: Mode
    private let completion: Completion
    /// The path of the database.
    private let path: String
    /// The number of submissions that were not answered yet.
    public private(set) var outstanding = 0
    /// The number of jobs that were taken so far; the last job has this number.
    private var jobs: UInt64 = 0
    /// What to do with the answers of jobs that are not done yet, by job.
    private var answers: [UInt64: () -> Void] = [:]

    /// Writes on the caller's thread, for simulated clocks: `submit` calls the completion before it returns.
    public init(inline files: consuming StateFiles, completion: @escaping Completion) {
        path = files.path
        mode = .inline(StateFilesBox(files))
        self.completion = completion
    }

    /// Writes on its own thread, which sleeps while there is no work.
    public init(
        _ files: consuming StateFiles, reactor: Reactor, completion: @escaping Completion
    ) throws(SystemError) {
        path = files.path
        self.completion = completion
        let queue = try StoreQueue(path: path)
        mode = .thread(queue)
        // A message says that there are outcomes; one message is enough for any number of outcomes.
        let mailbox = try reactor.makeMailbox(capacity: 1) { [weak self] (_: Void) in
            self?.answer()
        }
        try queue.start(StateFilesBox(files), mailbox)
    }

    deinit {
        if case .thread(let queue) = mode { queue.finish() }
    }

    /// Submits changes, which are made in the order of the submissions.
    ///
    /// Where several changes wait for one row, only the last is written. This throws, and takes nothing, where more
    /// than `capacity` submissions would be unanswered, or more than `capacity` changes would wait; a single longer
    /// submission is taken while no other waits.
    public func submit(ticket: UInt32, _ changes: [StateChange]) throws(StoreError) {
        for case .put(let row) in changes where row.byteCount > StateRow.maximumBytes {
            throw StoreError(.rowTooLarge, path: path)
        }
        switch mode {
        case .inline(let box):
            guard box.isOpen else { throw StoreError(.closed, path: path) }
            completion(ticket, box.outcome(of: changes))
        case .thread(let queue):
            try admit { () throws(StoreError) in try queue.submit(ticket, changes) }
        }
    }

    /// Runs other work on the database, such as reading the track, after everything that was submitted before.
    ///
    /// - Parameter then: Called with the answer on the reactor's thread.
    public func perform<Answer: Sendable>(
        _ work: @escaping @Sendable (inout Database) throws(StoreError) -> Answer,
        then: @escaping (Result<Answer, StoreError>) -> Void
    ) throws(StoreError) {
        switch mode {
        case .inline(let box):
            guard box.isOpen else { throw StoreError(.closed, path: path) }
            then(box.perform(work))
        case .thread(let queue):
            let held = AnswerBox<Answer>()
            jobs += 1
            try admit { () throws(StoreError) in
                try queue.submit(jobs) { box in held.answer.withLock { $0 = box.perform(work) } }
            }
            answers[jobs] = { if let answer = held.answer.withLock({ $0 }) { then(answer) } }
        }
    }

    /// Waits until everything that was submitted is written, reports its outcomes, and closes the files.
    public func stop() {
        switch mode {
        case .inline(let box): box.close()
        case .thread(let queue):
            queue.finish()
            answer()
        }
    }

    private func admit(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        guard outstanding < StoreWorker.capacity else { throw StoreError(.backlog, path: path) }
        try body()
        outstanding += 1
    }

    private func answer() {
        guard case .thread(let queue) = mode else { return }
        for finished in queue.takeFinished() {
            switch finished {
            case .transaction(let tickets, let error):
                outstanding -= tickets.count
                for ticket in tickets { completion(ticket, error) }
            case .job(let number):
                outstanding -= 1
                answers.removeValue(forKey: number)?()
            }
        }
    }
}

/// Carries an answer between the threads; a class, because both threads hold it.
private final class AnswerBox<Answer: Sendable>: Sendable {
    let answer = Mutex<Result<Answer, StoreError>?>(nil)
}
