internal import Configuration
internal import Glibc
internal import SextantJSON
internal import SextantUplink

/// The settings in `/etc/sextant/uplink.json5`.
///
/// | key | value (default) | meaning |
/// |---|---|---|
/// | `broker` | `mqtts://HOST:PORT`, `mqtt://HOST:PORT` | MQTT broker; TLS for mqtts; default port 8883 (mqtt: 1883) |
/// | `id` | 1 to 32 of a-z, 0-9, - and _ (of the machine id) | the device's name in topics |
/// | `user` | a text | the user name at the broker; the password is in a file of its own |
/// | `format` | `sextant`, `owntracks` (`sextant`) | the format of topics and payloads |
/// | `owntracks` | `{ user, device, tracker }` | the two levels of an OwnTracks topic, and the two characters to show |
/// | `homeAssistant` | true or false (false) | describes the device to Home Assistant |
/// | `name` | a text (the id) | the device's name for people |
/// | `delivery` | `broker`, `receiver` (`broker`) | who confirms a record: the broker, or the program that gets it |
/// | `history` | `all`, `none` (`all`) | whether the fixes from an outage are sent after it |
/// | `repeatAfterBrokerLoss` | true or false (false) | whether fixes too are resent if the broker lost the session |
/// | `connection` | `kept`, or `{ every: 60 to 86400 }` (`kept`) | permanent, or seconds between connections |
/// | `spread` | 0 to 3600 (15) | the first connection is made at a random time within so many seconds |
/// | `watch` | `{ accuracy, distanceFilter, minimumInterval, passive }` | the request for positions |
/// | `events` | a list of `regions`, `visits`, `significantChanges` (`regions`, `visits`) | what is sent as events |
/// | `commands` | a list of commands (none) | what the device does on command from a message |
/// | `commandJoules` | 0 to 10000 (50) | the largest energy in joules that commands can cost in a day |
/// | `queue` | `{ bytes, days }` (32 MB, 30 days) | the largest size and age of the records that wait |
struct UplinkSettings: Sendable, Equatable {
    enum Event: String, CaseIterable, Sendable { case regions, visits, significantChanges }

    /// The names of the formats; `sextant` is the project's own format.
    private enum Format: String, CaseIterable { case sextant, owntracks }

    /// How positions are requested from the daemon; for a member that is nil, the daemon decides.
    struct Watch: Sendable, Equatable {
        /// The requested accuracy in metres; nil for the best.
        var accuracy: Double?
        var distanceFilter: Double?
        var minimumInterval: Double? = 10
        /// Whether only positions are sent that the daemon obtains for other clients.
        var isPassive = false
    }

    var broker: BrokerAddress
    var user: String?
    var watch = Watch()
    var events: [Event] = [.regions, .visits]
    /// The reducer's configuration.
    var uplink: UplinkConfiguration

    static let standardPath = "/etc/sextant/uplink.json5"
    private static let example = "{ broker: \"mqtts://broker.example\" }"

    /// - Parameter machine: The content of `/etc/machine-id`, from which the id is made if the configuration has none.
    static func read(from path: String, machine: String?) throws(ConfigurationError) -> UplinkSettings {
        var file = try ConfigurationSection(
            readFrom: path, example: example, ifMissing: "write one, such as \(example)")
        let broker = try BrokerAddress.take(from: &file, example: example)
        let id = try takeID(from: &file, machine: machine)
        var settings = UplinkSettings(broker: broker, uplink: UplinkConfiguration(id: id, name: id))
        settings.uplink.usesTLS = broker.usesTLS
        try settings.take(from: &file)
        try file.finish()
        return settings
    }

    private static func takeID(
        from file: inout ConfigurationSection, machine: String?
    ) throws(ConfigurationError) -> String {
        guard let id = try file.takeString("id") else {
            // Half of the machine's id is enough to tell a million devices apart, and does not reveal the whole id.
            let digits = machine?.prefix { $0.isHexDigit && !$0.isUppercase } ?? ""
            guard digits.count == 32 else { throw file.missing("id", "name the device, such as id: \"boat\"") }
            return String(digits.prefix(16))
        }
        guard UplinkConfiguration.isID(id) else {
            throw file.wrong("id", .string(id), expected: "1 to 32 of a to z, 0 to 9, - and _, such as \"boat\"")
        }
        return id
    }

    private mutating func take(from file: inout ConfigurationSection) throws(ConfigurationError) {
        user = try file.takeString("user")
        if let format = try file.takeWord("format", Format.self) {
            uplink.format = format == .sextant ? .own : .owntracks
        }
        try takeOwnTracks(from: &file)
        uplink.homeAssistant = try file.takeBool("homeAssistant") ?? false
        uplink.name = try file.takeString("name") ?? uplink.name
        try takeDelivery(from: &file)
        uplink.history = try file.takeWord("history", UplinkConfiguration.History.self) ?? uplink.history
        uplink.repeatAfterBrokerLoss = try file.takeBool("repeatAfterBrokerLoss") ?? false
        try takeConnection(from: &file)
        uplink.spread = try file.takeNumber("spread", in: 0...3600, "seconds") ?? uplink.spread
        try takeWatch(from: &file)
        events = try UplinkSettings.words("events", Event.self, from: &file) ?? events
        uplink.commands = Set(
            try UplinkSettings.words("commands", UplinkConfiguration.Command.self, from: &file) ?? [])
        uplink.commandJoules =
            try file.takeNumber("commandJoules", in: 0...10_000, "joules") ?? uplink.commandJoules
        guard var queue = try file.takeSection("queue") else { return }
        let bytes = try queue.takeNumber("bytes", in: 100_000...1_000_000_000, "bytes")
        uplink.maximumBytes = bytes.map { Int($0) } ?? uplink.maximumBytes
        let days = try queue.takeNumber("days", in: 1...3650, "days")
        uplink.maximumAge = days.map { $0 * 86_400 } ?? uplink.maximumAge
        try queue.finish()
    }

