internal import ClientProtocol
internal import Fusion
internal import GNSS
internal import Parts
internal import Power
internal import Receivers
internal import SextantUnits

/// Decides when the receiver is on, by what clients need; a receiver that cannot be switched only has its needs noted.
struct ReceiverPower: ~Copyable {
    /// The receiver with its power control; nil where it is only listened to.
    let manager: ManagedReceiver?
    /// What all clients together need from the receiver.
    private(set) var asked = Demand.none
    /// The same, and what the host's clock needs.
    private(set) var demand = Demand.none
    private var cause = EnergyCause.idleSleep
    private var wasResting = false

    init(_ configuration: EngineConfiguration) {
        manager = configuration.power.map { ManagedReceiver($0, device: configuration.device) }
    }

    /// The next instant at which time alone changes something.
    var deadline: MonotonicInstant? { manager?.deadline }

    /// Whether the receiver is at rest, so that its silence is expected.
    var isResting: Bool { manager?.isAsleep == true }

    /// Whether any client needs a position.
    var isNeeded: Bool { demand.accuracy != nil || demand.keepsOn }

    /// Takes the position requests of all clients.
    ///
    /// - Parameters:
    ///   - gpsd: The numbers of the connections of the gpsd port.
    ///   - forTime: Whether the receiver must be on for the host's clock.
    mutating func need(_ requests: [AccuracyRequest], gpsd: [UInt32], forTime: Bool) {
        asked = Demand.merging(requests)
        demand = asked
        cause = ReceiverPower.cause(of: requests, gpsd: gpsd)
        guard forTime, !asked.keepsOn else { return }
        // Clients that would let the receiver sleep do not pay for what the clock needs.
        cause = .timeService
        demand.accuracy = asked.accuracy ?? ReceiverPower.timeAccuracy
        demand.keepsOn = true
        demand.clients = []
    }

    /// Metres within which a position is good enough where the time alone is wanted: any that comes of satellites.
    private static let timeAccuracy = 500.0

    /// Why the receiver is on: the service of the request with the strictest accuracy.
    private static func cause(of requests: [AccuracyRequest], gpsd: [UInt32]) -> EnergyCause {
        var cause = EnergyCause.idleSleep
        var least = Double.infinity
        for request in requests where request.standing != .paused && request.effectiveAccuracy < least {
            least = request.effectiveAccuracy
            cause =
                switch request.service {
                case .standard: .accuracyRequest
                case .everyEpoch: gpsd.contains(request.client) ? .gpsd : .accuracyRequest
                case .singleLocation: .singleLocation
                case .significantChange: .significantChange
                case .visits: .visitMonitoring
                case .region: .regionMonitoring
                }
        }
        return cause
    }

    /// Takes a solution, and the strongest signal in dB-Hz; nil where its epoch had no sky view.
    ///
    /// - Parameters:
    ///   - jumps: How often the location filter has begun anew.
    ///   - excess: The learned error of the receiver's positions, as a multiple of the claimed one; nil where unknown.
    /// - Returns: Whether the solution is good enough to be delivered.
    func take(_ fix: Fix, strongestSignal: Double?, jumps: UInt64, excess: Double?, _ turn: inout Turn) -> Bool {
        guard let manager else { return true }
        let isWanted = manager.take(fix, strongestSignal: strongestSignal, at: turn.instant)
        manager.noteJumps(jumps, at: turn.instant)
        manager.noteClaims(excess, &turn)
        return isWanted
    }

    /// Wakes, rests and configures the receiver as clients need it now.
    ///
    /// - Returns: The orders of the receiver's controller, which its serial line must know of, in order.
    func settle(_ turn: inout Turn) -> [ReceiverOrder] {
        guard let manager else { return [] }
        manager.demanded(demand, at: turn.instant)
        return manager.settle(&turn)
    }

    /// Whether the receiver is now at rest, where that changed since the last call; nil where it did not.
    mutating func restChanged() -> Bool? {
        guard isResting != wasResting else { return nil }
        wasResting = isResting
        return isResting
    }

    /// Charges the receiver's energy from now on to its present state, cause and clients.
    func account(at instant: MonotonicInstant) { manager?.accountFor(cause, at: instant) }

    /// The instant since which a needed fix does not come; nil where none is missing.
    var outageSince: MonotonicInstant? { manager?.outage.since }

    /// The reason why no position comes; nil where it is not known.
    ///
    /// - Parameter isReceiving: Whether messages come; a receiver that is only listened to sends them without a fix
    ///   too.
    func outageReason(isReceiving: Bool) -> StaticString? {
        if let manager { return manager.policy.outageReason?.name }
        return (isReceiving ? OutageReason.noSky : .receiverUnreachable).name
    }

    /// - Parameter clock: Relates the receiver's time to the board's clock.
    func describe(_ status: inout DaemonStatus, _ clock: FixClock, at instant: MonotonicInstant) {
        guard let manager else { return }
        if status.state != .absent, isResting { status.state = .resting }
        status.power = manager.status(at: instant)
        if status.state != .absent { status.plan = manager.plan(clock, at: instant) }
    }
}
