internal import ClientVocabulary
internal import SextantJSON
public import SextantUnits

/// The energy that the whole board drew over all its boots and sleeps; a part of the answer to an `energy` request.
public struct HostEnergyObject: Sendable {
    /// The time that the host spent in one state (such as asleep), and the energy that it drew meanwhile.
    public struct Part: Sendable {
        public var name: StaticString
        public var seconds: Double
        public var joules: Double
        /// Whether the power in this state is an assumed value, and neither measured on this board nor configured.
        public var isAssumed: Bool

        public init(name: StaticString, seconds: Double, joules: Double, isAssumed: Bool) {
            self.name = name
            self.seconds = seconds
            self.joules = joules
            self.isAssumed = isAssumed
        }
    }

    /// The number of times that the host woke up for one reason, and the energy of the shutdowns and boots that belong
    /// to these wake-ups.
    public struct Wakes: Sendable {
        public var name: StaticString
        public var count: Int
        public var joules: Double

        public init(name: StaticString, count: Int, joules: Double) {
            self.name = name
            self.count = count
            self.joules = joules
        }
    }

    /// The energy of those wake-ups of the host that one client caused.
    public struct Client: Sendable {
        public var name: String
        public var joules: Double

        public init(name: String, joules: Double) {
            self.name = name
            self.joules = joules
        }
    }

    public var since: UTCInstant
    public var states: [Part]
    public var wakes: [Wakes]
    /// The clients that caused wake-ups of the host, in descending order of energy.
    public var clients: [Client]
    /// The number of sleeps that the times and energies of this answer leave out, because no clock tells how long they
    /// were.
    public var untimed: Int
    public var batteryWattHours: Double?

    /// - Parameter batteryWattHours: The energy that a full battery delivers at the board's 5 V.
    public init(
        since: UTCInstant, states: [Part], wakes: [Wakes], clients: [Client], untimed: Int, batteryWattHours: Double?
    ) {
        self.since = since
        self.states = states
        self.wakes = wakes
        self.clients = clients
        self.untimed = untimed
        self.batteryWattHours = batteryWattHours
    }

    func append(to text: inout TextBuffer) {
        let seconds = states.reduce(0) { $0 + $1.seconds }
        let milliwatts = seconds > 0 ? states.reduce(0) { $0 + $1.joules } / seconds * 1000 : nil
        text.beginObject(.host)
        text.member(.since, since)
        text.member(.hours, seconds / 3600, decimals: 4)
        text.member(.boots, wakes.reduce(0) { $0 + $1.count })
        if untimed > 0 { text.member(.untimed, untimed) }
        text.member(.deviceMilliwatts, milliwatts, decimals: 3)
        // The hours for which a battery lasts are rounded down, as in the rest of the energy report.
        let life = milliwatts.flatMap { draw in batteryWattHours.map { ($0 * 10_000 / draw).rounded(.down) / 10 } }
        text.member(.batteryHours, life, decimals: 1)
        text.beginArray(.byState)
        for part in states {
            text.beginObject()
            text.member(.state, literal: part.name)
            text.member(.seconds, part.seconds, decimals: 1)
            text.member(.joules, part.joules, decimals: 3)
            if part.isAssumed { text.member(.assumed, true) }
            text.endElement()
        }
        text.endArray()
        text.beginArray(.wakes)
        for part in wakes {
            text.beginObject()
            text.member(.cause, literal: part.name)
            text.member(.count, part.count)
            text.member(.joules, part.joules, decimals: 3)
            text.endElement()
        }
        text.endArray()
        text.beginArray(.byClient)
        for client in clients {
            text.beginObject()
            text.member(.client, client.name)
            text.member(.joules, client.joules, decimals: 3)
            text.endElement()
        }
        text.endArray()
        text.endElement()
    }
}
