import CSextantLinux
import Glibc
public import SextantReactor
public import SextantUnits

/// The limits and the line separators of a listener's connections.
public struct ConnectionSettings: Sendable, Equatable {
    public var separators: LineSeparators
    /// The largest accepted length of a line from the peer, in bytes.
    public var lineLimit: Int
    /// The largest number of bytes that can wait for a slow reader, in addition to the kernel's own buffer.
    public var outputCapacity: Int

    public init(separators: LineSeparators, lineLimit: Int, outputCapacity: Int) {
        self.separators = separators
        self.lineLimit = lineLimit
        self.outputCapacity = outputCapacity
    }
}

/// One connection on a stream socket, served on the reactor's thread.
///
/// A class, because the reactor's handler and the server share the object; it is kept until the peer or the server
/// closes the connection.
public final class Connection {
    public enum Ending: Sendable, Equatable {
        case closedByPeer
        case failed(errno: Int32)
    }

    public let peer: Peer
    private let reactor: Reactor
    private var descriptor: Descriptor?
    private var registration: Registration?
    private var assembler: LineAssembler
    private var queue: OutputQueue
    private var input = [UInt8](repeating: 0, count: Connection.readLimit)
    /// Bytes that were read but not delivered as lines, because the connection was paused.
    private var undelivered: [UInt8] = []
    /// Whether lines from the peer are held back until `resume` is called.
    public private(set) var isPaused = false
    /// The largest number of bytes per read; a paused connection keeps at most this many, and the beginning of a line.
    private static let readLimit = 4096
    private var received: (LineEvent, Span<UInt8>) -> Void = { _, _ in }
    private var ended: (Ending) -> Void = { _ in }

    init(_ descriptor: consuming Descriptor, peer: Peer, reactor: Reactor, settings: ConnectionSettings) {
        self.peer = peer
        self.reactor = reactor
        self.descriptor = consume descriptor
        assembler = LineAssembler(separators: settings.separators, limit: settings.lineLimit)
        queue = OutputQueue(capacity: settings.outputCapacity)
    }

    public var isOpen: Bool { descriptor != nil }

    /// The number of bytes that wait for the peer to read.
    public var queuedByteCount: Int { queue.count }

    /// Begins to receive: `received` is called with each line, and `ended` once when the peer is gone; after `close`,
    /// neither is called.
    public func start(
        received: @escaping (LineEvent, Span<UInt8>) -> Void, ended: @escaping (Ending) -> Void
    ) throws(SystemError) {
        precondition(registration == nil, "started twice")
        self.received = received
        self.ended = ended
        guard descriptor != nil else { return }
        registration = try register(for: interest)
    }

    private func register(for interest: Interest) throws(SystemError) -> Registration? {
        try descriptor?.register(with: reactor, for: interest) { [self] in handle($0) }
    }

    /// Sends as many bytes as the kernel takes and queues the rest.
    ///
    /// Returns false if the queue is full or the peer is gone. Some of the bytes can have been sent by then, so the
    /// caller must close the connection.
    public func send(_ bytes: Span<UInt8>) -> Bool {
        guard descriptor != nil else { return false }
        guard queue.isEmpty else { return queue.append(bytes) }
        switch write(bytes) {
        case .bytes(bytes.count): return true
        case .bytes(let count): return enqueue(bytes.extracting(count..<bytes.count))
        case .wouldBlock: return enqueue(bytes)
        case .disconnected: return false
        }
    }

    public func send(_ bytes: [UInt8]) -> Bool { send(bytes.span) }

    /// Stops delivering lines until `resume`, even lines that were read already; sending continues.
    public func pause() {
        guard !isPaused else { return }
        isPaused = true
        _ = arm(interest)
    }

    /// Ends a pause: delivers the lines that were held back, and continues reading.
    public func resume() {
        guard isPaused else { return }
        isPaused = false
        let bytes = undelivered
        undelivered = []
        deliver(bytes.span)
        if !isPaused { _ = arm(interest) }
    }

    /// The events that the socket is watched for: input unless paused, and room for output while bytes are queued.
    private var interest: Interest {
        (isPaused ? Interest() : .read).union(queue.isEmpty ? Interest() : .write)
    }

    /// The owner of the other end of a TCP connection, asked of the kernel at each call; `unknown` if the connection is
    /// closed or not TCP.
    public var tcpPeer: TCPPeer {
        guard case .network = peer else { return .unknown }
        return descriptor?.withRawValue(TCPPeer.init(connectedTo:)) ?? .unknown
    }

    /// Ends the connection at once; queued bytes are lost.
    public func close() {
        if let registration { reactor.remove(registration) }
        descriptor = nil
        undelivered = []
        received = { _, _ in }
        ended = { _ in }
    }

