import CSextantLinux
public import SextantUnits

/// The daemon's only event loop: it serves descriptors, one timer, signals and the workers' mailboxes.
///
/// The loop waits in `epoll_wait` without a timeout, so it wakes only if there is something to do. A reactor belongs to
/// the thread that calls `run`; other threads can use only a `Mailbox`. A class, because handlers and owners share it.
public final class Reactor {
    private struct Slot {
        var generation: UInt32 = 0
        var interest: Interest = []
        /// Whether the kernel's epoll set contains the descriptor now.
        var isInSet = false
        var handler: ((Readiness) -> Void)?
    }

    let time: TimeSource
    let epoll: Descriptor
    /// The kernel's timer (timerfd); nil on a virtual clock.
    private let timer: Descriptor?
    private var signals: Descriptor?
    /// The registered descriptors, indexed by descriptor number; the kernel keeps these numbers small and unique.
    private var slots: [Slot] = []
    private var urgent: [Registration] = []
    /// The instant at which the urgent descriptors (that must not wait for all others) were last checked for events.
    private var looked = MonotonicInstant.zero
    private var ready = [clinux_event](repeating: clinux_event(token: 0, events: 0), count: 64)
    /// The instant that was set with `setWake`; nil once the timer has fired.
    public private(set) var wake: MonotonicInstant?
    private var wakeHandler: (MonotonicInstant) -> Void = { _ in }
    private var beforeWait: (MonotonicInstant?) -> Void = { _ in }
    private var afterWait: () -> Void = {}
    /// Called after the events of each wake-up; the time that it takes counts as part of the wake-up.
    public var afterEvents: () -> Void = {}
    private var isStopping = false

    /// The number of times that the loop was woken since the reactor was made.
    public internal(set) var wakeUps: UInt64 = 0
    /// The longest time, in nanoseconds, for which urgent descriptors have waited while others were served, since the
    /// reactor was made.
    ///
    /// Without urgent descriptors, it is the length of the longest wake-up. Time in which the host slept is included.
    public private(set) var longestTurn: Int64 = 0
    /// How long other descriptors are served before the urgent ones are checked, in nanoseconds: 5 ms.
    private static let urgentWaitNanoseconds: Int64 = 5_000_000

    public init(time: TimeSource = .board) throws(SystemError) {
        self.time = time
        epoll = Descriptor(adopting: try SystemError.check(clinux_epoll_create(), "epoll_create1"))
        guard case .board = time else {
            timer = nil
            return
        }
        let descriptor = Descriptor(adopting: try SystemError.check(clinux_timer_create(), "timerfd_create"))
        timer = consume descriptor
        _ = try timer?.whenReadable(in: self) { [unowned self] in timerFired() }
    }

    // MARK: Descriptors

    /// Calls `handler` whenever the descriptor is ready for one of the events in `interest`.
    ///
    /// Level-triggered: a handler that leaves bytes unread is called again. A descriptor that hung up or failed is
    /// disarmed before its handler is called, so the handler is called only once and the loop cannot spin: the handler
    /// must read to the end, remove the descriptor, or arm it again. Remove a descriptor before closing it.
    public func register(
        _ descriptor: borrowing Descriptor, for interest: Interest, handler: @escaping (Readiness) -> Void
    ) throws(SystemError) -> Registration {
        let number = descriptor.withRawValue { $0 }
        while slots.count <= Int(number) { slots.append(Slot()) }
        // An earlier descriptor with this number may have closed without being removed; the kernel has dropped it from
        // its epoll set already.
        slots[Int(number)] = Slot(generation: slots[Int(number)].generation &+ 1, handler: handler)
        let registration = Registration(number: number, generation: slots[Int(number)].generation)
        do {
            try arm(registration, for: interest)
        } catch {
            slots[Int(number)].handler = nil
            throw error
        }
        if interest.contains(.urgent) { urgent.append(registration) }
        return registration
    }

