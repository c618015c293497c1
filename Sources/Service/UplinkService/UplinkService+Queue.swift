internal import SextantUplink
internal import Store

/// The reducer's orders to the queue, and the retries while the card refuses them.
extension UplinkService {
    /// The longest that a fix is in memory alone; seconds.
    private static let tailSeconds: Int64 = 300

    func store(_ output: UplinkOutput) {
        do throws(StoreError) {
            try attempt(output)
            queueProblem = unstored.isEmpty ? nil : queueProblem
        } catch {
            if queueProblem == nil { log("\(error)") }
            queueProblem = "\(error)"
            switch output {
            // A fix stays in memory, where the next attempt finds it; a question has an answer, or all would stand still.
            case .store(let record) where record.kind == .fix: break
            case .read: inputs.append(.rows([]))
            default: unstored.append(output)
            }
            plan(.store, inSeconds: 30)
        }
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
            queueProblem = unstored.isEmpty ? nil : queueProblem
        } catch {
            queueProblem = "\(error)"
            log("\(error)")
        }
    }
}
