import SextantUnits

/// Damages a stream of bytes as a bad line or a loose plug would; one seed always gives the same damage.
public struct Faults: Sendable {
    /// A span of the playback: its beginning, in seconds since the playback's start, and its length in seconds.
    public struct Window: Sendable, Hashable {
        public var afterSeconds: Double
        public var lengthSeconds: Double

        public init(afterSeconds: Double, lengthSeconds: Double) {
            precondition((0...1e9).contains(afterSeconds) && (0...1e9).contains(lengthSeconds), "0 to 1e9 seconds")
            self.afterSeconds = afterSeconds
            self.lengthSeconds = lengthSeconds
        }

        fileprivate var start: Int64 { Int64((afterSeconds * 1e9).rounded()) }
        fileprivate var end: Int64 { start + Int64((lengthSeconds * 1e9).rounded()) }
    }

    public struct Configuration: Sendable, Hashable {
        public var seed: UInt64
        /// The probability that a byte is lost, 0 to 1.
        public var dropProbability = 0.0
        /// The probability that one of a byte's bits is flipped, 0 to 1.
        public var flipProbability = 0.0
        /// The spans in which the receiver is silent; the bytes of these spans are lost.
        public var pauses: [Window] = []
        /// The spans in which the receiver is disconnected; the bytes of these spans are lost.
        ///
        /// The spans must not overlap.
        public var disconnects: [Window] = []

        public init(seed: UInt64) {
            self.seed = seed
        }
    }

    private let configuration: Configuration
    private var random: SplitMix64
    private var events: [Step]

    public private(set) var droppedBytes = 0
    public private(set) var flippedBits = 0
    /// The number of bytes lost in pauses and while disconnected.
    public private(set) var silencedBytes = 0

    public init(configuration: Configuration) {
        let disconnects = configuration.disconnects.sorted { $0.start < $1.start }
        precondition((0...1).contains(configuration.dropProbability), "a probability is 0 to 1")
        precondition((0...1).contains(configuration.flipProbability), "a probability is 0 to 1")
        precondition(zip(disconnects, disconnects.dropFirst()).allSatisfy { $0.end <= $1.start }, "no overlap")
        self.configuration = configuration
        random = SplitMix64(seed: configuration.seed)
        // The array is reversed, so that the next event is its last element.
        events = disconnects.flatMap {
            [Step(at: $0.start, action: .disconnect), Step(at: $0.end, action: .reconnect)]
        }.reversed()
    }

    /// Turns a few bytes from the UART into steps of the playback: first the disconnects and reconnects that are due,
    /// then a write of the bytes that are not lost.
    public mutating func steps(from crumb: Crumb) -> [Step] {
        var steps: [Step] = []
        while let event = events.last, event.at <= crumb.offset {
            steps.append(event)
            events.removeLast()
        }
        guard !isSilent(at: crumb.offset) else {
            silencedBytes += crumb.bytes.count
            return steps
        }
        let bytes = spoiled(crumb.bytes)
        if !bytes.isEmpty { steps.append(Step(at: crumb.offset, action: .write(bytes))) }
        return steps
    }

    /// The steps that remain at the end of the stream: a reconnect, if the receiver is disconnected then.
    public mutating func finalSteps() -> [Step] {
        defer { events.removeAll() }
        guard let event = events.last, event.action == .reconnect else { return [] }
        return [event]
    }

    private func isSilent(at offset: Int64) -> Bool {
        let holds = { (window: Window) in window.start <= offset && offset < window.end }
        return configuration.pauses.contains(where: holds) || configuration.disconnects.contains(where: holds)
    }

    private mutating func spoiled(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard configuration.dropProbability > 0 || configuration.flipProbability > 0 else { return Array(bytes) }
        var result: [UInt8] = []
        for byte in bytes {
            // The random numbers for a loss and for a flipped bit are both drawn for every byte, lost or not, so that a
            // lost byte does not change the damage to later bytes.
            let (isDropped, isFlipped) = (
                random.nextUnit() < configuration.dropProbability, random.nextUnit() < configuration.flipProbability
            )
            let bit = UInt8(random.next() & 7)
            guard !isDropped else {
                droppedBytes += 1
                continue
            }
            flippedBits += isFlipped ? 1 : 0
            result.append(isFlipped ? byte ^ (1 << bit) : byte)
        }
        return result
    }
}
