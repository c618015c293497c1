internal import Glibc

/// Starts other programs of the host.
enum HostProgram {
    /// Runs a program found in PATH and waits for it.
    ///
    /// - Parameter input: The program's standard input, 64 KiB at most; nil to share this command's.
    /// - Returns: The program's exit status; nil if it could not be started.
    static func run(_ program: String, _ arguments: [String], input: String? = nil) -> Int32? {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var ends: [Int32] = [-1, -1]
        if let input {
            guard unsafe pipe(&ends) == 0 else { return nil }
            let bytes = Array(input.utf8)
            // A pipe holds 64 KiB, so the write does not block although nothing reads yet.
            guard unsafe write(ends[1], bytes, bytes.count) == bytes.count else { return nil }
            close(ends[1])
            unsafe posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
            unsafe posix_spawn_file_actions_addclose(&actions, ends[0])
        }
        defer { if ends[0] >= 0 { close(ends[0]) } }
        // Safety: the copies live until after the calls, and are freed once.
        let all: [String] = [program] + arguments
        let words = unsafe all.map { unsafe strdup($0) }
        defer { unsafe words.forEach { unsafe free($0) } }
        var process: pid_t = 0
        guard unsafe posix_spawnp(&process, program, &actions, nil, words + [nil], environ) == 0 else { return nil }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        let code = status >> 8 & 0xFF
        return code == 127 ? nil : code
    }

    /// An environment variable; nil if it is not set.
    static func variable(_ name: String) -> String? {
        // Safety: the environment's text is copied before anything can change the environment.
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
