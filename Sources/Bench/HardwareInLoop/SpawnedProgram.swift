public import Glibc
public import SextantReactor

/// A program that the bench has started; it is killed when this object is released.
///
/// A class, because the program must end when the last reference to the object goes.
public final class SpawnedProgram {
    private let process: pid_t
    private var ended: Int32?

    /// Starts a program found in PATH, with the given standard input, output and errors.
    public init(
        _ arguments: [String], input: borrowing Descriptor, output: borrowing Descriptor, errors: borrowing Descriptor
    ) throws(LoopFailure) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input.withRawValue { $0 }, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.withRawValue { $0 }, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors.withRawValue { $0 }, 2)
        // The program must not inherit the bench's signal mask, which blocks the signals that the reactor handles.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        // Safety: the copies of the arguments live until after the call, and are freed once.
        let words = unsafe arguments.map { unsafe strdup($0) }
        defer { unsafe words.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let result = unsafe posix_spawnp(&process, arguments[0], &actions, &attributes, words + [nil], environ)
        guard result == 0 else {
            throw LoopFailure(.board, "\(arguments[0]): \(SystemError.text(of: result)); is it installed?")
        }
        self.process = process
    }

    deinit {
        guard ended == nil else { return }
        _ = kill(process, SIGKILL)
        _ = wait(options: 0)
    }

    public var processID: pid_t { process }

    /// The program's exit status, or the negative number of the signal that ended it; nil while it runs.
    public var status: Int32? {
        if ended == nil { ended = wait(options: WNOHANG) }
        return ended
    }

    /// Waits for the program's end and returns its status.
    public func waitForEnd() -> Int32 {
        if let ended { return ended }
        let status = wait(options: 0) ?? -1
        ended = status
        return status
    }

    private func wait(options: Int32) -> Int32? {
        var status: Int32 = 0
        while true {
            let result = unsafe waitpid(process, &status, options)
            if result < 0, errno == EINTR { continue }
            guard result == process else { return nil }
            let signal = status & 0x7F
            return signal == 0 ? status >> 8 & 0xFF : -signal
        }
    }
}
