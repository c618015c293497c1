internal import CLinux
internal import Reactor
internal import Synchronization

/// The queue of work and outcomes that the reactor's thread and the database's thread share.
///
/// A class, because both threads hold it.
final class StoreQueue: Sendable {
    typealias Job = @Sendable (StateFilesBox) -> Void

    /// The outcome of one transaction, or of one job.
    enum Finished: Sendable {
        case transaction(tickets: [UInt32], StoreError?)
        case job(UInt64)
    }

    private struct State: Sendable {
        var waiting = StateBatch()
        /// The tickets of the submissions that wait, which are answered together.
        var tickets: [UInt32] = []
        var jobs: [(number: UInt64, job: Job)] = []
        var finished: [Finished] = []
        var isFinishing = false
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

    func submit(_ ticket: UInt32, _ changes: [StateChange]) throws(StoreError) {
        try admit { state throws(StoreError) in
            guard state.tickets.isEmpty || state.waiting.changes.count + changes.count <= StoreWorker.capacity else {
                throw StoreError(.backlog, path: path)
            }
            state.tickets.append(ticket)
            state.waiting.add(changes)
        }
    }

    func submit(_ number: UInt64, _ job: @escaping Job) throws(StoreError) {
        try admit { state throws(StoreError) in state.jobs.append((number, job)) }
    }

    private func admit(_ body: (inout State) throws(StoreError) -> Void) throws(StoreError) {
        try state.withLock { state throws(StoreError) in
            guard !state.isFinishing else { throw StoreError(.closed, path: path) }
            try body(&state)
        }
        _ = work.withRawValue { clinux_counter_post($0) }
    }

    func takeFinished() -> [Finished] {
        state.withLock { state in
            defer { state.finished.removeAll() }
            return state.finished
        }
    }

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
            // The counter is cleared before the queue is read, so that no submission is missed.
            _ = work.withRawValue { clinux_wait_readable($0, -1) }
            _ = work.withRawValue { clinux_counter_clear($0) }
            let isFinishing = state.withLock { $0.isFinishing }
            while let finished = serveNext(box) {
                state.withLock { $0.finished.append(finished) }
                // A mailbox that is full has woken the reactor already.
                mailbox.post(())
            }
            if isFinishing { return }
        }
    }

    /// Writes everything that waits, or else does the first job; nil where there is neither.
    ///
    /// Jobs are done one at a time, so that changes wait for one at most.
    private func serveNext(_ box: StateFilesBox) -> Finished? {
        let (tickets, batch, job) = state.withLock { state in
            defer { (state.tickets, state.waiting) = ([], StateBatch()) }
            let isJobsTurn = state.tickets.isEmpty && !state.jobs.isEmpty
            return (state.tickets, state.waiting, isJobsTurn ? state.jobs.removeFirst() : nil)
        }
        if let (number, job) = job {
            job(box)
            return .job(number)
        }
        return tickets.isEmpty ? nil : .transaction(tickets: tickets, box.outcome(of: batch.changes))
    }
}