    /// Sends a request and blocks until the peer's next line; use it only for a peer that answers at once.
    ///
    /// Call it only while a line from the peer is handled, or while the peer is known to have sent no line: a line that
    /// is still unread would be taken for the answer. Nil if the deadline has passed or the peer is gone.
    public func ask(_ question: [UInt8], deadline: MonotonicInstant) -> [UInt8]? {
        guard send(question.span) else { return nil }
        var answer = LineAssembler(separators: .newline, limit: 65_536)
        var line: [UInt8]?
        while line == nil, Clock.now() < deadline {
            flush()
            guard waitForInput(milliseconds: queue.isEmpty ? 100 : 1) else { continue }
            guard case .bytes(let count) = descriptor?.read(into: &input) else { return nil }
            answer.push(input.span.extracting(0..<count)) { event, text in
                if event == .line { line = text.indices.map { text[$0] } }
            }
        }
        return line
    }

    private func waitForInput(milliseconds limit: Int32) -> Bool {
        // A closed descriptor counts as readable: the next read finds out that it is closed.
        descriptor?.withRawValue { clinux_wait_readable($0, limit) } != 0
    }

    // MARK: Output

    private func enqueue(_ rest: Span<UInt8>) -> Bool {
        guard queue.append(rest) else { return false }
        return arm(interest)
    }

    private func arm(_ interest: Interest) -> Bool {
        guard let registration else { return true }
        do { try reactor.arm(registration, for: interest) } catch { return false }
        return true
    }

    private func write(_ bytes: Span<UInt8>) -> Transfer {
        descriptor?.send(bytes) ?? .disconnected(errno: EBADF)
    }

    private func flush() {
        guard !queue.isEmpty else { return }
        switch queue.withWaiting(write) {
        case .bytes(let count): queue.drop(count)
        case .wouldBlock: break
        case .disconnected(let errno): return end(errno)
        }
        if queue.isEmpty { _ = arm(interest) }
    }

    // MARK: Input

    private func handle(_ readiness: Readiness) {
        // Input comes first: if writing came first and failed, the last lines of a client that has left would be lost.
        if !readiness.isDisjoint(with: [.hungUp, .failed]) { return receiveToTheEnd() }
        if readiness.contains(.writable) { flush() }
        if readiness.contains(.readable), !isPaused { receiveOnce() }
    }

    private func receiveOnce() {
        switch descriptor?.read(into: &input) {
        case .bytes(let count): deliver(count)
        case .disconnected(let errno): end(errno)
        case .wouldBlock, nil: break
        }
    }

    /// After the peer has gone, reads everything that the kernel's buffer still holds, and ends the connection.
    ///
    /// If the connection is paused meanwhile, the reactor reports the hang-up again once the connection is resumed.
    private func receiveToTheEnd() {
        while descriptor != nil, !isPaused {
            switch descriptor?.read(into: &input) {
            case .bytes(let count):
                deliver(count)
                reactor.serveUrgent()
            case .disconnected(let errno): end(errno)
            case .wouldBlock, nil: end(0)
            }
        }
    }

    private func deliver(_ count: Int) {
        // The bytes are copied, because a handler that calls `ask` reads into the same buffer.
        let bytes = input
        deliver(bytes.span.extracting(0..<count))
    }

    /// Delivers the bytes line by line until the owner pauses or closes the connection; after a pause, keeps the
    /// remaining bytes for `resume`.
    private func deliver(_ bytes: Span<UInt8>) {
        var start = 0
        while start < bytes.count, descriptor != nil, !isPaused {
            let end = assembler.end(ofLineIn: bytes, from: start)
            assembler.push(bytes.extracting(start..<end)) { received($0, $1) }
            start = end
        }
        guard descriptor != nil else { return }
        for index in start..<bytes.count { undelivered.append(bytes[index]) }
    }

    private func end(_ errno: Int32) {
        let ended = ended
        close()
        ended(errno == 0 || errno == ECONNRESET || errno == EPIPE ? .closedByPeer : .failed(errno: errno))
    }
}

extension Descriptor {
    borrowing func register(
        with reactor: Reactor, for interest: Interest, handler: @escaping (Readiness) -> Void
    ) throws(SystemError) -> Registration {
        try reactor.register(self, for: interest, handler: handler)
    }

    /// Writes once to a socket; if the peer is gone, the write fails, and no SIGPIPE signal is raised.
    package borrowing func send(_ bytes: Span<UInt8>) -> Transfer {
        withRawValue { number in
            while true {
                // Safety: the span outlives the call, and the kernel reads no more than its count.
                let count = unsafe bytes.withUnsafeBufferPointer {
                    unsafe clinux_send(number, $0.baseAddress, $0.count)
                }
                if count >= 0 { return .bytes(count) }
                if let failure = Transfer(errno: Int32(-count)) { return failure }
            }
        }
    }
}
