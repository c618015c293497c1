internal import CMosquitto
internal import CSextantLinux
internal import SextantUplink

/// One device's connection to the broker: a client of libmosquitto, whose socket is in the fleet's epoll set.
///
/// A class, because libmosquitto's callbacks hold its address.
@safe final class FleetConnection {
    enum Event {
        case accepted(hadSession: Bool)
        case delivered(number: Int32)
        case received(topic: String, [UInt8], isRetained: Bool)
        case ended
    }

    private let client: OpaquePointer
    private let epoll: Int32
    private let token: UInt64
    private var isWaitingToWrite = false
    private var events: [Event] = []

    /// Connects to the broker; nil if no broker listens.
    ///
    /// The call blocks until the kernel has connected, which takes no time on this machine's loopback.
    ///
    /// - Parameter token: The value that the epoll set returns for events of this connection's socket.
    init?(
        id: String, host: String, port: Int32, authority: String?, will: UplinkMessage?, epoll: Int32, token: UInt64
    ) {
        // Safety: libmosquitto copies all texts before it returns.
        guard let client = unsafe cmosquitto_make(id, host, port, 600) else { return nil }
        var code: Int32 = 0
        if let authority { code = unsafe cmosquitto_set_tls(client, authority, nil, nil) }
        if code == 0, let will {
            code = unsafe will.payload.withUnsafeBufferPointer { bytes in
                unsafe cmosquitto_set_will(client, will.topic, bytes.baseAddress, bytes.count, will.isRetained)
            }
        }
        if code == 0 { code = unsafe cmosquitto_connect(client) }
        let socket = unsafe cmosquitto_socket(client)
        guard code == 0, socket >= 0, clinux_epoll_add(epoll, socket, clinux_epoll_in | clinux_epoll_out, token) == 0
        else {
            unsafe cmosquitto_free(client)
            return nil
        }
        unsafe self.client = unsafe client
        self.epoll = epoll
        self.token = token
        isWaitingToWrite = true
        listen()
    }

    deinit {
        let socket = unsafe cmosquitto_socket(client)
        if socket >= 0 { _ = clinux_epoll_remove(epoll, socket) }
        // Safety: no other object has the client, and no call of libmosquitto is in progress.
        unsafe cmosquitto_free(client)
    }

    private func listen() {
        var handlers = unsafe cmosquitto_handlers()
        // Safety: the connection frees its client before it ends, and no callback comes after that.
        unsafe handlers.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe handlers.connected = { context, code, hadSession in
            guard let connection = unsafe FleetConnection.from(context) else { return }
            connection.events.append(code == 0 ? .accepted(hadSession: hadSession) : .ended)
        }
        unsafe handlers.delivered = { context, number in
            unsafe FleetConnection.from(context)?.events.append(.delivered(number: number))
        }
        unsafe handlers.received = { context, topic, bytes, count, isRetained in
            guard let topic = unsafe topic else { return }
            // Safety: the text and the bytes live for the call, and are copied.
            let content = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
            unsafe FleetConnection.from(context)?.events.append(
                .received(topic: String(cString: topic), content, isRetained: isRetained))
        }
        unsafe cmosquitto_handle(client, handlers)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> FleetConnection? {
        // Safety: the context is the connection, which lives as long as its client.
        unsafe context.map { unsafe Unmanaged<FleetConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Driving

    /// Reads and writes what is possible without waiting, and returns what has happened on the connection.
    func serve(canRead: Bool) -> [Event] {
        var code: Int32 = 0
        if canRead { code = unsafe cmosquitto_read(client) }
        return finish(code)
    }

    /// Sends a ping if one is due.
    func tick() -> [Event] { finish(unsafe cmosquitto_tick(client)) }

    private func finish(_ result: Int32) -> [Event] {
        var code = result
        // Writes once; if the socket is full or more must be written, the epoll set reports when to continue.
        if code == 0, unsafe cmosquitto_wants_to_write(client) { code = unsafe cmosquitto_write(client) }
        defer { events.removeAll() }
        if code != 0 { events.append(.ended) } else { arm() }
        return events
    }

    private func arm() {
        let wants = unsafe cmosquitto_wants_to_write(client)
        guard wants != isWaitingToWrite else { return }
        isWaitingToWrite = wants
        let interest = wants ? clinux_epoll_in | clinux_epoll_out : clinux_epoll_in
        _ = clinux_epoll_modify(epoll, unsafe cmosquitto_socket(client), interest, token)
    }

    // MARK: Speaking

    /// Publishes with QoS 1.
    ///
    /// - Returns: The number that the event `delivered` carries when the broker has the message; nil if the connection
    ///   is gone.
    func publish(_ topic: String, _ bytes: [UInt8], isRetained: Bool) -> Int32? {
        var number: Int32 = 0
        // Safety: libmosquitto copies the text and the bytes before it returns.
        let code = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe cmosquitto_publish(client, &number, topic, bytes.baseAddress, bytes.count, isRetained)
        }
        arm()
        return code == 0 ? number : nil
    }

    func subscribe(_ topic: String) {
        // Safety: libmosquitto copies the text before it returns.
        _ = unsafe cmosquitto_subscribe(client, topic)
        arm()
    }

    /// Disconnects properly, so that the broker does not publish the will.
    func disconnect() {
        unsafe cmosquitto_disconnect(client)
        _ = unsafe cmosquitto_write(client)
    }
}
