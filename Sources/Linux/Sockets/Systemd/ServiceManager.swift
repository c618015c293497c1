import Glibc
public import SextantReactor
import SextantUnits

/// The daemon's link to systemd: takes the passed sockets and sends notifications; without systemd it does nothing.
///
/// No library is needed: the protocol uses environment variables, descriptors and datagrams. A class, because the
/// reactor's handlers share it.
public final class ServiceManager {
    private let notifier: Notifier?
    /// Whether the daemon's unit has a `WatchdogSec=`.
    private let isWatching: Bool
    private var plan = WatchdogPlan()
    /// The sockets that systemd passed, in the order of their descriptor numbers.
    public let sockets: [PassedSocket]

    /// The number of datagrams that the daemon has tried to send.
    package private(set) var datagramCount = 0

    public convenience init() throws(PassedSocketError) {
        // Safety: each value is copied at once, and nothing changes the environment.
        try self.init(
            environment: { name in unsafe getenv(name).map { unsafe String(cString: $0) } }, process: getpid())
    }

    package init(
        environment: (String) -> String?, process: Int32, close: (Int32) -> Void = { _ = Glibc.close($0) }
    ) throws(PassedSocketError) {
        sockets = try [PassedSocket](environment: environment, process: process, close: close)
        if let address = environment("NOTIFY_SOCKET") {
            notifier = Notifier(address: address)
        } else {
            notifier = nil
        }
        let owner = environment("WATCHDOG_PID").map { Int32($0) == process } ?? true
        isWatching = owner && environment("WATCHDOG_USEC").flatMap { UInt64($0) } ?? 0 > 0
    }

    /// Whether systemd holds the daemon's listening socket, and so would start the daemon again for a waiting client.
    public var isSocketActivated: Bool { sockets.contains { $0.role == .sextant } }

    /// Tells systemd that clients are served, with a status line.
    public func tellReady(_ status: String) { send([.ready, .status(status)]) }

    /// Tells systemd that the daemon stops on purpose, and switches the watchdog off.
    public func tellStopping() {
        send(isWatching ? [.stopping, .watchdog(microseconds: 0)] : [.stopping])
    }

    /// Makes systemd keep a socket's descriptor under its role's name, and pass it to the daemon at the next start.
    ///
    /// Source: sd_pid_notify_with_fds(3) and systemd.service(5), `FileDescriptorStoreMax=`.
    public func store(_ descriptor: borrowing Descriptor, as role: PassedSocket.Role) throws(SystemError) {
        guard notifier != nil else { throw SystemError("NOTIFY_SOCKET", errno: ENOENT) }
        datagramCount += 1
        let result = notifier?.send([.store, .storedName(role.rawValue)], passing: descriptor) ?? 0
        _ = try SystemError.check(result, "send a descriptor to NOTIFY_SOCKET")
    }

    /// Returns the Bluetooth socket that systemd passed, and makes systemd drop its copy, so that the daemon's next run
    /// gets only the socket made for that run.
    public func takeBluetooth() -> PassedSocket? {
        guard let socket = sockets.last(where: { $0.role == .bluetooth }) else { return nil }
        send([.removeFromStore, .storedName(PassedSocket.Role.bluetooth.rawValue)])
        return socket
    }

    /// Makes systemd's watchdog watch the reactor, if the unit has a `WatchdogSec=`.
    ///
    /// Before and after each wait of the reactor, systemd gets a new deadline for the daemon's next message, unless the
    /// deadline that it already has still fits.
    public func watch(_ reactor: Reactor) {
        guard isWatching else { return }
        reactor.onWait(
            before: { [unowned self, unowned reactor] planned in
                announce(plan.announcement(beforeWaitUntil: planned, now: reactor.now), on: reactor)
            },
            after: { [unowned self, unowned reactor] in
                announce(plan.announcement(afterWaitAt: reactor.now), on: reactor)
            })
    }

    /// Sends systemd a watchdog deadline; if sending fails, it is tried again at the next wait of the reactor.
    private func announce(_ announcement: WatchdogPlan.Announcement?, on reactor: Reactor) {
        guard let announcement else { return }
        let microseconds: UInt64 =
            switch announcement {
            case .off: 0
            case .by(let deadline): UInt64(max(1, deadline.nanoseconds(since: reactor.now) / 1000))
            }
        if send([.watchdog(microseconds: microseconds)]) { plan.told(announcement) }
    }

    /// - Returns: False only if systemd is there and the datagram could not be sent.
    @discardableResult
    private func send(_ assignments: [Assignment]) -> Bool {
        datagramCount += 1
        return notifier?.send(assignments) ?? true
    }
}
