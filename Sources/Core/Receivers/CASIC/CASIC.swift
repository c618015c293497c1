/// CASIC AT6558 and the like: PCAS sentences, which have no answers.
///
/// Source: CASIC multi-mode receiver protocol specification, V4.2.0.3; Quectel L76K protocol specification.
enum CASIC {
    static let query = ReceiverCommand.sentence("PCAS06,0", answer: .identity).asking(.identity, attempts: 2)

    static func behaviour(_ settings: BehaviourSettings) -> ReceiverBehaviour {
        var behaviour = ReceiverBehaviour(configuration: [
            // CASIC receivers acknowledge no command, so any message they send must serve as the answer.
            ReceiverCommand(name: "PCAS06", bytes: query.bytes, answer: .anyMessage, timeout: 2_500_000_000),
            command("PCAS02,1000"),
            // The output intervals of GGA, GLL, GSA, GSV, RMC, VTG, ZDA and ANT, in fixes; 0 sends none.
            command("PCAS03,1,0,1,1,1,0,0,0"),
        ])
        behaviour.raise = settings.raise.flatMap(raise)
        // Reports disagree on whether PCAS12 works, so the standby pin, where wired, is the fallback.
        behaviour.sleepMethods = settings.lines.contains(.wake) ? [.timedStandby, .wakeLine] : [.timedStandby]
        behaviour.wakeBytes = [0x0D, 0x0A]
        return behaviour
    }

    private static func command(_ body: String) -> ReceiverCommand {
        .sentence(body, answer: .pause(100_000_000)).asking(.pause(100_000_000), attempts: 1)
    }

    /// PCAS01, which sets the UART's rate; nil for a rate that PCAS01 cannot set.
    private static func raise(to baud: Int) -> ReceiverCommand? {
        let rates = [4800, 9600, 19_200, 38_400, 57_600, 115_200]
        guard let number = rates.firstIndex(of: baud) else { return nil }
        var command = command("PCAS01,\(number)")
        command.answer = .pause(150_000_000)
        command.baudAfter = baud
        return command
    }
}

extension ReceiverCommand {
    /// PCAS12: standby for whole seconds, 1 to 65535.
    static func timedStandby(napNanoseconds nanoseconds: Int64) -> ReceiverCommand {
        let seconds = min(max(nanoseconds / 1_000_000_000, 1), 65_535)
        return .sentence("PCAS12,\(seconds)", answer: .pause(0)).asking(.pause(0), attempts: 1)
    }
}

extension ReceiverIdentity {
    /// Reads an AT6558's identity from a text such as `SW=URANUS5,V5.1.0.0` or `IC=AT6558R-5N-32`; nil for others.
    init?(casic text: String) {
        guard text.hasPrefix("SW=") || text.hasPrefix("IC=AT") else { return nil }
        let firmware = String(text.dropFirst(3))
        self.init(
            family: .casic, model: nil, nearestModel: .l76K, firmware: text.hasPrefix("SW=") ? firmware : "",
            protocolVersion: nil, generation: nil, description: "CASIC " + firmware)
    }
}
