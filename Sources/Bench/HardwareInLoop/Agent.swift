internal import SextantJSON

/// An order to the agent, the program that acts for the bench on the board (`scripts/guests/agent`).
enum AgentOrder {
    /// Asks whether the agent answers.
    ///
    /// - Parameter patience: The largest number of seconds that a program on the board may wait for a state; nil to use
    ///   each program's own limit.
    case hello(patience: Double?)
    /// Runs a command and waits for its end.
    case run([String], input: String = "", timeout: Int = 30)
    case start(name: String, [String])
    case signal(name: String, Int32)
    case write(path: String, text: String)
    case read(path: String, offset: Int)
    /// Sets the board's clock, to seconds since 1970.
    case clock(Int)
    /// Sends one request to the daemon's socket and returns the first answer (a JSON object on one line) whose event
    /// has the given name.
    case ask(socket: String, request: String, event: String)

    func line(id: Int) -> String {
        var text = TextBuffer(capacity: 512)
        text.beginObject()
        text.member("\"id\":", id)
        appendMembers(to: &text)
        text.endObject()
        return text.string
    }

    private func appendMembers(to text: inout TextBuffer) {
        switch self {
        case .hello(let patience):
            text.member("\"do\":", literal: "hello")
            if let patience { text.member("\"patience\":", Int(patience)) }
        case .run(let words, let input, let timeout):
            text.member("\"do\":", literal: "run")
            AgentOrder.append(words, to: &text)
            text.member("\"input\":", input)
            text.member("\"timeout\":", timeout)
        case .start(let name, let words):
            text.member("\"do\":", literal: "start")
            text.member("\"name\":", name)
            AgentOrder.append(words, to: &text)
        case .signal(let name, let number):
            text.member("\"do\":", literal: "signal")
            text.member("\"name\":", name)
            text.member("\"number\":", Int(number))
        case .write(let path, let content):
            text.member("\"do\":", literal: "write")
            text.member("\"path\":", path)
            text.member("\"text\":", content)
        case .read(let path, let offset):
            text.member("\"do\":", literal: "read")
            text.member("\"path\":", path)
            text.member("\"offset\":", offset)
        case .clock(let seconds):
            text.member("\"do\":", literal: "clock")
            text.member("\"seconds\":", seconds)
        case .ask(let socket, let request, let event):
            text.member("\"do\":", literal: "ask")
            text.member("\"socket\":", socket)
            text.member("\"request\":", request)
            text.member("\"event\":", event)
        }
    }

    private static func append(_ words: [String], to text: inout TextBuffer) {
        text.beginArray("\"argv\":")
        for word in words {
            text.string(word)
            text.append(0x2C)
        }
        text.endArray()
    }
}

extension JSONValue {
    /// The value at a path of nested members, such as `power.state`; nil if the path does not exist.
    func value(at path: some StringProtocol) -> JSONValue? {
        var value = self
        for key in path.split(separator: ".") {
            guard case .object(let members) = value, let next = members[String(key)] else { return nil }
            value = next
        }
        return value
    }

    /// A JSON string, number or boolean as plain text.
    var plain: String {
        if case .string(let text) = self { text } else { written }
    }
}
