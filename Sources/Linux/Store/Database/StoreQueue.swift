internal import CSextantLinux
internal import SextantReactor
internal import Synchronization

/// The work that the reactor's thread gives to the store's thread.
///
/// A class, because both threads hold it. It has no bound of its own: its user has one transaction under way at a time,
/// and bounds its reads.
final class StoreQueue: Sendable {
    /// A piece of work, with the number under which its end is told.
    struct Job: Sendable {
        var number: UInt64
        var work: @Sendable (StateFilesBox) -> Void
    }

    private struct State: Sendable {
        var transactions: [Job] = []
        var others: [Job] = []
        var finished: [UInt64] = []
        var isFinishing = false
        /// How often the worker has woken.
        var rounds = 0

        /// Takes the first transaction, or else the first of the others, so that a transaction waits for one at most.
        mutating func takeNext() -> Job? {
            if !transactions.isEmpty { return transactions.removeFirst() }
            return others.isEmpty ? nil : others.removeFirst()
        }
    }

    private let state = Mutex(State())
    /// A counter (eventfd) that is raised when there is work; the worker waits for it.
    private let work: Descriptor
    /// A counter (eventfd) that is raised when the worker has ended.
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
            // No worker was started, so `finish` must not wait for its end.
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

    /// The numbers of the jobs that ended since the last call, in the order in which they ended.
    func takeFinished() -> [UInt64] {
        state.withLock { state in
            defer { state.finished.removeAll() }
            return state.finished
        }
    }

    /// How often the worker has woken: once for each job at most, because it sleeps while there is no work.
    var rounds: Int { state.withLock { $0.rounds } }

    /// Makes the worker do everything that waits and end, and waits until it has ended.
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
            // The counter is cleared before the queue is read, so that no job is missed.
            _ = work.withRawValue { clinux_wait_readable($0, -1) }
            _ = work.withRawValue { clinux_counter_clear($0) }
            let isFinishing = state.withLock { state in
                state.rounds += 1
                return state.isFinishing
            }
            while let job = state.withLock({ $0.takeNext() }) {
                job.work(box)
                state.withLock { $0.finished.append(job.number) }
                // A mailbox that is full has woken the reactor already.
                mailbox.post(())
            }
            if isFinishing { return }
        }
    }
}