    /// Changes the events that a descriptor is watched for, and arms a disarmed descriptor again.
    public func arm(_ registration: Registration, for interest: Interest) throws(SystemError) {
        guard isCurrent(registration) else { return }
        guard !interest.isDisjoint(with: [.read, .write]) else { return rest(registration) }
        let slot = slots[Int(registration.number)]
        if slot.isInSet, slot.interest == interest, !interest.contains(.once) { return }

        let result = epoll.withRawValue { epoll in
            slot.isInSet
                ? clinux_epoll_modify(epoll, registration.number, interest.events, registration.token)
                : clinux_epoll_add(epoll, registration.number, interest.events, registration.token)
        }
        _ = try SystemError.check(result, "epoll_ctl")
        slots[Int(registration.number)].interest = interest
        slots[Int(registration.number)].isInSet = true
    }

    /// Stops watching a descriptor for any event, hang-up included, until it is armed again.
    ///
    /// The kernel reports a hang-up even if no event is requested, so the descriptor is removed from the epoll set.
    public func rest(_ registration: Registration) {
        guard isCurrent(registration), slots[Int(registration.number)].isInSet else { return }
        slots[Int(registration.number)].isInSet = false
        slots[Int(registration.number)].interest = []
        _ = epoll.withRawValue { clinux_epoll_remove($0, registration.number) }
    }

    /// Removes a descriptor and its handler; events already fetched for the descriptor are dropped.
    public func remove(_ registration: Registration) {
        guard isCurrent(registration) else { return }
        rest(registration)
        urgent.removeAll { $0 == registration }
        slots[Int(registration.number)].handler = nil
        slots[Int(registration.number)].generation &+= 1
    }

    private func isCurrent(_ registration: Registration) -> Bool {
        let index = Int(registration.number)
        return index < slots.count && slots[index].generation == registration.generation
            && slots[index].handler != nil
    }

    // MARK: Time

    /// The present instant on the reactor's clock.
    public var now: MonotonicInstant {
        switch time {
        case .board: Clock.now()
        case .driven(let clock): clock.now
        }
    }

    /// The processor time that the reactor's thread has used, in nanoseconds; always 0 on a virtual clock.
    public var processorTime: Int64 {
        switch time {
        case .board: clinux_thread_time()
        case .driven: 0
        }
    }

    /// The time of the wall clock.
    public var utc: UTCInstant {
        switch time {
        case .board: Clock.utc()
        case .driven(let clock): clock.utc
        }
    }

    /// Whether the wall clock is synchronised.
    public var utcIsSynchronized: Bool {
        switch time {
        case .board: Clock.utcIsSynchronized
        case .driven(let clock): clock.isSynchronized
        }
    }

    /// Sets the handler that is called at the instant given to `setWake`.
    public func onWake(_ handler: @escaping (MonotonicInstant) -> Void) {
        wakeHandler = handler
    }

    /// Sets the reactor's only timer, replacing the previous instant; nil disarms it, and a past instant fires at once.
    public func setWake(at instant: MonotonicInstant?) {
        guard instant != wake else { return }
        wake = instant
        // Zero would disarm the timer.
        let nanoseconds = instant.map { max(1, $0.nanoseconds) } ?? 0
        let result = timer?.withRawValue { clinux_timer_set($0, nanoseconds) }
        precondition(result ?? 0 == 0, "timerfd_settime refused a valid time")
    }

    private func timerFired() {
        // If an earlier handler of this wake-up has set the timer again, its count of expirations is 0: it has not
        // fired for its new instant.
        guard timer?.withRawValue({ clinux_counter_clear($0) }) == 1 else { return }
        fire(at: Clock.now())
    }

    func fire(at instant: MonotonicInstant) {
        wake = nil
        wakeHandler(instant)
    }

    // MARK: Signals

    /// Handles SIGTERM, SIGINT and SIGHUP as events, and ignores SIGPIPE.
    ///
    /// Call it before any thread is started, because threads inherit the signal mask, and a signal that one thread
    /// leaves unblocked kills the process.
    public func onSignal(_ handler: @escaping (Signal) -> Void) throws(SystemError) {
        precondition(signals == nil, "signals are handled already")
        let descriptor = Descriptor(adopting: try SystemError.check(clinux_signals_open(), "signalfd"))
        _ = try register(descriptor, for: .read) { [unowned self] _ in signalsArrived(handler) }
        signals = consume descriptor
    }

