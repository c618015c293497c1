internal import SextantUplink
internal import Store

/// Carries out the orders of the reducer (the uplink's state machine) for the queue, and tries again what could not be
/// written to the storage card.
extension UplinkService {
    /// The longest time in seconds for which a fix is only in memory before it is written to the storage card.
    private static let tailSeconds: Int64 = 300
    /// Seconds until a failed write to the storage card is tried again.
    static let storeSeconds: Int64 = 30
    private static let postponements = 10

    func store(_ output: UplinkOutput) {
        do throws(StoreError) {
            try attempt(output)
            noteSuccess()
        } catch {
            if case .damaged = error.kind { damage = error }
            note(error)
            switch output {
            // The order to store a fix is not kept, since the fix stays in memory, where the next attempt finds it; a
            // read must be answered, or the reducer (the uplink's state machine) would wait forever.
            case .store(let record) where record.kind == .fix: break
            case .read: inputs.append(.unreadable)
            default: unstored.append(output)
            }
            plan(.store, inSeconds: UplinkService.storeSeconds)
        }
    }

    private func noteSuccess() { if unstored.isEmpty { queueProblem = queue.problem.map { "\($0)" } } }

    /// Records why the queue cannot be written, and logs the reason if it is new.
    private func note(_ error: StoreError) {
        // The damage of a file is not logged here, but when the file is renamed.
        if queueProblem != "\(error)", damage == nil { log("\(error)") }
        queueProblem = "\(error)"
    }

    private func attempt(_ output: UplinkOutput) throws(StoreError) {
        switch output {
        case .store(let record):
            try queue.store(record)
            if record.kind == .event { inputs.append(.stored(n: record.n)) }
        case .thin(let numbers, let record):
            try queue.thin(removing: numbers, record: record)
            inputs.append(.stored(n: record.n))
            try tellLoad()
        case .discard(let numbers):
            try queue.discard(numbers)
            try tellLoad()
        case .remove(let numbers):
            try queue.remove(numbers)
            try tellLoad()
        case .removeOldestEvents(let count):
            try queue.removeOldestEvents(count: count)
            try tellLoad()
        case .read(let number, let kind, let limit):
            inputs.append(.rows(try queue.records(kind, from: number, limit: limit)))
        case .eraseQueue:
            try queue.erase()
            if let number = daemon.erasure { acknowledge(number) }
            daemon.erasure = nil
            try tellLoad()
        case .rememberCommand(let id): try queue.remember(command: id)
        case .noteRetained(let isRetained): try queue.note(isRetained: isRetained)
        case .setRegion(let region): try queue.set(region)
        case .removeRegion(let identifier): try queue.removeRegion(identifier)
        default: break
        }
    }

    private func tellLoad() throws(StoreError) { inputs.append(.load(try queue.load())) }

    func planFlush() {
        if !queue.hasTail {
            forget(.flush)
        } else if jobs[.flush] == nil {
            plan(.flush, inSeconds: UplinkService.tailSeconds)
        }
    }

    func flush() {
        do throws(StoreError) {
            try queue.flush()
            noteSuccess()
        } catch {
            note(error)
        }
    }

    /// Tries again to store what could not be written; if the queue is only in memory, first moves it to the storage
    /// card.
    func storeAgain() {
        if let damage { leaveCard(because: damage) }
        guard queue.problem == nil || moveToCard() else { return }
        let again = unstored
        unstored = []
        again.forEach(store)
        flush()
        feed(.tick)
    }

    /// Continues with a queue in memory, and so closes the damaged file on the storage card; the next attempt to open
    /// the file renames it.
    private func leaveCard(because error: StoreError) {
        damage = nil
        guard let other = try? UplinkQueue.inMemory(paths.state, paths.runtime, paths.boot, because: error) else {
            return note(error)
        }
        replaceQueue(by: other)
        (queueProblem, postponed) = ("\(error)", UplinkService.postponements)
    }

    /// Moves the queue from memory to the storage card, if the card can be written now.
    ///
    /// The move gives fixes new numbers, so it is postponed while the acknowledgement of a message is awaited, but for
    /// at most half a minute.
    private func moveToCard() -> Bool {
        if uplink.awaitsWord, postponed < UplinkService.postponements {
            postponed += 1
            plan(.store, inSeconds: 3)
            return false
        }
        postponed = 0
        guard let opened = try? UplinkQueue.onCard(paths.state, paths.runtime, paths.boot) else {
            plan(.store, inSeconds: UplinkService.storeSeconds)
            return false
        }
        replaceQueue(by: opened)
        log("the queue is on the card again")
        return true
    }

    /// Continues with another queue, as if the service had just started; the daemon sends again all events that were
    /// not acknowledged.
    private func replaceQueue(by other: UplinkQueue) {
        other.lost = queue.lost
        // Records that could not be stored in the old queue need not be stored again: fixes are in the new queue
        // already, and the daemon sends the events again.
        let rest = unstored.filter { output in
            switch output {
            case .rememberCommand, .noteRetained, .setRegion, .removeRegion: true
            default: false
            }
        }
        (queue, unstored) = (other, [])
        if other.problem == nil { rest.forEach(store) } else { unstored = [.noteRetained(true)] + rest }
        try? queue.describe()
        beginAnew()
    }
}
