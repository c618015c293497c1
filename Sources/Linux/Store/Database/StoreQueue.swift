internal import CSextantLinux
internal import SextantReactor
internal import Synchronization

/// The queue of jobs (reads and writes of the database) that the reactor's thread gives to the store's thread.
///
/// A class, because both threads hold it. The queue itself has no limit: its user gives it one transaction at a time,
/// and limits its reads.
final class StoreQueue: Sendable {
    /// A piece of work, with a number by which the thread reports that it is done.
    struct Job: Sendable {
        var number: UInt64
        var work: @Sendable (StateFilesBox) -> Void
    }

    private struct State: Sendable {
        var transactions: [Job] = []
        var others: [Job] = []
        var finished: [UInt64] = []
        var isFinishing = false
        /// The number of times that the store's thread has woken.
        var rounds = 0

        /// Takes the oldest waiting transaction; if no transaction waits, the oldest other job, so that a transaction
        /// waits for at most one other job.
        mutating func takeNext() -> Job? {
            if !transactions.isEmpty { return transactions.removeFirst() }
            return others.isEmpty ? nil : others.removeFirst()
        }
    }

    private let state = Mutex(State())
    /// A counter (eventfd) that is raised when there is work; the store's thread waits for it.
    private let work: Descriptor
    /// A counter (eventfd) that is raised when the store's thread has ended.
    private let end: Descriptor
    /// The path of the database.
    private let path: String

    init(path: String) throws(SystemError) {
        self.path = path
        work = Descriptor(adopting: try SystemError.check(clinux_counter_open(), "eventfd"))
        end = Descriptor(adopting: try SystemError.check(clinux_counter_open(), "eventfd"))
    }

    // MARK: The reactor's side

    func start(_ box: StateFilesBox, _ mailbox: Mailbox<Void>) throws(SystemError) {
        do throws(SystemError) {
            try Thread.start("sextant-store") { [self] in
                serve(box, mailbox)
                box.close()
                _ = end.withRawValue { clinux_counter_post($0) }
            }
        } catch {
            // No thread was started, so `finish` must not wait for its end.
            state.withLock { $0.isFinishing = true }
            throw error
        }
    }

    func add(_ job: Job, isTransaction: Bool) throws(StoreError) {
        try state.withLock { state throws(StoreError) in
            guard !state.isFinishing else { throw StoreError(.closed, path: path) }
            if isTransaction { state.transactions.append(job) } else { state.others.append(job) }
        }
        _ = work.withRawValue { clinux_counter_post($0) }
    }

    /// The numbers of the jobs that were done since the last call, in the order in which they were done.
    func takeFinished() -> [UInt64] {
        state.withLock { state in
            defer { state.finished.removeAll() }
            return state.finished
        }
    }

    /// The number of times that the store's thread has woken: at most one for each job, since it sleeps without work.
    var rounds: Int { state.withLock { $0.rounds } }

    /// Has the store's thread do all waiting jobs and end, and waits until it has ended.
    func finish() {
        let wasFinishing = state.withLock { state in
            defer { state.isFinishing = true }
            return state.isFinishing
        }
        guard !wasFinishing else { return }
        _ = work.withRawValue { clinux_counter_post($0) }
        while end.withRawValue({ clinux_wait_readable($0, -1) }) != 1 {}
    }

    // MARK: The worker's side

    private func serve(_ box: StateFilesBox, _ mailbox: Mailbox<Void>) {
        while true {
            // The counter is cleared before the queue is read, so that a job added in between wakes the thread again.
            _ = work.withRawValue { clinux_wait_readable($0, -1) }
            _ = work.withRawValue { clinux_counter_clear($0) }
            let isFinishing = state.withLock { state in
                state.rounds += 1
                return state.isFinishing
            }
            while let job = state.withLock({ $0.takeNext() }) {
                job.work(box)
                state.withLock { $0.finished.append(job.number) }
                // If the mailbox is full, its message already wakes the reactor, so this message can be lost.
                mailbox.post(())
            }
            if isFinishing { return }
        }
    }
}
