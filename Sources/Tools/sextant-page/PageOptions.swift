internal import DaemonClient
internal import Page
internal import Programs

struct PageOptions {
    enum Request { case serve, check, showHelp, showVersion }

    var request = Request.serve
    var config = PageConfiguration.standardPath
    var socket: String?
    var secret: String?
    var metricsSecret: String?
    var uplink: String?
    var web = PageAssets.standardFolder
    /// The TCP port to listen on at loopback; nil if systemd passes open sockets.
    var port: UInt16?

    init(_ arguments: some Sequence<String>) throws(CommandWords.Mistake) {
        var words = CommandWords(arguments)
        while let option = words.next() {
            switch option {
            case "-h", "--help": request = .showHelp
            case "--version": request = .showVersion
            case "--check": request = .check
            case "--config": config = try words.value()
            case "--socket": socket = try words.value()
            case "--secret": secret = try words.value()
            case "--metrics-secret": metricsSecret = try words.value()
            case "--uplink": uplink = try words.value()
            case "--web": web = try words.value()
            case "--port": port = try PageOptions.port(words.value())
            default: throw words.unknown
            }
        }
    }

    private static func port(_ value: String) throws(CommandWords.Mistake) -> UInt16 {
        guard let number = UInt16(value) else { throw CommandWords.Mistake("--port \(value): 0 to 65535") }
        return number
    }

    static let help = """
        OVERVIEW: The page: shows what sextantd knows, in a browser.

        Started by sextant-page.socket with the first viewer, and ends 60 s after the last,
        or when the last address that sextant page printed is used or too old.
        It has no network of its own: systemd passes the listening sockets to it. The
        command sextant page prints the address to open.

        Exit status: 0 at its end; 64 for usage; 69 where no socket is passed or the port
        is taken; 74 where the secret or the page's files cannot be read; with --check 78
        where the configuration is wrong.

        USAGE: sextant-page [--check] [--config <file>] [--socket <path>] [--secret <file>]
                            [--metrics-secret <file>] [--uplink <file>] [--web <folder>] [--port <port>]

        OPTIONS:
          --check                 Say whether the configuration and its map can be used, and end.
          --config <file>         The configuration, instead of /etc/sextant/page.json5.
          --socket <path>         The daemon's socket.
          --secret <file>         The file with the secret, instead of systemd's credential
                                  page.secret or /etc/sextant/page.secret.
          --metrics-secret <file> The file with the secret of scrapers of /metrics, instead of
                                  systemd's credential metrics.secret or
                                  /etc/sextant/metrics.secret. Without one they are off.
          --uplink <file>         The file in which sextant-uplink says how it is, instead of
                                  /run/sextant-uplink/status.json.
          --web <folder>          The page's files, instead of /usr/share/sextant/page.
          --port <port>           Listen on this port of loopback, and stay; for trying out.
          --version               Show the version.
          -h, --help              Show help information.

        """
}
