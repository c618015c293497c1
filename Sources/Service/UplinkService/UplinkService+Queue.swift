internal import SextantUplink
internal import Store

/// The reducer's orders to the queue, and the retries while the card refuses them.
extension UplinkService {
    /// The longest that a fix is in memory alone; seconds.
    private static let tailSeconds: Int64 = 300
    /// Seconds until what the card refused is tried again.
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
            // A fix stays in memory, where the next attempt finds it; a question has an answer, or all would stand still.
            case .store(let record) where record.kind == .fix: break
            case .read: inputs.append(.unreadable)
            default: unstored.append(output)
            }
            plan(.store, inSeconds: UplinkService.storeSeconds)
        }
    }

    private func noteSuccess() { if unstored.isEmpty { queueProblem = queue.problem.map { "\($0)" } } }

    /// Notes why the card refuses something; the log has one line for it.
    private func note(_ error: StoreError) {
        // A damaged file is logged once, when it is set aside.
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

    /// Stores what the card refused; where it does not have the queue, begins the queue there.
    func storeAgain() {
        if let damage { leaveCard(because: damage) }
        guard queue.problem == nil || moveToCard() else { return }
        let again = unstored
        unstored = []
        again.forEach(store)
        flush()
        feed(.tick)
    }

    /// Goes on in memory, which closes the damaged file: opening it again sets it aside.
    private func leaveCard(because error: StoreError) {
        damage = nil
        guard let other = try? UplinkQueue.inMemory(places.state, places.runtime, places.boot, because: error) else {
            return note(error)
        }
        replaceQueue(by: other)
        (queueProblem, postponed) = ("\(error)", UplinkService.postponements)
    }

    /// Moves the queue from memory to the card, if that takes it now.
    ///
    /// Fixes get other numbers by that, so none should be under way; half a minute later that is waited for no longer.
    private func moveToCard() -> Bool {
        if uplink.awaitsWord, postponed < UplinkService.postponements {
            postponed += 1
            plan(.store, inSeconds: 3)
            return false
        }
        postponed = 0
        guard let opened = try? UplinkQueue.onCard(places.state, places.runtime, places.boot) else {
            plan(.store, inSeconds: UplinkService.storeSeconds)
            return false
        }
        replaceQueue(by: opened)
        log("the queue is on the card again")
        return true
    }

    /// Goes on with another queue as after a start: sextantd tells again what nobody has acknowledged.
    private func replaceQueue(by other: UplinkQueue) {
        other.lost = queue.lost
        // Records are there, or come again.
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
