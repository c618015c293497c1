internal import CMosquitto
internal import CSextantLinux
internal import Glibc
internal import SextantReactor
internal import SextantUnits

/// The connection to the MQTT broker, on the reactor's thread; libmosquitto runs no thread of its own.
///
/// A separate thread resolves the broker's name and connects, and then hands the connection over. After that only the
/// network and the keep-alive ping wake the process. A class, because the reactor and libmosquitto call it.
@safe final class BrokerLink {
    /// A broker connection on its way from the thread that made it to the reactor's thread.
    @safe private struct Attempt: @unchecked Sendable {
        /// Safety: only one thread at a time uses the client: the connecting thread until it has posted this value,
        /// then the reactor's.
        let client: OpaquePointer
        let number: Int
        let code: Int32
    }

    private enum State {
        case idle
        /// A thread is connecting.
        case connecting(number: Int)
        case open(Open)
    }

    /// A broker connection whose socket the reactor watches.
    @safe private final class Open {
        let client: OpaquePointer
        let descriptor: Descriptor
        var registration: Registration?
        var isAccepted = false
        /// Whether DISCONNECT was sent.
        var isLeaving = false
        /// Whether a call of libmosquitto is in progress; the object of libmosquitto must not be released meanwhile.
        var isInCall = false
        /// When data was last sent to the broker, and when data was last received from it.
        var lastSent: MonotonicInstant
        var lastReceived: MonotonicInstant

        init(_ client: OpaquePointer, _ descriptor: consuming Descriptor, at instant: MonotonicInstant) {
            unsafe self.client = unsafe client
            self.descriptor = descriptor
            (lastSent, lastReceived) = (instant, instant)
        }
    }

    private let reactor: Reactor
    private let handler: (BrokerEvent) -> Void
    private var state = State.idle
    private var options: BrokerOptions?
    private var attempts = 0
    /// Whether the broker has accepted any of the connections made so far.
    private var wasAccepted = false
    /// Events that libmosquitto has reported during a call that is still in progress.
    private var events: [BrokerEvent] = []
    private var mailbox: Mailbox<Attempt>?
    private var alarm: Alarm?

    /// The largest number of seconds that a broker can take to answer CONNECT.
    static let connectSeconds: Int64 = 30

    /// - Parameter handler: Called on the reactor's thread, never during a call of one of this object's functions.
    init(reactor: Reactor, handler: @escaping (BrokerEvent) -> Void) throws(SystemError) {
        self.reactor = reactor
        self.handler = handler
        mailbox = try reactor.makeMailbox(capacity: 4) { [weak self] attempt in
            guard let self else { return unsafe cmosquitto_free(attempt.client) }
            opened(attempt)
        }
        alarm = try Alarm(in: reactor) { [unowned self] in rang() }
    }

    deinit { release() }

    /// Whether the broker has accepted the present connection.
    var isConnected: Bool { if case .open(let open) = state { open.isAccepted && !open.isLeaving } else { false } }

    /// Whether there is no connection to the broker, and none is being made.
    var isIdle: Bool { if case .idle = state { true } else { false } }

    // MARK: Connecting

    /// Begins to connect to the broker; the result is reported as an event.
    ///
    /// An existing connection, or one that is being made, is dropped.
    func connect(_ options: BrokerOptions) {
        release()
        self.options = options
        attempts += 1
        do throws(BrokerFailure) {
            try unsafe start(try BrokerLink.makeClient(options), number: attempts)
        } catch {
            // The failure is reported by the timer once the caller has finished, so that it comes like any other
            // failure.
            events.append(.ended(error))
            alarm?.set(at: .zero)
        }
    }

    private func start(_ client: OpaquePointer, number: Int) throws(BrokerFailure) {
        guard let mailbox else { return }
        state = .connecting(number: number)
        let attempt = unsafe Attempt(client: client, number: number, code: 0)
        do {
            try Thread.start("broker") {
                // Safety: only this thread uses the client until the thread has posted it.
                let code = unsafe cmosquitto_connect(attempt.client)
                let result = unsafe Attempt(client: attempt.client, number: attempt.number, code: code)
                if !mailbox.post(result) { unsafe cmosquitto_free(result.client) }
            }
        } catch {
            unsafe cmosquitto_free(client)
            state = .idle
            throw BrokerFailure(kind: .lost, description: "\(error)")
        }
    }

