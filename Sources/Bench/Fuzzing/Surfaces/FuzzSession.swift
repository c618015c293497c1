internal import SextantUnits

/// A run of inputs through one decoding chain; it depends on one seed, so that it can be repeated alone.
///
/// The inputs follow one another as on a serial line: bytes that one input leaves undecoded precede the next input.
public struct FuzzSession: ~Copyable {
    /// The number of inputs in a session.
    public static let inputCount = 64

    private let seeds = SeedBank()
    private var chain = DecodingChain()
    private var mutator = Mutator()
    private var input: [UInt8] = []

    public init() {
        input.reserveCapacity(1 << 16)
    }

    public var epochCount: Int { chain.epochCount }
    /// The number of bytes that the chain has decoded.
    public private(set) var byteCount = 0
    /// The number of complete messages, without damaged ones.
    public private(set) var messageCount: UInt64 = 0

    /// Runs the inputs of session `number`, half of them in pieces; every 16th session is repeated with all inputs
    /// whole, and both runs must give equal results.
    public mutating func run(seed: UInt64, number: Int) throws(Violation) {
        try run(seed: seed, number: number, inPieces: true)
        guard number % 16 == 0 else { return }
        let digest = chain.digest
        try run(seed: seed, number: number, inPieces: false)
        guard chain.digest == digest else { throw .piecesMatter }
    }

    private mutating func run(seed: UInt64, number: Int, inPieces: Bool) throws(Violation) {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0x9FB2_1C65_1E98_DF25)
        var pieces = SplitMix64(seed: random.next())
        chain.reset()
        for index in 0..<FuzzSession.inputCount {
            compose(epoch: index, using: &random)
            byteCount += input.count
            try feed(inPieces: inPieces, using: &pieces)
            if random.oneIn(8) { try chain.silence() }
        }
        try chain.silence()
        messageCount += chain.messageCount
    }

    private mutating func compose(epoch: Int, using random: inout SplitMix64) {
        input.removeAll(keepingCapacity: true)
        let epoch = random.oneIn(8) ? random.below(SeedBank.epochCount) : epoch % SeedBank.epochCount
        let messages = seeds.epochs[epoch]
        for _ in 0...random.below(6) {
            mutator.append(
                messages[random.below(messages.count)], other: messages[random.below(messages.count)], to: &input,
                using: &random)
        }
    }

    private mutating func feed(inPieces: Bool, using random: inout SplitMix64) throws(Violation) {
        let input = input
        let bytes = input.span
        let largest = inPieces && random.oneIn(2) ? 1 + random.below(200) : nil
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + (largest.map { 1 + random.below($0) } ?? bytes.count))
            try chain.push(bytes.extracting(start..<end))
            start = end
        }
    }
}
