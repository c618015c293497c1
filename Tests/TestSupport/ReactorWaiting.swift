public import SextantReactor
internal import SextantUnits

extension Reactor {
    /// Serves until the condition holds, which is asked after every wake-up.
    ///
    /// - Parameter awaited: The state, as the error names it.
    public func serve(until awaited: String, _ holds: () throws -> Bool) throws {
        let end = Clock.now().advanced(byNanoseconds: Patience.nanoseconds)
        while try !holds() {
            guard Clock.now() < end else { throw Late(awaited) }
            // Another thread may bring the state about without waking this reactor.
            _ = try serve(waitingMilliseconds: 10)
        }
    }

    /// Serves what is ready at this moment, at most as often as the limit says.
    ///
    /// - Returns: How often something was ready; the limit where something stays ready, which would keep a loop spinning.
    @discardableResult
    public func serveReady(atMost limit: Int) throws -> Int {
        for count in 0..<limit where try !serve(waitingMilliseconds: 0) { return count }
        return limit
    }

    /// Runs until a handler stops the loop.
    ///
    /// - Parameter awaited: The state, as the error names it.
    public func run(until awaited: String) throws {
        var isLate = false
        onWake { [unowned self] _ in
            isLate = true
            stop()
        }
        setWake(at: Clock.now().advanced(byNanoseconds: Patience.nanoseconds))
        try run()
        setWake(at: nil)
        if isLate { throw Late(awaited) }
    }
}
