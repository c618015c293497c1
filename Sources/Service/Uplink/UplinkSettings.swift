internal import Configuration
internal import Glibc
internal import SextantJSON

/// What `/etc/sextant/uplink.json5` says.
///
/// | key | value (default) | meaning |
/// |---|---|---|
/// | `broker` | `mqtts://HOST:PORT` or `mqtt://HOST:PORT` | the MQTT broker; mqtts is TLS, and its port 8883 where left out (mqtt: 1883) |
/// | `id` | 1 to 32 of a-z, 0-9, - and _ (of the machine id) | the device's name in topics |
/// | `user` | a text | the user name at the broker; the password is in a file of its own |
/// | `format` | `sextant`, `owntracks` (`sextant`) | topics and payloads |
/// | `owntracks` | `{ user, device, tracker }` | the topic's two levels, and two characters to show |
/// | `homeAssistant` | true or false (false) | describes the device to Home Assistant |
/// | `name` | a text (the id) | how people call the device |
/// | `delivery` | `broker`, `receiver` (`broker`) | whose acknowledgement counts |
/// | `history` | `all`, `events`, `none` (`all`) | what of an outage is sent afterwards |
/// | `repeatAfterBrokerLoss` | true or false (false) | fixes too are sent again where a broker forgot the session |
/// | `connection` | `kept`, or `{ every: 60 to 86400 }` (`kept`) | seconds from one connection to the next |
/// | `spread` | 0 to 3600 (15) | seconds within which the first connection is made, at random |
/// | `watch` | `{ accuracy, distanceFilter, minimumInterval, passive }` | what positions are asked of the daemon |
/// | `events` | a list of `regions`, `visits`, `significantChanges` (`regions`, `visits`) | what is told as events |
/// | `commands` | a list of commands (none) | what a message may have the device do |
/// | `commandJoules` | 0 to 10000 (50) | energy of a day that commands may cost |
/// | `queue` | `{ bytes, days }` (32 MB, 30 days) | how much waits at most |
struct UplinkSettings: Sendable, Equatable {
    enum Format: String, CaseIterable, Sendable { case sextant, owntracks }
    enum Delivery: String, CaseIterable, Sendable { case broker, receiver }
    enum History: String, CaseIterable, Sendable { case all, events, none }
    enum Event: String, CaseIterable, Sendable { case regions, visits, significantChanges }

    /// The commands that a message may give.
    enum Command: String, CaseIterable, Sendable {
        case reportLocation, setWaypoints, clearWaypoints, waypoints, status
        case locate, accuracy, regions, sync
    }

    struct OwnTracks: Sendable, Equatable {
        var user: String
        var device: String
        /// Two characters.
        var tracker: String
    }

    /// What positions are asked of the daemon; nil is left to the daemon.
    struct Watch: Sendable, Equatable {
        /// Metres; nil for the best.
        var accuracy: Double?
        var distanceFilter: Double?
        var minimumInterval: Double? = 10
        /// Whether only what other clients cause is sent.
        var isPassive = false
    }

    var broker: BrokerAddress
    var id: String
    var user: String?
    var format = Format.sextant
    var ownTracks: OwnTracks
    var describesToHomeAssistant = false
    var name: String
    var delivery = Delivery.broker
    var history = History.all
    var repeatsAfterBrokerLoss = false
    /// Seconds from one connection to the next; nil for one that is kept.
    var every: Double?
    /// Seconds.
    var spread = 15.0
    var watch = Watch()
    var events: [Event] = [.regions, .visits]
    var commands: [Command] = []
    /// Joules a day.
    var commandJoules = 50.0
    var queueBytes = 32_000_000
    var queueDays = 30

    static let standardPath = "/etc/sextant/uplink.json5"
    private static let example = "{ broker: \"mqtts://broker.example\" }"

    /// - Parameter machine: The content of `/etc/machine-id`, for a device whose id is left out.
    static func read(from path: String, machine: String?) throws(ConfigurationError) -> UplinkSettings {
        var file = try ConfigurationSection(
            readFrom: path, example: example, ifMissing: "write one, such as \(example)")
        let broker = try BrokerAddress.take(from: &file, example: example)
        let id = try takeID(from: &file, machine: machine)
        var settings = UplinkSettings(
            broker: broker, id: id, ownTracks: OwnTracks(user: "sextant", device: id, tracker: String(id.suffix(2))),
            name: id)
        try settings.take(from: &file)
        try file.finish()
        return settings
    }

