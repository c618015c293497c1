/// A gpsd client that reads the receiver's own messages.
public struct PassthroughReader: Equatable {
    public enum Form {
        case sentences
        /// NMEA sentences as received, and UBX frames as lines of hexadecimal digits.
        case hexadecimal
        case verbatim
    }

    public let client: ClientID
    public let form: Form

    public init(client: ClientID, form: Form) {
        self.client = client
        self.form = form
    }
}
