/// The script of an emulated receiver: which bytes to write on its serial line and when, step by step.
///
/// For a synthetic receiver and for a looping recording the script is endless unless a duration is given. Only the
/// steps of one epoch at a time are held in memory.
public struct ReceiverScript: Sendable {
    public enum Source: Sendable {
        case synthetic(SyntheticReceiver)
        case recording(RecordingPlayer)

        /// The bytes of the next epoch; nil if a recording has ended.
        public mutating func nextBurst() -> Burst? {
            switch self {
            case .synthetic(var receiver):
                let burst = receiver.nextBurst()
                self = .synthetic(receiver)
                return burst
            case .recording(var player):
                let burst = player.nextBurst()
                self = .recording(player)
                return burst
            }
        }
    }

    private var source: Source
    public private(set) var pacer: Pacer
    public private(set) var faults: Faults
    /// The duration of playback in nanoseconds; nil for no end.
    private let duration: Int64?
    private var pending: [Step] = []
    private var cursor = 0
    private var isOver = false

    /// Plays a source for a number of seconds of playback, or without end if the number is nil.
    ///
    /// An epoch whose bytes have begun before the end is played to its own end.
    public init(source: Source, pacer: Pacer, faults: Faults, durationSeconds: Double?) {
        precondition((0...1e9).contains(durationSeconds ?? 0), "a duration is 0 to 1e9 seconds")
        self.source = source
        self.pacer = pacer
        self.faults = faults
        duration = durationSeconds.map { Int64(($0 * 1e9).rounded()) }
    }

    /// The next step, never earlier than the previous one; nil if everything has been played.
    public mutating func next() -> Step? {
        while cursor == pending.count {
            guard !isOver else { return nil }
            refill()
        }
        defer { cursor += 1 }
        return pending[cursor]
    }

    private mutating func refill() {
        pending.removeAll(keepingCapacity: true)
        cursor = 0
        guard let burst = source.nextBurst(), duration.map({ pacer.played(burst.offset) < $0 }) ?? true else {
            isOver = true
            pending = faults.finalSteps()
            return
        }
        for crumb in pacer.crumbs(of: burst) { pending += faults.steps(from: crumb) }
    }
}
