internal import SextantUnits
internal import SextantUplink

/// One simulated device: the uplink's state machine (the reducer) as boards run it, with a queue in memory.
///
/// The records stay in the queue until the collecting program acknowledges them. All records are fixes, so the queue
/// supports only appending, reading and removing.
struct FleetDevice {
    /// A step that the device's connection must carry out.
    enum Step: Equatable {
        case connect(will: UplinkMessage?)
        case disconnect
        case subscribe(String)
        case publish(UplinkMessage, token: UInt32)
    }

    private var uplink: Uplink
    /// The fixes that the collecting program has not acknowledged, in the order of their numbers.
    private var queue: [UplinkRecord] = []
    private var bytes = 0
    /// The instant at which the uplink's state machine wants to be called with a tick; nil for never.
    private(set) var wake: MonotonicInstant?

    /// - Parameters:
    ///   - spread: The number of seconds over which reconnections after a loss are spread.
    ///   - seed: Random bits that differ for each device.
    init(id: String, spread: Double, usesTLS: Bool, seed: UInt64) {
        var configuration = UplinkConfiguration(id: id, name: id)
        configuration.delivery = .receiver
        configuration.spread = spread
        configuration.usesTLS = usesTLS
        uplink = Uplink(configuration, seed: seed)
    }

    var id: String { uplink.configuration.id }
    var unacknowledged: Int { queue.count }
    /// The number of messages that repeated records which had been sent before.
    var repeated: Int { uplink.status.repeated }

    /// Gives the uplink's state machine an input.
    ///
    /// - Returns: What the connection must do next, and the times of the fixes that the collecting program has stored.
    mutating func take(
        _ input: UplinkInput, at now: MonotonicInstant, utc: UTCInstant
    ) -> (steps: [Step], stored: [UTCInstant]) {
        var (steps, stored): ([Step], [UTCInstant]) = ([], [])
        var inputs = [input]
        while !inputs.isEmpty {
            var outputs: [UplinkOutput] = []
            uplink.handle(inputs.removeFirst(), at: now, utc: utc, into: &outputs)
            for output in outputs {
                switch output {
                case .store(let record): store(record)
                case .read(let first, let kind, let limit):
                    let rows = kind == .event ? [] : Array(queue.lazy.filter { $0.n >= first }.prefix(limit))
                    inputs.append(.rows(rows))
                case .remove(let numbers):
                    stored += remove(numbers)
                    inputs.append(.load(load))
                case .connect(let will): steps.append(.connect(will: will))
                case .disconnect: steps.append(.disconnect)
                case .subscribe(let topic): steps.append(.subscribe(topic))
                case .publish(let message, let token): steps.append(.publish(message, token: token))
                case .wake(let instant): wake = instant
                case .discard, .thin, .removeOldestEvents, .eraseQueue, .noteRetained, .acknowledge, .command,
                    .rememberCommand, .setRegion, .removeRegion:
                    break
                }
            }
        }
        return (steps, stored)
    }

    private var load: UplinkLoad {
        UplinkLoad(fixes: queue.count, bytes: bytes, oldest: queue.first?.n, oldestTime: queue.first?.time)
    }

    private mutating func store(_ record: UplinkRecord) {
        queue.append(record)
        bytes += record.cost
    }

    private mutating func remove(_ numbers: ClosedRange<Int64>) -> [UTCInstant] {
        let gone = queue.filter { numbers.contains($0.n) }
        queue.removeAll { numbers.contains($0.n) }
        bytes -= gone.reduce(0) { $0 + $1.cost }
        return gone.compactMap(\.time)
    }
}
