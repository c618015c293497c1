internal import Programs

struct UplinkOptions {
    enum Request { case serve, check, dropIn, showHelp, showVersion }

    var request = Request.serve
    var config = "/etc/sextant/uplink.json5"
    var socket: String?
    /// Three folders: of the queue of messages, of files in memory, and of the password and keys; each is nil if the
    /// command line does not name it, so that the folder that systemd names is used.
    var state: String?
    var runtime: String?
    var keys: String?

    init(_ arguments: some Sequence<String>) throws(CommandWords.Mistake) {
        var words = CommandWords(arguments)
        while let option = words.next() {
            switch option {
            case "-h", "--help": request = .showHelp
            case "--version": request = .showVersion
            case "--check": request = .check
            case "--drop-in": request = .dropIn
            case "--config": config = try words.value()
            case "--socket": socket = try words.value()
            case "--state": state = try words.value()
            case "--runtime": runtime = try words.value()
            case "--keys": keys = try words.value()
            default: throw words.unknown
            }
        }
    }

    static let help = """
        OVERVIEW: The uplink: sends the board's positions and events to an MQTT broker.

        Started by sextant-uplink.service, which is off until its owner enables it. It
        calls only the broker that /etc/sextant/uplink.json5 names, and without that
        nobody. What waits is kept until it is delivered; sextant uplink shows it. SIGHUP
        has it send what waits now.

        Exit status: 0 at its end; 64 for usage; 69 where another one has the queue; 70
        where the system refuses something; 74 where the queue's folder cannot be used;
        78 where the configuration is wrong or missing.

        USAGE: sextant-uplink [--check] [--drop-in] [--config <file>] [--socket <path>] [--state <folder>]
                              [--runtime <folder>] [--keys <folder>]

        OPTIONS:
          --check                 Say whether the configuration can be used, and end.
          --drop-in               Print the unit's drop-in that opens the network to the broker
                                  and to the board's name servers, and end.
          --config <file>         The configuration, instead of /etc/sextant/uplink.json5.
          --socket <path>         The daemon's socket.
          --state <folder>        Where the queue is, instead of the folder that systemd names.
          --runtime <folder>      Where the newest fixes and status.json are, likewise.
          --keys <folder>         Where password, ca.pem, certificate.pem and key.pem are, those
                                  that there are, instead of systemd's credentials.
          --version               Show the version.
          -h, --help              Show help information.

        """
}
