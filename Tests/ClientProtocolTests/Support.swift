import ClientProtocol
import SextantJSON

/// What is written into a buffer that must grow.
func text(_ write: (inout TextBuffer) -> Void) -> String {
    var text = TextBuffer(capacity: 1)
    write(&text)
    return text.string
}

/// The request with these members, of which the first is its name.
func request(_ members: String) throws -> ClientRequest {
    try ClientRequestDecoder.decode(Array("{\"request\":\(members)}".utf8)).get()
}

/// Why a request with these members is refused; nil if it is not.
func problem(_ members: String) -> ClientRequestError? {
    guard case .failure(let refused) = ClientRequestDecoder.decode(Array("{\"request\":\(members)}".utf8)) else {
        return nil
    }
    return refused.problem
}
