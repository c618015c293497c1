internal import CMicroHTTPD
internal import CSextantLinux
internal import Glibc
internal import SextantReactor
internal import SextantUnits

/// An HTTP server on one listening socket, on the reactor's thread.
///
/// A class, because libmicrohttpd calls it; it lives as long as the process.
@safe final class HTTPServer {
    private var server: OpaquePointer?
    private let descriptor: Descriptor
    private var alarm: Alarm?
    private var exchanges: [OpaquePointer: Exchange] = unsafe [:]
    private let asked: (Exchange) -> Void
    /// Whether the alarm is set to serve streams that were woken.
    private var isDue = false
    /// Whether connections ended since memory was given back.
    private var hasFreed = false

    /// Connections of a server at once: more than a viewer's browser ever opens, so that somebody who opens hundreds and
    /// says nothing keeps nobody out; each ends after 5 s of silence, and sooner where half of all send no whole request.
    private static let connectionLimit: UInt32 = 520

    /// - Parameters:
    ///   - listener: A listening, non-blocking socket, which the server takes over.
    ///   - asked: Called with every request that has come whole.
    init(listener: Int32, reactor: Reactor, asked: @escaping (Exchange) -> Void) throws {
        self.asked = asked
        let limits = cmhd_limits(connections: HTTPServer.connectionLimit, memory: 10_240, body: 65_536, seconds: 5)
        let box = Box()
        // Safety: the box is retained for the process's life, as the server in it is.
        let context = unsafe Unmanaged.passRetained(box).toOpaque()
        let handlers = unsafe cmhd_handlers(
            context: context, asked: { unsafe Box.of($0)?.server?.ask($1) },
            more: { unsafe Box.of($0)?.server?.fill($1, $2, $3) ?? -1 }, ended: { unsafe Box.of($0)?.server?.end($1) })
        guard let started = unsafe cmhd_start(listener, limits, handlers) else {
            throw SystemError("MHD_start_daemon", errno: errno)
        }
        let number = unsafe cmhd_descriptor(started)
        let duplicate = try SystemError.check(clinux_duplicate(number), "duplicate the epoll descriptor")
        descriptor = Descriptor(adopting: duplicate)
        unsafe server = started
        box.server = self
        alarm = try Alarm(in: reactor) { [unowned self] in run() }
        _ = try reactor.register(descriptor, for: .read) { [unowned self] _ in run() }
    }

    /// The context that libmicrohttpd hands back to its callbacks, by which they find the server.
    private final class Box {
        weak var server: HTTPServer?

        static func of(_ context: UnsafeMutableRawPointer?) -> Box? {
            // Safety: the pointer is the box's that `init` retained for ever.
            unsafe context.map { unsafe Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    /// Serves what is ready, and sets the alarm for the next connection that has been silent too long.
    private func run() {
        guard let server = unsafe server else { return }
        isDue = false
        if unsafe cmhd_run(server) { hasFreed = true }
        guard !isDue else { return }
        let timeout = unsafe cmhd_timeout(server)
        guard timeout >= 0 else { return giveBack() }
        alarm?.set(at: Clock.now().advanced(byNanoseconds: max(1, timeout) * 1_000_000))
    }

    /// Returns the memory of connections that ended, once none but streams are left.
    private func giveBack() {
        guard hasFreed else { return }
        hasFreed = false
        ProgramMemory.giveBack()
    }

    /// Serves what was woken once the present event is done with: libmicrohttpd does not wake its own descriptor for it.
    private func serveSoon() {
        guard !isDue else { return }
        isDue = true
        alarm?.set(at: Clock.now())
    }

    private func ask(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { return }
        let exchange = unsafe Exchange(pointer) { [unowned self] in serveSoon() }
        unsafe exchanges[pointer] = exchange
        asked(exchange)
    }

    private func fill(_ pointer: OpaquePointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ capacity: Int) -> Int {
        guard let pointer = unsafe pointer, let buffer = unsafe buffer, let exchange = unsafe exchanges[pointer] else {
            return -1
        }
        let bytes = exchange.more(capacity)
        guard let bytes else { return -1 }
        // Safety: the buffer has room for `capacity` bytes, and `more` gives no more than that.
        for (index, byte) in bytes.prefix(capacity).enumerated() { unsafe buffer[index] = byte }
        return min(bytes.count, capacity)
    }

    private func end(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { return }
        unsafe exchanges.removeValue(forKey: pointer)?.end()
    }
}
