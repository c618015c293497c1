internal import SextantUnits

/// The simulated host's serial port to the receiver: arrived bytes that the kernel holds, and bytes still to be sent.
struct SerialLine {
    /// Bytes that leave the host for the receiver, or a change of the host's baud rate.
    enum Departure {
        case bytes([UInt8])
        /// The host's port changes to this rate, in bits per second.
        case baud(Int)
    }

    /// The largest number of unread bytes that Linux's line discipline holds (N_TTY_BUF_SIZE).
    private static let capacity = 4096

    /// Bytes that have arrived and that the host has not read yet.
    private(set) var input: [UInt8] = []
    /// The instant until which the daemon suspends reading; nil if reading is not suspended.
    private(set) var restUntil: MonotonicInstant?
    private var departures: [(instant: MonotonicInstant, departure: Departure)] = []
    private var freeAt = MonotonicInstant.zero
    /// The rate at which the next written bytes will be sent, in bits per second.
    private var baud = 9600

    /// The next instant at which bytes or a change of rate leave the host, or at which reading resumes; nil if nothing
    /// is scheduled.
    var nextInstant: MonotonicInstant? {
        guard let first = departures.first?.instant else { return restUntil }
        return restUntil.map { min($0, first) } ?? first
    }

    // MARK: From the receiver

    /// Takes bytes that the receiver sent; bytes beyond the kernel's capacity are lost.
    mutating func arrive(_ bytes: borrowing Span<UInt8>) {
        for index in 0..<min(bytes.count, SerialLine.capacity - input.count) { input.append(bytes[index]) }
    }

    /// Removes and returns all bytes that have arrived.
    mutating func takeInput() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &input)
        return taken
    }

    /// Takes back an array from `takeInput` to reuse its memory.
    mutating func giveBack(_ taken: consuming [UInt8]) {
        input = taken
        discardInput()
    }

    mutating func discardInput() { input.removeAll(keepingCapacity: true) }

    mutating func rest(until instant: MonotonicInstant) { restUntil = instant }

    /// Whether reading is suspended, so that arriving bytes stay in the kernel.
    var isResting: Bool { restUntil != nil }

    /// Whether there are bytes to read and reading is not suspended.
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

    /// Sends bytes to the receiver, after all bytes that are still waiting to be sent.
    mutating func transmit(_ bytes: [UInt8], at instant: MonotonicInstant) {
        let duration = Int64(bytes.count) * 10_000_000_000 / Int64(baud)
        freeAt = max(freeAt, instant).advanced(byNanoseconds: duration)
        departures.append((freeAt, .bytes(bytes)))
    }

    /// Changes the rate as soon as all bytes written so far have left.
    mutating func setBaud(_ rate: Int, at instant: MonotonicInstant) {
        freeAt = max(freeAt, instant)
        departures.append((freeAt, .baud(rate)))
        baud = rate
    }

    /// Removes and returns the earliest bytes or change of rate that leave the host at or before an instant; nil if
    /// there are none.
    mutating func departed(by instant: MonotonicInstant) -> Departure? {
        guard let first = departures.first, first.instant <= instant else { return nil }
        return departures.removeFirst().departure
    }
}
