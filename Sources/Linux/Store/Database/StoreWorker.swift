public import SextantReactor
internal import Synchronization

/// A thread of its own that reads and writes the state files, so that no other thread waits for the storage card.
///
/// A class, because the reactor's thread and its mailbox share it; its functions are called, and it calls back, on the
/// reactor's thread.
public final class StoreWorker {
    private enum Mode {
        case inline(StateFilesBox)
        case thread(StoreQueue)
    }

    private let mode: Mode
    /// The path of the database.
    private let path: String
    /// The number of jobs that were given out, which is also the number of the latest job.
    private var jobs: UInt64 = 0
    /// The callbacks of the jobs that are not done yet, by the number of the job.
    private var answers: [UInt64: () -> Void] = [:]
    /// Called with texts for the operator about damage that a job has found; the job's own callback is called
    /// afterwards.
    public var onNews: (String) -> Void = { _ in }

    /// Works on the caller's thread, as virtual clocks need it: the callback is called before the call returns.
    public init(inline files: consuming StateFiles) {
        path = files.path
        mode = .inline(StateFilesBox(files))
    }

    /// Works on a thread of its own, which sleeps while there is no work.
    public init(_ files: consuming StateFiles, reactor: Reactor) throws(SystemError) {
        path = files.path
        let queue = try StoreQueue(path: path)
        mode = .thread(queue)
        // The mailbox has room for one message, because a message only says that some jobs are done.
        let mailbox = try reactor.makeMailbox(capacity: 1) { [weak self] (_: Void) in
            self?.answer()
        }
        try queue.start(StateFilesBox(files), mailbox)
    }

    deinit {
        if case .thread(let queue) = mode { queue.finish() }
    }

    /// Makes changes in one transaction, after all changes that were given earlier.
    ///
    /// - Parameter then: Called with nil when the changes are on the storage card, or with an error if none of them was
    ///   made.
    public func submit(_ changes: [StateChange], then: @escaping (StoreError?) -> Void) throws(StoreError) {
        try add(isTransaction: true) { box in
            box.outcome(of: changes)
        } then: {
            then($0)
        }
    }

    /// Runs other work on the database, such as reading the track, after all changes that wait at the time of the call.
    ///
    /// - Parameter then: Called with the answer of the work, or with its error.
    public func perform<Answer: Sendable>(
        _ work: @escaping @Sendable (inout Database) throws(StoreError) -> Answer,
        then: @escaping (Result<Answer, StoreError>) -> Void
    ) throws(StoreError) {
        try add(isTransaction: false, { box in box.perform(work) }, then: then)
    }

    /// Waits until all jobs are done, calls their callbacks, and closes the files.
    public func stop() {
        switch mode {
        case .inline(let box): box.close()
        case .thread(let queue):
            queue.finish()
            answer()
        }
    }

    /// The number of times that the store's own thread has woken; 0 if the work is done on the caller's thread.
    var rounds: Int {
        switch mode {
        case .inline: 0
        case .thread(let queue): queue.rounds
        }
    }

    private func add<Answer: Sendable>(
        isTransaction: Bool, _ work: @escaping @Sendable (StateFilesBox) -> Answer, then: @escaping (Answer) -> Void
    ) throws(StoreError) {
        switch mode {
        case .inline(let box):
            guard box.isOpen else { throw StoreError(.closed, path: path) }
            let answer = work(box)
            box.takeNews().forEach(onNews)
            then(answer)
        case .thread(let queue):
            let held = AnswerBox<Answer>()
            jobs += 1
            let job = StoreQueue.Job(number: jobs) { box in
                let answer = work(box)
                let news = box.takeNews()
                held.answer.withLock { $0 = (answer, news) }
            }
            try queue.add(job, isTransaction: isTransaction)
            answers[jobs] = { [unowned self] in
                guard let (answer, news) = held.answer.withLock({ $0 }) else { return }
                news.forEach(onNews)
                then(answer)
            }
        }
    }

    private func answer() {
        guard case .thread(let queue) = mode else { return }
        for number in queue.takeFinished() { answers.removeValue(forKey: number)?() }
    }
}

/// Carries a result from one thread to the other; a class, because both threads hold it.
private final class AnswerBox<Answer: Sendable>: Sendable {
    let answer = Mutex<(answer: Answer, news: [String])?>(nil)
}
