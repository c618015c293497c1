/// MediaTek MT33xx: PMTK sentences, answered by PMTK001.
///
/// PMTK291 is never sent: it hung receivers for good (Adafruit forum, topic 45252).
/// Source: MediaTek NMEA packet manual; Quectel L76 series protocol specification.
enum MediaTek {
    static let query = ReceiverCommand.sentence("PMTK605", answer: .identity).asking(.identity, attempts: 2)

    static func behaviour(_ settings: BehaviourSettings) -> ReceiverBehaviour {
        var behaviour = ReceiverBehaviour(configuration: [
            // This command sets the normal power mode, since the receiver may have just woken.
            .pmtk(225, ",0"),
            .pmtk(220, ",1000"),
            // The output intervals of GLL, RMC, VTG, GGA, GSA, GSV and 13 other sentences, in fixes; 0 sends none.
            .pmtk(314, ",0,1,0,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0"),
        ])
        behaviour.raise = settings.raise.map { baud in
            var command = ReceiverCommand.sentence("PMTK251,\(baud)", answer: .pause(150_000_000))
            command.attempts = 1
            command.baudAfter = baud
            return command
        }
        // Standby lasts until any byte arrives. Silence proves sleep; the answer to the command does not.
        behaviour.sleepMethods = [.sentences([.pmtk(161, ",0").asking(.pmtk(161), attempts: 1)])]
        behaviour.wakeBytes = [0x0D, 0x0A]
        behaviour.wakeNanoseconds = 300_000_000
        return behaviour
    }
}

extension ReceiverIdentity {
    /// Reads the release and the product that PMTK705 gives.
    init(mediaTek firmware: String, product: String) {
        self.init(
            family: .mediaTek, model: product.hasPrefix("PA1616") ? .pa1616 : nil, nearestModel: .pa1616,
            firmware: firmware, protocolVersion: nil, generation: nil,
            description: "MediaTek " + (product.isEmpty ? "MT33xx" : product) + ", " + firmware)
    }
}
