internal import Units

/// The host's end of the receiver's line: what the kernel keeps of its bytes, and what is on its way to it.
struct HostPort {
    /// Something that leaves the host and takes effect at the receiver.
    enum Departure {
        case bytes([UInt8])
        /// The host's rate changes, in bits per second.
        case baud(Int)
    }

    /// What Linux's line discipline holds unread (N_TTY_BUF_SIZE).
    private static let capacity = 4096

    /// Bytes that came and are not read yet.
    private(set) var input: [UInt8] = []
    /// The instant until which reading is suspended; nil while it is active.
    private(set) var restUntil: MonotonicInstant?
    private var departures: [(instant: MonotonicInstant, departure: Departure)] = []
    private var freeAt = MonotonicInstant.zero
    /// The rate at which the next bytes written will leave, in bits per second.
    private var baud = 9600

    /// When something of the host's own is due here.
    var nextInstant: MonotonicInstant? {
        guard let first = departures.first?.instant else { return restUntil }
        return restUntil.map { min($0, first) } ?? first
    }

    // MARK: From the receiver

    /// Takes what the receiver sent; what has no room is lost.
    mutating func arrive(_ bytes: borrowing Span<UInt8>) {
        for index in 0..<min(bytes.count, HostPort.capacity - input.count) { input.append(bytes[index]) }
    }

    /// Reads all that came.
    mutating func takeInput() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &input)
        return taken
    }

    /// Returns what was read, for its memory.
    mutating func giveBack(_ taken: consuming [UInt8]) {
        input = taken
        discardInput()
    }

    mutating func discardInput() { input.removeAll(keepingCapacity: true) }

    mutating func rest(until instant: MonotonicInstant) { restUntil = instant }

    /// Whether bytes that come now are left to the kernel.
    var isResting: Bool { restUntil != nil }

    /// Whether there is something to read, and somebody who reads.
    mutating func isReadable(at instant: MonotonicInstant) -> Bool {
        if let restUntil, restUntil <= instant { self.restUntil = nil }
        return restUntil == nil && !input.isEmpty
    }

    // MARK: To the receiver

    mutating func open(baud: Int) {
        self.baud = baud
        input.removeAll(keepingCapacity: true)
        departures = [(freeAt, .baud(baud))]
        restUntil = nil
    }

    /// Sends bytes, behind those that have not left yet.
    mutating func transmit(_ bytes: [UInt8], at instant: MonotonicInstant) {
        let duration = Int64(bytes.count) * 10_000_000_000 / Int64(baud)
        freeAt = max(freeAt, instant).advanced(byNanoseconds: duration)
        departures.append((freeAt, .bytes(bytes)))
    }

    /// Changes the rate once all has left.
    mutating func setBaud(_ rate: Int, at instant: MonotonicInstant) {
        freeAt = max(freeAt, instant)
        departures.append((freeAt, .baud(rate)))
        baud = rate
    }

    /// Removes and returns the earliest departure that is due by an instant; nil where there is none.
    mutating func departed(by instant: MonotonicInstant) -> Departure? {
        guard let first = departures.first, first.instant <= instant else { return nil }
        return departures.removeFirst().departure
    }
}
