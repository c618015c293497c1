internal import CMicroHTTPD
internal import CSextantLinux
internal import Glibc
internal import Programs
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
    /// Whether the reactor's timer is set to serve streams that have new bytes.
    private var isDue = false
    /// Whether connections have ended since free memory was last returned to the system.
    private var hasFreed = false

    /// The largest number of connections at the same time.
    ///
    /// It is more than a viewer's browser ever opens, so that a program that opens hundreds and stays silent keeps
    /// nobody out. Each connection ends after 5 s of silence, and sooner if half of all connections send no whole
    /// request.
    private static let connectionLimit: UInt32 = 520

    /// - Parameters:
    ///   - listener: A listening, non-blocking socket; the server becomes its owner.
    ///   - asked: Called with every request once it has arrived completely.
    init(listener: Int32, reactor: Reactor, asked: @escaping (Exchange) -> Void) throws {
        self.asked = asked
        let limits = cmhd_limits(connections: HTTPServer.connectionLimit, memory: 10_240, body: 65_536, seconds: 5)
        let box = Box()
        // Safety: the box is retained as long as the process lives, like the server in it.
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

    /// The context that libmicrohttpd passes to its callbacks, so that they can find the server.
    private final class Box {
        weak var server: HTTPServer?

        static func of(_ context: UnsafeMutableRawPointer?) -> Box? {
            // Safety: the pointer is that of the box that `init` retained for the life of the process.
            unsafe context.map { unsafe Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    /// Lets libmicrohttpd serve the connections that are ready, and sets the timer for the next connection that times
    /// out.
    private func run() {
        guard let server = unsafe server else { return }
        isDue = false
        if unsafe cmhd_run(server) { hasFreed = true }
        guard !isDue else { return }
        let timeout = unsafe cmhd_timeout(server)
        guard timeout >= 0 else { return giveBack() }
        alarm?.set(at: Clock.now().advanced(byNanoseconds: max(1, timeout) * 1_000_000))
    }

    /// Returns the memory of ended connections to the system; called when no connection has a timeout left, only event
    /// streams.
    private func giveBack() {
        guard hasFreed else { return }
        hasFreed = false
        ProgramMemory.giveBack()
    }

    /// Sets the timer so that streams with new bytes are served next: libmicrohttpd does not signal them on its epoll
    /// descriptor.
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
        // Safety: the buffer has room for `capacity` bytes, and no more than that are written.
        for (index, byte) in bytes.prefix(capacity).enumerated() { unsafe buffer[index] = byte }
        return min(bytes.count, capacity)
    }

    private func end(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { return }
        unsafe exchanges.removeValue(forKey: pointer)?.end()
    }
}
