internal import Configuration
internal import Geocoder
internal import Programs

struct GeocoderOptions {
    enum Request { case serve, check, showHelp, showVersion }

    var request = Request.serve
    var config = GeocoderSettings.standardPath
    var clients = ManifestFolder.standardFolder
    /// The folder in which the service keeps answers; nil for the folder that systemd names in `STATE_DIRECTORY`.
    var state: String?
    var authority: String?
    /// The path of the socket to listen on; nil if systemd passes an open socket.
    var socket: String?

    init(_ arguments: some Sequence<String>) throws(CommandWords.Mistake) {
        var words = CommandWords(arguments)
        while let option = words.next() {
            switch option {
            case "-h", "--help": request = .showHelp
            case "--version": request = .showVersion
            case "--check": request = .check
            case "--config": config = try words.value()
            case "--clients": clients = try words.value()
            case "--state": state = try words.value()
            case "--authority": authority = try words.value()
            case "--socket": socket = try words.value()
            default: throw words.unknown
            }
        }
    }

    static let help = """
        OVERVIEW: The geocoder: asks a server for names of places, for all programs of the board.

        Started by sextant-geocoder.socket with the first lookup, and ends 60 s after the
        last. It asks only the server that geocoding in /etc/sextant/sextant.json5 names;
        where none is named, nothing leaves the board. SIGHUP has it read that again.

        Exit status: 0 at its end; 64 for usage; 69 where no socket is passed or the
        socket cannot be listened at; 70 where the system refuses something else; with
        --check 78 where the configuration is wrong, and 74 where it cannot be read.

        USAGE: sextant-geocoder [--check] [--config <file>] [--clients <folder>] [--state <folder>]
                                [--authority <file>] [--socket <path>]

        OPTIONS:
          --check                 Say whether the configuration can be used, and end.
          --config <file>         The configuration, instead of /etc/sextant/sextant.json5.
          --clients <folder>      The clients' manifests, instead of /etc/sextant/clients.d.
          --state <folder>        Where answers are kept, instead of the folder that systemd
                                  names; without either they are kept in memory.
          --authority <file>      Certificates to trust, instead of the system's; for trying out.
          --socket <path>         Listen at this path, and stay; for trying out.
          --version               Show the version.
          -h, --help              Show help information.

        """
}
