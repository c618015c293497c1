internal import ArgumentParser

/// What every command that talks to the daemon takes.
struct ClientOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The daemon's socket; SEXTANT_SOCKET, or the default place.", valueName: "path"))
    var socket: String?

    @Flag(help: "Print the daemon's JSON, an object a line.")
    var json = false

    /// Runs a command's work; a failure is one line and its exit status.
    func run(_ work: (inout DaemonConnection) throws(CommandFailure) -> Void) throws {
        do throws(CommandFailure) {
            var daemon = try DaemonConnection.open(path: socket)
            try work(&daemon)
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }
}

/// `sextant watch`.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show every fix as it comes.",
        discussion: "Exit status: 0 after --count fixes; 64 for usage; 69 where the daemon cannot be reached or ends.")

    @OptionGroup var options: ClientOptions

    @Flag(help: "With --json, have the satellites too.")
    var satellites = false

    @Option(help: ArgumentHelp("End after this many epochs.", valueName: "epochs"))
    var count: Int?

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1") }
    }

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            try daemon.send("{\"request\":\"watch\",\"satellites\":\(satellites)}")
            var seen = 0
            while count.map({ seen < $0 }) ?? true {
                let line = try daemon.next()
                guard line.text("event") == "epoch" else { continue }
                seen += 1
                try options.json ? StandardOutput.write(line.bytes) : StandardOutput.write(line: FixLine.text(of: line))
            }
        }
    }
}

/// `sextant locate`.
struct Locate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say where the board is, once.",
        discussion: "Exit status: 0; 64 for usage; 69 where the daemon cannot be reached or has no fix in time.")

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("Wait this long for a fix.", valueName: "seconds"))
    var timeout = 60.0

    func validate() throws {
        guard (0.1...86_400).contains(timeout) else { throw ValidationError("--timeout must be from 0.1 to 86400") }
    }

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            try daemon.send("{\"request\":\"locate\",\"timeout\":\(timeout)}")
            let line = try daemon.next()
            try options.json ? StandardOutput.write(line.bytes) : StandardOutput.write(line: FixLine.text(of: line))
        }
    }
}

/// `sextant status`.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say how the daemon and its receiver are.",
        discussion: "Exit status: 0; 64 for usage; 69 where the daemon cannot be reached.")

    @OptionGroup var options: ClientOptions

    func run() throws {
        try options.run { daemon throws(CommandFailure) in
            try daemon.send("{\"request\":\"status\"}")
            let line = try daemon.next()
            guard !options.json else { return try StandardOutput.write(line.bytes) }
            for text in StatusLines.text(of: line) { try StandardOutput.write(line: text) }
        }
    }
}
