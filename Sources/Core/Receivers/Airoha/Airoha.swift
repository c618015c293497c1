/// Airoha AG33xx: PAIR sentences, answered by PAIR001.
///
/// Source: Quectel LC26G, LC76G and LC86G protocol specification.
enum Airoha {
    static let query = ReceiverCommand.sentence("PAIR020", answer: .identity).asking(.identity, attempts: 2)

    static func behaviour(_ settings: BehaviourSettings) -> ReceiverBehaviour {
        var behaviour = ReceiverBehaviour(configuration: [
            // This command switches GNSS on, because GNSS stays off after a sleep.
            .pair(2),
            .pair(50, ",1000"),
            // PAIR062 numbers the sentences: GGA is 0, then GLL, GSA, GSV, RMC, and VTG is 5.
            .pair(62, ",0,1"), .pair(62, ",1,0"), .pair(62, ",2,1"), .pair(62, ",3,1"), .pair(62, ",4,1"),
            .pair(62, ",5,0"),
        ])
        behaviour.sleepMethods = [.sentences(sleep(hasWakeLine: settings.lines.contains(.wake)))]
        behaviour.wakeBytes = [0x0D, 0x0A]
        return behaviour
    }

    /// The sleep commands: PAIR003, which switches GNSS off, and, where a wake line is wired, PAIR650, which enters RTC
    /// backup mode; only that line ends this mode.
    ///
    /// The receiver's answers to them are unreliable (Quectel forum 25292), so only silence proves sleep.
    private static func sleep(hasWakeLine: Bool) -> [ReceiverCommand] {
        let stop = ReceiverCommand.pair(3).asking(.pair(3), attempts: 1)
        guard hasWakeLine else { return [stop] }
        return [stop, .pair(650, ",0").asking(.pause(0), attempts: 1)]
    }
}

extension ReceiverIdentity {
    init(airoha firmware: String) {
        self.init(
            family: .airoha, model: nil, nearestModel: .lc76G, firmware: firmware, protocolVersion: nil,
            generation: nil, description: "Airoha " + firmware)
    }
}