    private static func makeClient(_ options: BrokerOptions) throws(BrokerFailure) -> OpaquePointer {
        // Safety: libmosquitto copies all texts and bytes before it returns.
        guard let client = unsafe cmosquitto_make(options.client, options.host, options.port, options.keepAlive) else {
            throw BrokerFailure(kind: .lost, description: "libmosquitto refuses the identifier \(options.client)")
        }
        var code: Int32 = 0
        if let login = options.login { code = unsafe cmosquitto_set_login(client, login.user, login.password) }
        if code == 0, let will = options.will {
            code = unsafe will.bytes.withUnsafeBufferPointer { bytes in
                unsafe cmosquitto_set_will(client, will.topic, bytes.baseAddress, bytes.count, will.isRetained)
            }
        }
        var kind = BrokerFailure.Kind.lost
        if code == 0, let tls = options.tls {
            kind = .tls
            code = unsafe cmosquitto_set_tls(client, tls.authority, tls.certificate, tls.key)
        }
        guard code == 0 else {
            defer { unsafe cmosquitto_free(client) }
            throw unsafe failure(client, code, kind: kind, options)
        }
        return unsafe client
    }

    /// Makes the failure that says what is wrong with a client of libmosquitto.
    private static func failure(
        _ client: OpaquePointer, _ code: Int32, kind: BrokerFailure.Kind, _ options: BrokerOptions,
        wasAccepted: Bool = false
    ) -> BrokerFailure {
        let reason = unsafe String(cString: cmosquitto_reason(client, code))
        let mend = BrokerFailure.mend(reason, usesTLS: options.tls != nil, wasAccepted: wasAccepted)
        let isTLS = unsafe cmosquitto_failed_in_tls(client)
        return BrokerFailure(
            kind: isTLS ? .tls : kind, description: "\(options.host), port \(options.port): \(reason)\(mend)")
    }

    private func failure(of client: OpaquePointer, _ code: Int32) -> BrokerFailure {
        guard let options else { return BrokerFailure(kind: .lost, description: "no broker") }
        return unsafe BrokerLink.failure(client, code, kind: .lost, options, wasAccepted: wasAccepted)
    }

    private func opened(_ attempt: Attempt) {
        guard case .connecting(attempt.number) = state else { return unsafe cmosquitto_free(attempt.client) }
        state = .idle
        guard attempt.code == 0 else {
            let failure = unsafe failure(of: attempt.client, attempt.code)
            unsafe cmosquitto_free(attempt.client)
            return handler(.ended(failure))
        }
        do throws(SystemError) {
            let number = unsafe cmosquitto_socket(attempt.client)
            let copy = Descriptor(adopting: try SystemError.check(clinux_duplicate(number), "duplicate a socket"))
            let open = unsafe Open(attempt.client, copy, at: Clock.now())
            state = .open(open)
            open.registration = try reactor.register(open.descriptor, for: [.read, .write]) { [unowned self] in
                isReady($0)
            }
        } catch {
            if case .idle = state { unsafe cmosquitto_free(attempt.client) }
            return end(BrokerFailure(kind: .lost, description: "\(error)"))
        }
        unsafe listen(to: attempt.client)
        setAlarm()
    }

