/// A receiver that sends NMEA and takes no commands; only its supply can be switched.
enum Generic {
    /// A command that sends nothing, and counts as answered once any message arrives.
    static let query = ReceiverCommand(
        name: "a sentence", bytes: [], answer: .anyMessage, attempts: 2, timeout: 2_500_000_000)

    static func behaviour() -> ReceiverBehaviour { ReceiverBehaviour(configuration: [query]) }
}
