internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient

/// The options of every command that talks to the daemon.
struct ClientOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The daemon's socket; SEXTANT_SOCKET, or the default place.", valueName: "path"))
    var socket: String?

    @Flag(help: "Print the daemon's JSON, an object a line.")
    var json = false

    /// Runs a command's work; a failure prints one line and sets the exit status.
    func run(_ work: (inout Daemon) throws(CommandFailure) -> Void) throws {
        do throws(CommandFailure) {
            var daemon = try Daemon(path: socket)
            try work(&daemon)
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }

    /// Sends a request for positions; without `--json` also subscribes to the daemon's `status`, which says why no
    /// positions come.
    func ask(_ request: DaemonRequest, _ daemon: inout Daemon) throws(CommandFailure) {
        try json ? daemon.send(request) : daemon.send(DaemonRequest(.watchStatus), request)
    }
}
