internal import HostSleep
internal import Programs

struct HostOptions {
    enum Request: Equatable {
        case serve
        /// Run once as systemd's shutdown hook; the text is systemd's word for the kind of shutdown, such as
        /// "poweroff".
        case hook(String)
        case showHelp, showVersion
    }

    var request = Request.serve
    var folders = HostFolders()

    init(_ arguments: some Sequence<String>) throws(CommandWords.Mistake) {
        var words = CommandWords(arguments)
        while let option = words.next() {
            switch option {
            case "-h", "--help": request = .showHelp
            case "--version": request = .showVersion
            case "--hook": request = .hook(try words.value())
            case "--daemon": folders.daemon = try words.value()
            case "--folder": folders.helper = try words.value()
            default: throw words.unknown
            }
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
