/// A receiver that speaks NMEA and takes no commands: it is listened to and can be switched.
enum Generic {
    /// Asks nothing, and waits for a sentence.
    static let query = ReceiverCommand(
        name: "a sentence", bytes: [], answer: .anyMessage, attempts: 2, timeout: 2_500_000_000)

    static func behaviour() -> ReceiverBehaviour { ReceiverBehaviour(configuration: [query]) }
}