    private static func takeID(
        from file: inout ConfigurationSection, machine: String?
    ) throws(ConfigurationError) -> String {
        guard let id = try file.takeString("id") else {
            // Half of the machine's id tells a million devices apart, and does not give the whole of it away.
            let digits = machine?.prefix { $0.isHexDigit && !$0.isUppercase } ?? ""
            guard digits.count == 32 else { throw file.missing("id", "name the device, such as id: \"boat\"") }
            return String(digits.prefix(16))
        }
        guard (1...32).contains(id.utf8.count), id.utf8.allSatisfy(isOfTopic) else {
            throw file.wrong("id", .string(id), expected: "1 to 32 of a to z, 0 to 9, - and _, such as \"boat\"")
        }
        return id
    }

    /// The bytes that every broker takes in a topic: a dot closes the connection at NATS, and OwnTracks Recorder lowers
    /// the case.
    private static func isOfTopic(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private mutating func take(from file: inout ConfigurationSection) throws(ConfigurationError) {
        user = try file.takeString("user")
        format = try file.takeWord("format", Format.self) ?? format
        try takeOwnTracks(from: &file)
        describesToHomeAssistant = try file.takeBool("homeAssistant") ?? false
        name = try file.takeString("name") ?? name
        delivery = try file.takeWord("delivery", Delivery.self) ?? delivery
        history = try file.takeWord("history", History.self) ?? history
        repeatsAfterBrokerLoss = try file.takeBool("repeatAfterBrokerLoss") ?? false
        try takeConnection(from: &file)
        spread = try file.takeNumber("spread", in: 0...3600, "seconds") ?? spread
        try takeWatch(from: &file)
        events = try UplinkSettings.words("events", Event.self, from: &file) ?? events
        commands = try UplinkSettings.words("commands", Command.self, from: &file) ?? []
        commandJoules = try file.takeNumber("commandJoules", in: 0...10_000, "joules") ?? commandJoules
        guard var queue = try file.takeSection("queue") else { return }
        queueBytes = try queue.takeNumber("bytes", in: 100_000...1_000_000_000, "bytes").map { Int($0) } ?? queueBytes
        queueDays = try queue.takeNumber("days", in: 1...3650, "days").map { Int($0) } ?? queueDays
        try queue.finish()
    }

    private mutating func takeOwnTracks(from file: inout ConfigurationSection) throws(ConfigurationError) {
        guard var section = try file.takeSection("owntracks") else { return }
        for (key, isTracker) in [("user", false), ("device", false), ("tracker", true)] {
            guard let text = try section.takeString(key) else { continue }
            guard isTracker ? text.utf8.count == 2 : text.utf8.allSatisfy(UplinkSettings.isOfTopic) else {
                throw section.wrong(
                    key, .string(text), expected: isTracker ? "two characters" : "of a to z, 0 to 9, - and _")
            }
            switch key {
            case "user": ownTracks.user = text
            case "device": ownTracks.device = text
            default: ownTracks.tracker = text
            }
        }
        try section.finish()
    }

    private mutating func takeConnection(from file: inout ConfigurationSection) throws(ConfigurationError) {
        guard let value = file.take("connection") else { return }
        switch value {
        case .string("kept"): every = nil
        case .object(let members):
            var section = file.section("connection", members)
            guard let seconds = try section.takeNumber("every", in: 60...86_400, "seconds") else {
                throw section.missing("every", "give the seconds from one connection to the next, such as every: 900")
            }
            every = seconds
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

    /// Reads `mqtts://HOST`, `mqtt://HOST`, both with `:PORT` or without; nil for anything else, a user and a password
    /// before the host included, which would be seen wherever the address is.
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

    /// The address without the port where that is the usual one.
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
            // What stands there may have a password in it.
            throw ConfigurationError(
                description: "\(file.path): broker: must be an address such as mqtts://broker.example:8883, without a "
                    + "user, a password and a path; the user has a key of its own, and the password a file")
        }
        return address
    }
}

extension String {
    /// The one of these beginnings that the text has.
    fileprivate func range(ofScheme schemes: [String]) -> String? { schemes.first { hasPrefix($0) } }
}
