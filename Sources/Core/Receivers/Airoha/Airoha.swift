/// Airoha AG33xx: PAIR sentences, answered by PAIR001.
///
/// Source: Quectel LC26G, LC76G and LC86G protocol specification.
enum Airoha {
    static let query = ReceiverCommand.sentence("PAIR020", answer: .identity).asking(.identity, attempts: 2)

    static func behaviour(_ settings: BehaviourSettings) -> ReceiverBehaviour {
        var behaviour = ReceiverBehaviour(configuration: [
            // GNSS on, which it is not after sleeping.
            .pair(2),
            .pair(50, ",1000"),
            // GGA, GLL, GSA, GSV, RMC, VTG: 0 to 5.
            .pair(62, ",0,1"), .pair(62, ",1,0"), .pair(62, ",2,1"), .pair(62, ",3,1"), .pair(62, ",4,1"),
            .pair(62, ",5,0"),
        ])
        behaviour.sleepMethods = [.sentences(sleep(hasWakeLine: settings.lines.contains(.wake)))]
        behaviour.wakeBytes = [0x0D, 0x0A]
        return behaviour
    }

    /// GNSS off, and the RTC's backup where a pin can end it: bytes alone do not.
    ///
    /// The answers are not reliable (Quectel forum 25292), so that silence is what counts.
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
