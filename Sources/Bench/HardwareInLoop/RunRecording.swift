internal import Emulation
internal import Pictures
internal import SextantJSON
internal import SextantUnits

/// Everything that the bench observed during a scenario, each item with the time on this machine.
struct RunRecording {
    /// A change of a GPIO line: its level on the wire, or whether it is driven.
    struct Change {
        var line: String
        var state: EmulatedBoard.LineState
        var instant: MonotonicInstant
    }

    /// A line of text that a program on the board printed.
    struct Said {
        var program: String
        var text: String
        var instant: MonotonicInstant
    }

    /// How a program ended.
    enum End: Equatable {
        /// The exit status, or the negative number of the signal that ended the program.
        case status(Int)
        /// The board was restarted while the program ran.
        case lost
    }

    let start: MonotonicInstant
    private(set) var changes: [Change] = []
    private(set) var said: [Said] = []
    /// The instants at which a client received a position.
    private(set) var fixes: [MonotonicInstant] = []
    /// The last position that a client received, in degrees north and east.
    private(set) var location: (latitude: Double, longitude: Double)?
    /// The last heading with a valid accuracy that a client received, in degrees clockwise from magnetic north.
    private(set) var heading: (degrees: Double, instant: MonotonicInstant)?
    /// For each program that has ended, how it ended.
    private(set) var ended: [String: End] = [:]
    /// The names of the programs that are running on the board.
    private(set) var running: Set<String> = []
    var picture = TimelinePicture(
        legend: [
            (.on, "on"), (.off, "off, ended or skipped"), (.middle, "acquiring"),
            (.good, "tracking, running or passed"), (.bad, "failed"), (.open, "not driven"),
        ], moments: "a fix or a heading")

    init(start: MonotonicInstant) { self.start = start }

    /// The output lines of programs and the level changes of GPIO lines, in the order of time.
    var log: [(instant: MonotonicInstant, text: String)] {
        let words = said.map { ($0.instant, "\($0.program): \($0.text)") }
        let lines = changes.map { change in
            let driven = change.state.isDriven ? "driven" : "undriven"
            return (change.instant, "line \(change.line): \(change.state.level ? "on" : "off"), \(driven)")
        }
        return (words + lines).sorted { $0.0 < $1.0 }
    }

    /// The spans in which nothing drove the GPIO line, in seconds since the scenario began; `wasOn` says whether the
    /// line was high at any time in the span.
    func undriven(_ line: String, until end: MonotonicInstant) -> [(from: Double, to: Double, wasOn: Bool)] {
        var spans: [(from: Double, to: Double, wasOn: Bool)] = []
        var open: (from: Double, wasOn: Bool)?
        for change in changes where change.line == line {
            if !change.state.isDriven {
                open = (open?.from ?? seconds(change.instant), open?.wasOn ?? false || change.state.level)
            } else if let span = open {
                spans.append((span.from, seconds(change.instant), span.wasOn))
                open = nil
            }
        }
        if let span = open { spans.append((span.from, seconds(end), span.wasOn)) }
        return spans
    }

    /// Converts an instant to seconds since the scenario began.
    func seconds(_ instant: MonotonicInstant) -> Double { Double(instant.nanoseconds(since: start)) / 1e9 }

    mutating func note(_ line: String, _ state: EmulatedBoard.LineState, at instant: MonotonicInstant) {
        changes.append(Change(line: line, state: state, instant: instant))
        let tone: TimelinePicture.Tone = state.level ? .on : state.isDriven || line == "motionInterrupt" ? .off : .open
        picture.set("line \(line)", to: tone, at: seconds(instant))
    }

    mutating func note(_ state: EmulatedPowerState, at instant: MonotonicInstant) {
        let tone: TimelinePicture.Tone =
            switch state {
            case .off, .sleep: .off
            case .acquire: .middle
            case .track: .good
            }
        picture.set("receiver", to: tone, at: seconds(instant))
    }

    mutating func programStarted(_ name: String, at instant: MonotonicInstant) {
        ended[name] = nil
        running.insert(name)
        picture.set(name, to: .good, at: seconds(instant))
    }

    mutating func program(_ name: String, endedAs end: End, at instant: MonotonicInstant) {
        guard running.remove(name) != nil else { return }
        ended[name] = end
        picture.set(name, to: .off, at: seconds(instant))
    }

    mutating func program(_ name: String, said text: String, at instant: MonotonicInstant) {
        said.append(Said(program: name, text: text, instant: instant))
        guard text.hasPrefix("{"), let line = JSONMembers(parsing: Array(text.utf8)) else { return }
        switch line.text("event") {
        case "epoch", "location":
            guard let latitude = line.number("latitude"), let longitude = line.number("longitude") else { return }
            location = (latitude, longitude)
            fixes.append(instant)
            picture.mark("fixes", at: seconds(instant))
        case "heading":
            guard let degrees = line.number("magneticHeading"), line.number("headingAccuracy") ?? -1 >= 0 else {
                return
            }
            heading = (degrees, instant)
            picture.mark("headings", at: seconds(instant))
        default: break
        }
    }
}
