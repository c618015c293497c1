/// The calls that changes of the `ClientState` cause, in the order of these changes; they are made once it is unlocked.
struct HandOver {
    /// Closures that a state change adds; they run after the events of this change have been given to the objects that
    /// take them.
    var effects: [@Sendable () -> Void] = []
    /// The calls that wait to be made (events for managers, loops and sessions, and other closures).
    private var steps: [@Sendable () -> Void] = []
    /// Whether some thread is making queued calls at this moment.
    private var isBusy = false

    /// Appends the calls that a state change causes: first those that deliver events, then the other closures.
    mutating func append(_ deliveries: [EventDelivery]) {
        for delivery in deliveries {
            steps.append { for sink in delivery.sinks { sink.receive(delivery.event) } }
        }
        steps += effects
        effects = []
    }

    /// Removes and returns all queued calls; nil if none is queued, or if another thread is making calls already.
    mutating func begin() -> [@Sendable () -> Void]? {
        guard !isBusy, !steps.isEmpty else { return nil }
        isBusy = true
        defer { steps = [] }
        return steps
    }

    /// Must be called after the last of the calls that `begin` returned.
    mutating func end() {
        isBusy = false
    }
}
