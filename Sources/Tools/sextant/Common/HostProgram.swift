internal import Glibc

/// Runs other programs that are installed on this host.
enum HostProgram {
    /// Runs a program found in PATH and waits until it exits.
    ///
    /// - Parameter input: The text for the program's standard input, 64 KiB at most; nil to pass on this command's own
    ///   standard input.
    /// - Returns: The program's exit status; nil if the program could not be started.
    static func run(_ program: String, _ arguments: [String], input: String? = nil) -> Int32? {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var ends: [Int32] = [-1, -1]
        if let input {
            guard unsafe pipe(&ends) == 0 else { return nil }
            let bytes = Array(input.utf8)
            // A pipe holds 64 KiB, so the write does not block although no program reads from the pipe yet.
            guard unsafe write(ends[1], bytes, bytes.count) == bytes.count else { return nil }
            close(ends[1])
            unsafe posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
            unsafe posix_spawn_file_actions_addclose(&actions, ends[0])
        }
        defer { if ends[0] >= 0 { close(ends[0]) } }
        return unsafe start(program, arguments, &actions).flatMap(status(of:))
    }

    /// Runs a program found in PATH, and reads the first 4 KiB of what it writes to standard error; its standard output
    /// is lost.
    ///
    /// - Returns: The program's exit status and the text; nil if it could not be started.
    static func errors(of program: String, _ arguments: [String]) -> (status: Int32, text: String)? {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        for end in ends { unsafe posix_spawn_file_actions_addclose(&actions, end) }
        let process = unsafe start(program, arguments, &actions)
        close(ends[1])
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        // The program's whole error output is read, so that the program does not wait for a full pipe.
        while case let count = unsafe read(ends[0], &bytes, bytes.count), count > 0 {
            text += bytes.prefix(min(count, 4096 - text.count))
        }
        return process.flatMap(status(of:)).map { ($0, String(decoding: text, as: UTF8.self)) }
    }

    /// Starts a program; nil if that fails.
    private static func start(
        _ program: String, _ arguments: [String], _ actions: inout posix_spawn_file_actions_t
    ) -> pid_t? {
        // Safety: the copies of the words live until after the calls, and each is freed once.
        let all: [String] = [program] + arguments
        let words = unsafe all.map { unsafe strdup($0) }
        defer { unsafe words.forEach { unsafe free($0) } }
        var process: pid_t = 0
        return unsafe posix_spawnp(&process, program, &actions, nil, words + [nil], environ) == 0 ? process : nil
    }

    /// Waits for a program, and returns its exit status; nil if it could not be run.
    private static func status(of process: pid_t) -> Int32? {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        let code = status >> 8 & 0xFF
        return code == 127 ? nil : code
    }

    /// The value of an environment variable; nil if the variable is not set.
    static func variable(_ name: String) -> String? {
        // Safety: the environment's text is copied before anything can change the environment.
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