    private func signalsArrived(_ handler: (Signal) -> Void) {
        while let number = signals?.withRawValue({ clinux_signals_read($0) }), number > 0 {
            if let signal = Signal(number: number) { handler(signal) }
        }
    }

    // MARK: Loop

    /// Serves events until `stop` is called.
    public func run() throws(SystemError) {
        if case .driven = time { preconditionFailure("a driven clock is advanced, not waited for") }
        defer { isStopping = false }
        while !isStopping { _ = try serve(timeout: -1) }
    }

    /// Sets the handlers that are called before and after every wait.
    ///
    /// The first handler gets the instant of the next planned wake-up, or nil if none is planned; the second is called
    /// before the events are served.
    public func onWait(before: @escaping (MonotonicInstant?) -> Void, after: @escaping () -> Void) {
        beforeWait = before
        afterWait = after
    }

    /// Makes `run` return after the events of the current wake-up; if called before `run`, makes `run` return at once.
    public func stop() {
        isStopping = true
    }

    /// Waits at most `timeout` milliseconds for events (without limit if negative), and serves the events.
    ///
    /// - Returns: Whether any event came.
    func serve(timeout: Int32) throws(SystemError) -> Bool {
        beforeWait(wake)
        let count = wait(timeout: timeout)
        afterWait()
        guard count != -interrupted else { return true }
        _ = try SystemError.check(count, "epoll_wait")
        guard count > 0 else { return false }
        wakeUps &+= 1
        looked = Clock.now()
        for index in 0..<Int(count) {
            dispatch(ready[index])
            if index + 1 < count { serveUrgent() }
        }
        afterEvents()
        noteLook(at: Clock.now())
        return true
    }

    private func noteLook(at now: MonotonicInstant) {
        longestTurn = max(longestTurn, now.nanoseconds(since: looked))
        looked = now
    }

    /// Serves the urgent descriptors if others have been served for long; a handler with much to do calls this between
    /// two pieces of its work.
    ///
    /// On a virtual clock it does nothing: the order of events must not depend on the machine's speed.
    public func serveUrgent() {
        guard case .board = time, !urgent.isEmpty else { return }
        let now = Clock.now()
        guard now.nanoseconds(since: looked) >= Reactor.urgentWaitNanoseconds else { return }
        noteLook(at: now)
        for registration in urgent where isCurrent(registration) {
            let slot = slots[Int(registration.number)]
            guard slot.isInSet, slot.interest.contains(.read), clinux_bytes_waiting(registration.number) > 0
            else { continue }
            dispatch(clinux_event(token: registration.token, events: clinux_epoll_in))
        }
    }

    private func wait(timeout: Int32) -> Int32 {
        epoll.withRawValue { epoll in
            // Safety: the array outlives the call, and the kernel fills no more than its count.
            unsafe ready.withUnsafeMutableBufferPointer {
                unsafe clinux_epoll_wait(epoll, $0.baseAddress, Int32($0.count), timeout)
            }
        }
    }

    private func dispatch(_ event: clinux_event) {
        let registration = Registration(
            number: Int32(truncatingIfNeeded: event.token), generation: UInt32(truncatingIfNeeded: event.token >> 32))
        guard isCurrent(registration), slots[Int(registration.number)].isInSet,
            let handler = slots[Int(registration.number)].handler
        else { return }
        let readiness = Readiness(events: event.events)
        if !readiness.isDisjoint(with: [.hungUp, .failed]) { rest(registration) }
        handler(readiness)
    }
}

extension Descriptor {
    borrowing func whenReadable(
        in reactor: Reactor, _ handler: @escaping () -> Void
    ) throws(SystemError) -> Registration {
        try reactor.register(self, for: .read) { _ in handler() }
    }
}
