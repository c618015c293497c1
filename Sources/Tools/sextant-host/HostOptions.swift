internal import HostHelper

/// The values given on the command line.
///
/// They are read without a library, as `sextantd` does it: the hook runs when hardly anything is left.
struct HostOptions {
    enum Request: Equatable {
        case serve
        /// systemd's word for the shutdown.
        case hook(String)
        case showHelp, showVersion
    }

    var request = Request.serve
    var folders = HostFolders()

    struct Mistake: Error { var text: String }

    init(_ arguments: some Sequence<String>) throws(Mistake) {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "-h", "--help": request = .showHelp
            case "--version": request = .showVersion
            case "--hook", "--daemon", "--folder":
                guard let value = rest.next() else { throw Mistake(text: "\(argument) wants a value") }
                take(value, for: argument)
            default: throw Mistake(text: "unknown option \(argument)")
            }
        }
    }

    private mutating func take(_ value: String, for option: String) {
        switch option {
        case "--hook": request = .hook(value)
        case "--daemon": folders.daemon = value
        default: folders.helper = value
        }
    }

    static let help = """
        OVERVIEW: The helper of host sleep: has the board switched off until an alarm.

        Started by sextant-host.path when sextantd writes a request. It checks the request,
        reads the host switch, asks systemd-logind to power off, and writes the answer, which
        sextantd reads. A session or an inhibitor that blocks a shutdown keeps the board on.

        With --hook it ends a shutdown, from /usr/lib/systemd/system-shutdown/sextant-host:
        of a sleep it reads the switch again and has it cut the supply; of the owner's own
        power-off it clears the switch, so that the board stays off.

        Exit status: 0 where a request was answered or none stands, or the power-off may go
        on; with --hook 1 where the board must start again instead, or the switch cannot be
        cleared; 64 for usage; 70 where the answer cannot be written.

        USAGE: sextant-host [--hook <action>] [--daemon <folder>] [--folder <folder>]

        OPTIONS:
          --hook <action>         End a shutdown: poweroff, reboot, halt or kexec.
          --daemon <folder>       The daemon's folder, instead of /run/sextant; for trying out.
          --folder <folder>       The helper's folder, instead of /run/sextant-host; for trying
                                  out.
          --version               Show the version.
          -h, --help              Show help information.

        """
}
