/// The options of the daemon's command line that have a value.
///
/// The daemon reads its few options itself: swift-argument-parser brings Foundation's JSON with it, which is 8 MB of
/// program and 4 MB of memory that no other part of the daemon needs.
enum Option: String, CaseIterable {
    case config, device, board, baud, socket, gpsd
    case stateDirectory = "state-directory"
    case clients, policy, record, date

    var name: String { "--\(rawValue)" }

    /// The word that stands for the option's value in the help text.
    var valueName: String {
        switch self {
        case .config, .policy, .record: "file"
        case .device, .socket, .stateDirectory, .clients: "path"
        case .board: "board"
        case .baud: "rate"
        case .gpsd: "port"
        case .date: "YYYY-MM-DD"
        }
    }

    var help: String {
        switch self {
        case .config: "The configuration file."
        case .device: "The receiver's device, such as /dev/serial0."
        case .board:
            "What the receiver is wired to: a board, parts joined by + (zero-2w+neo-m8n), or a path."
        case .baud: "Bits per second, 4800 to 921600, or auto."
        case .socket: "The Unix socket to serve."
        case .gpsd: "The gpsd protocol's TCP port on loopback, or off."
        case .stateDirectory: "The directory to keep state in: decisions, events, the track, learned values."
        case .clients: "The folder of the clients' manifests, instead of /etc/sextant/clients.d."
        case .policy: "The operator's policy, instead of /etc/sextant/policy.json5."
        case .record: "Record every input to a file, for sextant replay; if it exists, to FILE.2 and so on."
        case .date: "The day of a recording that is played: the receiver's dates are within 512 weeks of it."
        }
    }
}

/// The reason why a command line cannot be understood.
struct UsageError: Error, Equatable {
    var problem: String
}
