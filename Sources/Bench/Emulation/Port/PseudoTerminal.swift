import CSextantLinux
import Glibc
import LinuxHardware
public import SextantReactor

/// The master end of a pseudo-terminal, for an emulated receiver; the program under test opens the slave's path.
///
/// While no program has the slave open, the kernel reports a hang-up on the master, and reads from the master end with
/// EIO. To avoid that, keep the slave open, or use `register`, which waits for the next program. It is a class because
/// its read handler and its owner share it.
public final class PseudoTerminal {
    /// The device path of the slave, such as /dev/pts/3.
    public let slavePath: String
    /// The path of the symbolic link to the slave; nil if no link was requested.
    public let linkPath: String?
    /// The file descriptor of the master, for registering with a reactor.
    public let descriptor: Descriptor
    private let slave: Descriptor?
    /// Becomes readable whenever a program opens or closes the slave.
    private let useWatch: Descriptor
    private var wasOpened = false
    private var input = [UInt8](repeating: 0, count: 512)
    private var registrations: [Registration] = []

    /// Opens a master and its slave in raw mode, and makes a symbolic link to the slave if requested.
    ///
    /// The link is created atomically. When this object is released, the link is removed if it still leads to this
    /// slave.
    public init(link: String? = nil, keepingSlaveOpen: Bool = false) throws(SystemError) {
        descriptor = Descriptor(adopting: try SystemError.check(clinux_pseudoterminal_open(), "open /dev/ptmx"))
        let number = try SystemError.check(
            descriptor.withRawValue { clinux_pseudoterminal_number($0) }, "ioctl TIOCGPTN")
        // The master's settings apply to the slave as well.
        _ = try SystemError.check(descriptor.withRawValue { clinux_terminal_make_raw($0, 0) }, "ioctl TCSETS2")
        slavePath = "/dev/pts/\(number)"
        linkPath = link
        slave = keepingSlaveOpen ? try Descriptor(opening: slavePath, flags: O_RDWR | O_NOCTTY | O_NONBLOCK) : nil
        useWatch = Descriptor(adopting: try SystemError.check(clinux_watch_open(), "inotify_init1"))
        let path = slavePath
        // Safety: the C string lives for the call.
        let watch = useWatch.withRawValue { unsafe clinux_watch_add_use($0, path) }
        _ = try SystemError.check(watch, "inotify_add_watch \(slavePath)")
        if let link { try PseudoTerminal.link(slavePath, at: link) }
    }

    deinit {
        guard let linkPath, SymbolicLink.target(of: linkPath) == slavePath else { return }
        _ = unsafe unlink(linkPath)
    }

    /// Reads what the program at the slave wrote; `disconnected(EIO)` means that no program has the slave open.
    public func read(into buffer: inout [UInt8]) -> Transfer {
        descriptor.read(into: &buffer)
    }

    /// Writes bytes for the program at the slave; the result says how many of them the kernel took, and the caller
    /// keeps the rest.
    public func write(_ bytes: borrowing Span<UInt8>) -> Transfer {
        descriptor.write(bytes)
    }

    /// Whether a program has the slave open; the slave counts as open if this object keeps it open.
    public var isSlaveOpen: Bool {
        while case .bytes = useWatch.read(into: &input) { wasOpened = true }
        return (wasOpened || slave != nil) && !descriptor.withRawValue { clinux_is_hung_up($0) }
    }

    /// The baud rate in bits per second that the program at the slave has set; nil if the kernel does not tell it.
    public var rate: Int? {
        var rate: UInt32 = 0
        // Safety: the C function writes one number, which outlives the call.
        let result = descriptor.withRawValue { unsafe clinux_terminal_rate($0, &rate) }
        return result == 0 ? Int(rate) : nil
    }

    /// An event at the slave.
    public enum Event: Sendable, Equatable {
        /// A program opened or closed the slave; `isSlaveOpen` tells which.
        case useChanged
        /// A program wrote; the handler must read until nothing is left, because bytes left when the slave closes are
        /// not announced again.
        case readable
    }

    /// Calls `handler` each time that a program opens or closes the slave or writes to it, until `unregister` is
    /// called.
    public func register(
        with reactor: Reactor, handler: @escaping (Event) -> Void
    ) throws(SystemError) {
        precondition(registrations.isEmpty, "registered twice")
        let master = try reactor.register(descriptor, for: .read) { [unowned self] _ in
            handler(.readable)
            // After a hang-up the reactor stops watching the master; it is made to watch the master again here and when
            // the slave is opened.
            if isSlaveOpen, let master = registrations.first { try? reactor.arm(master, for: .read) }
        }
        registrations = [master]
        let watch = try reactor.register(useWatch, for: .read) { [unowned self] _ in
            if isSlaveOpen { try? reactor.arm(master, for: .read) }
            handler(.useChanged)
        }
        registrations.append(watch)
    }

    public func unregister(from reactor: Reactor) {
        registrations.forEach(reactor.remove)
        registrations = []
    }

    private static func link(_ target: String, at path: String) throws(SystemError) {
        // An existing link may be replaced, but an existing file may not.
        guard unsafe SymbolicLink.target(of: path) != nil || access(path, F_OK) != 0 else {
            throw SystemError("link \(path)", errno: EEXIST)
        }
        // The link is made under another name and then renamed, because symlink never replaces a file and rename always
        // does.
        let temporary = "\(path).\(getpid()).new"
        _ = unsafe unlink(temporary)
        guard unsafe symlink(target, temporary) == 0 else { throw SystemError("link \(path)", errno: errno) }
        guard unsafe rename(temporary, path) == 0 else {
            let failure = errno
            _ = unsafe unlink(temporary)
            throw SystemError("link \(path)", errno: failure)
        }
    }
}
