internal import DaemonClient
internal import Page

/// The values given on the command line.
///
/// They are read without a library, as `sextantd` does it: the process is to stay small.
struct PageOptions {
    enum Request { case serve, showHelp, showVersion }

    var request = Request.serve
    var config = PageConfiguration.standardPath
    var socket: String?
    var secret: String?
    var metricsSecret: String?
    var web = PageAssets.standardFolder
    /// The port on loopback; nil where systemd passes sockets.
    var port: UInt16?

    struct Mistake: Error { var text: String }

    init(_ arguments: some Sequence<String>) throws(Mistake) {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "-h", "--help": request = .showHelp
            case "--version": request = .showVersion
            case "--config", "--socket", "--secret", "--metrics-secret", "--web", "--port":
                guard let value = rest.next() else { throw Mistake(text: "\(argument) wants a value") }
                try take(value, for: argument)
            default: throw Mistake(text: "unknown option \(argument)")
            }
        }
    }

    private mutating func take(_ value: String, for option: String) throws(Mistake) {
        switch option {
        case "--config": config = value
        case "--socket": socket = value
        case "--secret": secret = value
        case "--metrics-secret": metricsSecret = value
        case "--web": web = value
        default:
            guard let number = UInt16(value) else { throw Mistake(text: "--port \(value): 0 to 65535") }
            port = number
        }
    }

    static let help = """
        OVERVIEW: The page: shows what sextantd knows, in a browser.

        Started by sextant-page.socket with the first viewer, and ends 60 s after the last,
        or when the last address that sextant page printed is used or too old.
        It has no network of its own: systemd passes the listening sockets to it. The
        command sextant page prints the address to open.

        Exit status: 0 at its end; 64 for usage; 69 where no socket is passed or the port
        is taken; 74 where the secret or the page's files cannot be read.

        USAGE: sextant-page [--config <file>] [--socket <path>] [--secret <file>] [--metrics-secret <file>]
                            [--web <folder>] [--port <port>]

        OPTIONS:
          --config <file>         The configuration, instead of /etc/sextant/page.json5.
          --socket <path>         The daemon's socket.
          --secret <file>         The file with the secret, instead of systemd's credential
                                  page.secret or /etc/sextant/page.secret.
          --metrics-secret <file> The file with the secret of scrapers of /metrics, instead of
                                  systemd's credential metrics.secret or
                                  /etc/sextant/metrics.secret. Without one they are off.
          --web <folder>          The page's files, instead of /usr/share/sextant/page.
          --port <port>           Listen on this port of loopback, and stay; for trying out.
          --version               Show the version.
          -h, --help              Show help information.

        """
}