    private func listen(to client: OpaquePointer) {
        var handlers = unsafe cmosquitto_handlers()
        // Safety: the link releases its client before the link itself ends, and no callback comes after that.
        unsafe handlers.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe handlers.connected = { context, code, hadSession in
            unsafe BrokerLink.from(context)?.answered(code, hadSession)
        }
        unsafe handlers.delivered = { context, number in
            unsafe BrokerLink.from(context)?.events.append(.delivered(number: number))
        }
        unsafe handlers.subscribed = { context, isGranted in
            unsafe BrokerLink.from(context)?.events.append(.subscribed(isGranted))
        }
        unsafe handlers.received = { context, topic, bytes, count, isRetained in
            guard let topic = unsafe topic else { return }
            // Safety: the text and the bytes live for the call, and are copied.
            let content = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
            unsafe BrokerLink.from(context)?.events.append(
                .received(topic: String(cString: topic), bytes: content, isRetained: isRetained))
        }
        unsafe cmosquitto_handle(client, handlers)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> BrokerLink? {
        // Safety: the context is this link, which lives at least as long as its client.
        unsafe context.map { unsafe Unmanaged<BrokerLink>.fromOpaque($0).takeUnretainedValue() }
    }

    private func answered(_ code: Int32, _ hadSession: Bool) {
        guard case .open(let open) = state else { return }
        guard code != 0 else {
            (open.isAccepted, wasAccepted) = (true, true)
            return events.append(.connected(hadSession: hadSession))
        }
        let words = unsafe String(cString: cmosquitto_refusal(code))
        // Source of the codes: MQTT 3.1.1, 3.2.2.3. Code 3 means that the broker is reachable but not ready.
        let isLogin = code == 4 || code == 5
        let mend = isLogin ? " Look at user in the configuration, and at the file password." : ""
        events.append(
            .ended(
                BrokerFailure(
                    kind: code == 3 ? .lost : .refused, description: "the broker says: \(words)\(mend)")))
    }

    // MARK: While connected

    private func isReady(_ readiness: Readiness) {
        guard case .open(let open) = state else { return }
        var code: Int32 = 0
        open.isInCall = true
        if !readiness.isDisjoint(with: [.readable, .hungUp, .failed]) {
            code = unsafe cmosquitto_read(open.client)
            open.lastReceived = Clock.now()
        }
        if code == 0, unsafe cmosquitto_wants_to_write(open.client) { code = unsafe write(open) }
        finish(open, code)
    }

    @unsafe private func write(_ open: Open) -> Int32 {
        open.lastSent = Clock.now()
        return unsafe cmosquitto_write(open.client)
    }

    /// Finishes after a call of libmosquitto: watches the socket again, and passes on the events that were reported
    /// during the call.
    private func finish(_ open: Open, _ code: Int32) {
        open.isInCall = false
        let reported = events
        events = []
        var failure: BrokerFailure?
        for event in reported {
            if case .ended(let why) = event { failure = why }
        }
        if code != 0, failure == nil {
            failure = unsafe self.failure(of: open.client, code)
        }
        if failure == nil {
            arm(open)
            setAlarm()
        }
        for event in reported {
            if case .ended = event { continue }
            guard case .open(let current) = state, current === open else { return }
            handler(event)
        }
        if let failure, case .open(let current) = state, current === open { end(failure) }
    }

    private func arm(_ open: Open) {
        guard let registration = open.registration else { return }
        let wantsToWrite = unsafe cmosquitto_wants_to_write(open.client)
        try? reactor.arm(registration, for: wantsToWrite ? [.read, .write] : .read)
    }

    /// Handles the timer: the broker did not answer in time, a keep-alive ping is due, or a failure must be reported.
    private func rang() {
        guard case .open(let open) = state else {
            let waiting = events
            events = []
            return waiting.forEach(handler)
        }
        let now = Clock.now()
        guard now >= due(open) else { return setAlarm() }
        guard open.isAccepted else {
            return end(
                BrokerFailure(
                    kind: .lost, description: "the broker gave no answer to CONNECT in \(BrokerLink.connectSeconds) s"))
        }
        open.isInCall = true
        var code = unsafe cmosquitto_tick(open.client)
        (open.lastSent, open.lastReceived) = (now, now)
        if code == 0, unsafe cmosquitto_wants_to_write(open.client) { code = unsafe write(open) }
        finish(open, code)
    }

    private func due(_ open: Open) -> MonotonicInstant {
        guard open.isAccepted else {
            return open.lastSent.advanced(byNanoseconds: BrokerLink.connectSeconds * 1_000_000_000)
        }
        // One second is added to the keep-alive interval because libmosquitto counts in whole seconds.
        let seconds = Int64(options?.keepAlive ?? 60) + 1
        return min(open.lastSent, open.lastReceived).advanced(byNanoseconds: seconds * 1_000_000_000)
    }

    private func setAlarm() {
        guard case .open(let open) = state else { return }
        alarm?.set(at: due(open))
    }

    // MARK: Sending

    /// Publishes a message with QoS 1.
    ///
    /// - Returns: The message's number, which the event `delivered` repeats once the broker has the message; nil if
    ///   there is no connection.
    func publish(_ topic: String, _ bytes: [UInt8], isRetained: Bool) -> Int32? {
        guard case .open(let open) = state, isConnected else { return nil }
        var number: Int32 = 0
        // Safety: libmosquitto copies the text and the bytes before it returns.
        let code = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe cmosquitto_publish(open.client, &number, topic, bytes.baseAddress, bytes.count, isRetained)
        }
        open.lastSent = Clock.now()
        if !open.isInCall { arm(open) }
        return code == 0 ? number : nil
    }

    func subscribe(_ topic: String) {
        guard case .open(let open) = state, isConnected else { return }
        // Safety: libmosquitto copies the string before it returns. An error is ignored: if the socket has failed, the
        // next read finds out.
        _ = unsafe cmosquitto_subscribe(open.client, topic)
        if !open.isInCall { arm(open) }
    }

    /// Sends DISCONNECT, so that the broker does not publish the will message, and ends the connection.
    func disconnect() {
        if case .open(let open) = state, open.isAccepted {
            // Safety: only this object uses the client. DISCONNECT is written at once if the socket has room.
            unsafe cmosquitto_disconnect(open.client)
            _ = unsafe cmosquitto_write(open.client)
        }
        release()
    }

    /// Ends the connection without DISCONNECT, so that the broker publishes the will message.
    func drop() { release() }

    private func end(_ failure: BrokerFailure) {
        release()
        handler(.ended(failure))
    }

    private func release() {
        if case .open(let open) = state {
            if let registration = open.registration { reactor.remove(registration) }
            // Safety: only this object uses the client, and no call of libmosquitto is in progress.
            unsafe cmosquitto_free(open.client)
        }
        state = .idle
        events = []
    }
}