    private mutating func takeDelivery(from file: inout ConfigurationSection) throws(ConfigurationError) {
        let delivery = try file.takeWord("delivery", UplinkConfiguration.Delivery.self)
        guard delivery != .receiver || uplink.format == .own else {
            throw file.wrong(
                "delivery", .string("receiver"), expected: "\"broker\" in the format owntracks, which has no answer")
        }
        uplink.delivery = delivery ?? uplink.delivery
    }

    private mutating func takeOwnTracks(from file: inout ConfigurationSection) throws(ConfigurationError) {
        guard var section = try file.takeSection("owntracks") else { return }
        for (key, isTracker) in [("user", false), ("device", false), ("tracker", true)] {
            guard let text = try section.takeString(key) else { continue }
            guard isTracker ? text.utf8.count == 2 : UplinkConfiguration.isID(text) else {
                throw section.wrong(
                    key, .string(text), expected: isTracker ? "two characters" : "1 to 32 of a to z, 0 to 9, - and _")
            }
            switch key {
            case "user": uplink.owntracksUser = text
            case "device": uplink.owntracksDevice = text
            default: uplink.trackerID = text
            }
        }
        try section.finish()
    }

    private mutating func takeConnection(from file: inout ConfigurationSection) throws(ConfigurationError) {
        guard let value = file.take("connection") else { return }
        switch value {
        case .string("kept"): uplink.connection = .kept
        case .object(let members):
            var section = file.section("connection", members)
            guard let seconds = try section.takeNumber("every", in: 60...86_400, "seconds") else {
                throw section.missing("every", "give the seconds from one connection to the next, such as every: 900")
            }
            uplink.connection = .every(seconds: seconds)
            try section.finish()
        default: throw file.wrong("connection", value, expected: "\"kept\", or such as { every: 900 }")
        }
    }

    private mutating func takeWatch(from file: inout ConfigurationSection) throws(ConfigurationError) {
        guard var section = try file.takeSection("watch") else { return }
        watch.accuracy = try section.takeNumber("accuracy", in: 1...100_000, "metres")
        watch.distanceFilter = try section.takeNumber("distanceFilter", in: 0...1_000_000, "metres")
        watch.minimumInterval =
            try section.takeNumber("minimumInterval", in: 0...86_400, "seconds") ?? watch.minimumInterval
        watch.isPassive = try section.takeBool("passive") ?? false
        try section.finish()
    }

    private static func words<Word: RawRepresentable & CaseIterable>(
        _ key: String, _ type: Word.Type, from file: inout ConfigurationSection
    ) throws(ConfigurationError) -> [Word]? where Word.RawValue == String {
        guard let value = file.take(key) else { return nil }
        let expected = "a list of " + Word.allCases.map(\.rawValue).joined(separator: ", ")
        guard case .array(let elements) = value else { throw file.wrong(key, value, expected: expected) }
        var words: [Word] = []
        for element in elements {
            guard case .string(let text) = element, let word = Word(rawValue: text) else {
                throw file.wrong(key, element, expected: expected)
            }
            words.append(word)
        }
        return words
    }
}

/// The address of a broker.
struct BrokerAddress: Sendable, Equatable {
    var host: String
    var port: Int32
    var usesTLS: Bool

    /// Parses `mqtts://HOST` or `mqtt://HOST`, each with or without `:PORT`; nil for any other text.
    ///
    /// A user and a password before the host are refused too, because they would be visible wherever the address is
    /// shown.
    init?(_ text: String) {
        guard let mark = text.range(ofScheme: ["mqtts://", "mqtt://"]) else { return nil }
        usesTLS = mark == "mqtts://"
        var rest = text.dropFirst(mark.count)
        if rest.last == "/" { rest = rest.dropLast() }
        guard rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !rest.contains(where: { "/?#@\\\"".contains($0) })
        else { return nil }
        guard rest.first != "[" || rest.contains("]") else { return nil }
        let end = rest.first == "[" ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : rest.firstIndex(of: ":")
        let name = rest[..<(end ?? rest.endIndex)]
        let port = rest[(end ?? rest.endIndex)...]
        host = String(name.first == "[" ? name.dropFirst().dropLast() : name)
        guard !host.isEmpty, host.utf8.count <= 253 else { return nil }
        guard !port.isEmpty else {
            self.port = usesTLS ? 8883 : 1883
            return
        }
        guard port.first == ":", let number = UInt16(port.dropFirst()), number > 0 else { return nil }
        self.port = Int32(number)
    }

    /// The broker's address, without the port if it is the default port.
    var text: String {
        let host = host.contains(":") ? "[\(host)]" : host
        let isUsual = port == (usesTLS ? 8883 : 1883)
        return (usesTLS ? "mqtts://" : "mqtt://") + host + (isUsual ? "" : ":\(port)")
    }

    fileprivate static func take(
        from file: inout ConfigurationSection, example: String
    ) throws(ConfigurationError) -> BrokerAddress {
        guard let text = try file.takeString("broker") else {
            throw file.missing("broker", "name one, such as \(example)")
        }
        guard let address = BrokerAddress(text) else {
            // The error does not repeat the text of the address, because it may contain a password.
            throw ConfigurationError(
                description: "\(file.path): broker: must be an address such as mqtts://broker.example:8883, without a "
                    + "user, a password and a path; the user has a key of its own, and the password a file")
        }
        return address
    }
}

extension String {
    /// The first of the given prefixes with which the text begins; nil if it begins with none.
    fileprivate func range(ofScheme schemes: [String]) -> String? { schemes.first { hasPrefix($0) } }
}
