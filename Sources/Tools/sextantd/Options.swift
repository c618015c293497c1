internal import SextantUnits

struct Options {
    enum Request: Equatable { case serve, openBluetooth, releaseBluetooth, showHelp, showVersion }

    private(set) var request = Request.serve
    private(set) var config: String?
    private(set) var device: String?
    private(set) var board: String?
    /// The baud rate: the outer optional is nil if the option was not given, the inner one if the daemon is to find the
    /// rate.
    private(set) var baud: Int??
    private(set) var socket: String?
    /// The TCP port of the gpsd protocol: the outer optional is nil if the option was not given, the inner one if the
    /// port is switched off.
    private(set) var gpsdPort: UInt16??
    private(set) var stateDirectory: String?
    private(set) var clients: String?
    private(set) var policy: String?
    private(set) var record: String?
    private(set) var date: CivilDate?

    /// Parses options written as `--name value` or `--name=value`; if an option is given twice, the last value counts.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "-h", "--help": request = .showHelp
            case "--version": request = .showVersion
            case "--open-bluetooth": request = .openBluetooth
            case "--release-bluetooth": request = .releaseBluetooth
            default:
                let (option, attached) = try Options.split(argument)
                guard let value = attached ?? rest.next(), attached != nil || !value.hasPrefix("--") else {
                    throw UsageError(problem: "Missing value for '\(option.name) <\(option.valueName)>'")
                }
                try take(value, for: option)
            }
        }
        guard config == nil || device == nil else {
            throw UsageError(problem: "give either --config, which names the device, or --device")
        }
    }

    private static func split(_ argument: String) throws(UsageError) -> (Option, String?) {
        guard argument.hasPrefix("--") else { throw UsageError(problem: "Unexpected argument '\(argument)'") }
        let name = argument.dropFirst(2).prefix { $0 != "=" }
        guard let option = Option(rawValue: String(name)) else {
            throw UsageError(problem: "Unknown option '--\(name)'")
        }
        return (option, argument.firstIndex(of: "=").map { String(argument[argument.index(after: $0)...]) })
    }

    private mutating func take(_ value: String, for option: Option) throws(UsageError) {
        switch option {
        case .config: config = value
        case .device: device = value
        case .board: board = value
        case .baud: baud = .some(try Options.baud(value))
        case .socket: socket = value
        case .gpsd: gpsdPort = .some(try Options.port(value))
        case .stateDirectory: stateDirectory = value
        case .clients: clients = value
        case .policy: policy = value
        case .record: record = value
        case .date: date = try Options.date(value)
        }
    }

    private static func baud(_ text: String) throws(UsageError) -> Int? {
        if text == "auto" { return nil }
        guard let rate = Int(text), (4800...921_600).contains(rate) else { throw invalid(text, .baud) }
        return rate
    }

    /// Parses a port number; 0 means any free port, and `off` gives nil.
    private static func port(_ text: String) throws(UsageError) -> UInt16? {
        if text == "off" { return nil }
        guard let port = UInt16(text) else { throw invalid(text, .gpsd) }
        return port
    }

    private static func date(_ text: String) throws(UsageError) -> CivilDate {
        guard let date = CivilDate(iso8601: text), date.isReceivable else { throw invalid(text, .date) }
        return date
    }

    private static func invalid(_ text: String, _ option: Option) -> UsageError {
        UsageError(
            problem: "The value '\(text)' is invalid for '\(option.name) <\(option.valueName)>'\nHelp:  "
                + "\(option.name) <\(option.valueName)>  \(option.help)")
    }
}
