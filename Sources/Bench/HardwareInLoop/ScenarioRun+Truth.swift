internal import Emulation
internal import Pictures
internal import SextantReactor
internal import SextantUnits

/// Steps that move the emulated receiver, and that compare a client's location with the receiver's true position.
extension ScenarioRun {
    /// The interval in seconds at which the last location that a client received is checked.
    private static let look = 0.25

    func carryReceiver(along file: String) throws(LoopFailure) {
        let path = "\(scenario.folder)/\(file)"
        let way: Trajectory
        do {
            way = try TrajectoryFile.read(path: path)
        } catch {
            throw LoopFailure(.scenario, "\(path): \(error)")
        }
        bench.board?.live()
        bench.board?.carry(along: way)
    }

    /// The distance in metres from the receiver's true position to the last position that a client received; infinite
    /// if none has been received.
    private var heldError: Double {
        bench.record.location.flatMap { bench.board?.distance(to: $0) } ?? .infinity
    }

    func location(within metres: Double, inTime seconds: Double) throws(LoopFailure) -> StepResult {
        let begin = Clock.now()
        let deadline = begin.advanced(byNanoseconds: Int64(seconds * 1e9))
        while heldError > metres {
            guard Clock.now() < deadline else { return .failed("it is \(SVGText.number(heldError)) m off") }
            try bench.wait(Self.look)
        }
        let taken = Double(Clock.now().nanoseconds(since: begin)) / 1e9
        return .measured("\(SVGText.number(heldError)) m off after \(SVGText.number(taken)) s")
    }

    func location(
        within metres: Double, percent: Double, lasting seconds: Double
    ) throws(LoopFailure) -> StepResult {
        let deadline = Clock.now().advanced(byNanoseconds: Int64(seconds * 1e9))
        var (near, looks, worst) = (0, 0, 0.0)
        while Clock.now() < deadline {
            let error = heldError
            looks += 1
            if error <= metres { near += 1 }
            worst = max(worst, error)
            try bench.wait(Self.look)
        }
        let share = 100 * Double(near) / Double(max(looks, 1))
        let words = "\(SVGText.number(share)) % of the time, \(SVGText.number(worst)) m off at worst"
        return share >= percent ? .measured(words) : .failed(words)
    }
}
