internal import GNSS
public import SextantUnits

/// Decides when one client's reports pause and when they resume, from events and the time.
///
/// Reports resume when the accelerometer feels movement, or when a position lies away from the place of the pause. A
/// sleeping receiver gives no position, and a board may have no accelerometer; so the monitor also asks for probes,
/// single fixes: the first one 30 minutes after the pause, each further one after twice the previous interval, up to 2
/// hours. If reports paused because no position was found, the intervals run from 5 minutes to 1 hour. A probe looks
/// for a position for at most 2 minutes. The table of times is in `PauseRule`.
public struct PauseMonitor: Sendable, Equatable {
    private enum Phase: Sendable, Equatable {
        case running
        case paused(Pause)
    }

    private struct Pause: Sendable, Equatable {
        var reason: PauseReason
        var latitude: Double?
        var longitude: Double?
        var height: Double?
        var interval: Int64
        var nextProbe: MonotonicInstant
        /// The instant at which the probe in progress, a fix during the pause, ends; nil where there is no probe.
        var probeEnd: MonotonicInstant?
        /// The instant since which the accelerometer has reported movement during the pause; nil while it reports
        /// quiet.
        var movingSince: MonotonicInstant?
    }

    private let activity: ActivityType
    /// Accuracy in metres that the client asked for.
    private let accuracy: Double
    private var phase = Phase.running
    private var startedAt: MonotonicInstant
    private var resting: RestingPlace
    private var hovering = Hovering()
    private var height: Double?
    /// Whether the accelerometer last reported movement; nil where it has reported nothing yet.
    private var isMoving: Bool?
    private var quietSince: MonotonicInstant?
    /// The instant since which the receiver has sought a position without success; nil where it seeks none.
    private var searchingSince: MonotonicInstant?
    private var isReceiverOn: Bool
    private var hasFixSinceOn = false

    /// Accuracy in metres up to which a position is usable, unless the client asked for a coarser one.
    private static let usableAccuracy = 200.0

    /// - Parameters:
    ///   - accuracy: Accuracy in metres that the client asked for; 0 for the best.
    ///   - isReceiverOn: Whether the receiver is on; while it sleeps by plan, no position is sought.
    ///   - instant: When the client's reports begin.
    public init(activity: ActivityType, accuracy: Double, isReceiverOn: Bool = true, at instant: MonotonicInstant) {
        self.activity = activity
        self.accuracy = accuracy
        startedAt = instant
        self.isReceiverOn = isReceiverOn
        searchingSince = isReceiverOn ? instant : nil
        resting = RestingPlace(over: PauseRule(activity).restingAfter)
    }

    /// The state of the client's reports: running, paused, or paused while a fix is awaited.
    public var state: AccuracyRequest.State {
        guard case .paused(let pause) = phase else { return .running }
        return pause.probeEnd.map { .probing(until: $0) } ?? .paused
    }

    public var isPaused: Bool { state != .running }

    /// The instant at which reports next pause or resume, or a probe begins or ends, without an event; nil for none.
    public var deadline: MonotonicInstant? {
        switch phase {
        case .running: .earlier(noFixDeadline, quietDeadline)
        case .paused(let pause):
            .earlier(pause.probeEnd ?? pause.nextProbe, pause.movingSince?.advanced(byNanoseconds: PauseRule.movingFor))
        }
    }

    /// Takes one event.
    ///
    /// - Returns: What changed; nil for nothing.
    public mutating func handle(_ event: PauseEvent, at instant: MonotonicInstant) -> PauseOutcome? {
        note(event, at: instant)
        switch phase {
        case .running:
            if case .fix(let fix) = event, isUsable(fix) { found(fix, at: instant) }
            guard let reason = reasonToPause(at: instant) else { return nil }
            pause(for: reason, at: instant)
            return .didPause(reason)
        case .paused(let pause): return handle(event, in: pause, at: instant)
        }
    }
}

// MARK: Running

extension PauseMonitor {
    /// Records the board's movement and the receiver's switching on and off, even while reports are paused.
    private mutating func note(_ event: PauseEvent, at instant: MonotonicInstant) {
        switch event {
        case .motion(let moves):
            if isMoving != moves { quietSince = moves ? nil : instant }
            isMoving = moves
        case .receiver(let isOn):
            // A receiver that sleeps after a fix has ended the search for a position; one that sleeps before it had a
            // fix has only interrupted the search.
            if isOn { searchingSince = searchingSince ?? instant } else if hasFixSinceOn { searchingSince = nil }
            if isOn != isReceiverOn { hasFixSinceOn = false }
            isReceiverOn = isOn
        case .fix, .asked, .timePassed: break
        }
    }

    private func isUsable(_ fix: Fix) -> Bool {
        fix.hasPosition && fix.horizontalAccuracy ?? 0 <= max(PauseMonitor.usableAccuracy, accuracy)
    }

    private mutating func found(_ fix: Fix, at instant: MonotonicInstant) {
        guard let latitude = fix.latitude, let longitude = fix.longitude else { return }
        searchingSince = isReceiverOn ? instant : nil
        hasFixSinceOn = true
        height = Hovering.height(of: fix)
        hovering.add(fix, at: instant)
        resting.add(latitude: latitude, longitude: longitude, at: instant, radius: radius(for: fix))
    }

    /// Metres within which two positions are one place: the activity's radius, but at least twice the fix's accuracy.
    private func radius(for fix: Fix) -> Double {
        max(PauseRule(activity).radius, 2 * (fix.horizontalAccuracy ?? 0))
    }

    private func reasonToPause(at instant: MonotonicInstant) -> PauseReason? {
        if let noFixDeadline, noFixDeadline <= instant { return .noFix }
        return isStill(at: instant) ? .still : nil
    }

    private var noFixDeadline: MonotonicInstant? {
        searchingSince?.advanced(byNanoseconds: PauseRule.noFixAfter)
    }

    private func isStill(at instant: MonotonicInstant) -> Bool {
        let rule = PauseRule(activity)
        if activity == .airborne {
            return lasts(from: hovering.since, to: hovering.latest, rule.restingAfter)
        }
        guard rule.quietAfter == nil || isMoving == nil else { return quietDeadline.map { $0 <= instant } ?? false }
        return lasts(from: resting.since, to: resting.latest, rule.restingAfter)
    }

    private func lasts(from: MonotonicInstant?, to: MonotonicInstant?, _ length: Int64) -> Bool {
        guard let from, let to else { return false }
        return to.nanoseconds(since: from) >= length
    }

    /// The instant at which the accelerometer has been quiet at one place for long enough to pause reports; nil where
    /// it is not quiet.
    private var quietDeadline: MonotonicInstant? {
        guard let length = PauseRule(activity).quietAfter, let quietSince else { return nil }
        return max(quietSince, resting.since ?? startedAt).advanced(byNanoseconds: length)
    }
}

// MARK: Paused

extension PauseMonitor {
    private mutating func pause(for reason: PauseReason, at instant: MonotonicInstant) {
        let interval = PauseRule.probeIntervals(after: reason).first
        let place = reason == .still ? resting.place : nil
        phase = .paused(
            Pause(
                reason: reason, latitude: place?.latitude, longitude: place?.longitude, height: height,
                interval: interval, nextProbe: instant.advanced(byNanoseconds: interval)))
    }

    private mutating func handle(
        _ event: PauseEvent, in pause: Pause, at instant: MonotonicInstant
    ) -> PauseOutcome? {
        var pause = pause
        switch event {
        case .asked: return resume(.asked, at: instant)
        case .fix(let fix) where isUsable(fix):
            if let reason = reasonToResume(fix, in: pause) {
                let outcome = resume(reason, at: instant)
                found(fix, at: instant)
                return outcome
            }
            // A board that paused without ever having a position takes its first one as the place of the pause.
            pause.latitude = pause.latitude ?? fix.latitude
            pause.longitude = pause.longitude ?? fix.longitude
            phase = .paused(pause)
            if pause.probeEnd != nil { return endProbe(of: pause, at: instant) }
        case .motion(let moves):
            if PauseRule(activity).quietAfter != nil { pause.movingSince = moves ? pause.movingSince ?? instant : nil }
            phase = .paused(pause)
        case .fix, .receiver, .timePassed: break
        }
        return timePassed(in: pause, at: instant)
    }

    private mutating func timePassed(in pause: Pause, at instant: MonotonicInstant) -> PauseOutcome? {
        if let since = pause.movingSince, instant.nanoseconds(since: since) >= PauseRule.movingFor {
            return resume(.motion, at: instant)
        }
        if let end = pause.probeEnd { return end <= instant ? endProbe(of: pause, at: instant) : nil }
        guard pause.nextProbe <= instant else { return nil }
        var pause = pause
        let end = instant.advanced(byNanoseconds: PauseRule.probeFor)
        pause.probeEnd = end
        phase = .paused(pause)
        return .probeBegan(until: end)
    }

    private mutating func endProbe(of pause: Pause, at instant: MonotonicInstant) -> PauseOutcome {
        var pause = pause
        pause.probeEnd = nil
        pause.interval = min(pause.interval * 2, PauseRule.probeIntervals(after: pause.reason).longest)
        pause.nextProbe = instant.advanced(byNanoseconds: pause.interval)
        phase = .paused(pause)
        return .probeEnded
    }

    private func reasonToResume(_ fix: Fix, in pause: Pause) -> ResumeReason? {
        guard pause.reason == .still else { return .fix }
        guard let latitude = fix.latitude, let longitude = fix.longitude, let oldLatitude = pause.latitude,
            let oldLongitude = pause.longitude
        else { return nil }
        let distance = GreatCircle.distance(
            fromLatitude: oldLatitude, longitude: oldLongitude, toLatitude: latitude, longitude: longitude)
        if distance > max(radius(for: fix), accuracy) { return .displacement }
        if let limit = PauseRule(activity).resumeSpeed, let speed = fix.speed, speed >= limit { return .displacement }
        if activity == .airborne, let height = Hovering.height(of: fix), let old = pause.height,
            abs(height - old) >= Hovering.heightLimit
        {
            return .displacement
        }
        return nil
    }

    /// Resumes reports; the measured time at rest and the time limit of the search for a position begin anew.
    private mutating func resume(_ reason: ResumeReason, at instant: MonotonicInstant) -> PauseOutcome {
        phase = .running
        startedAt = instant
        searchingSince = isReceiverOn ? instant : nil
        hasFixSinceOn = false
        if isMoving == false { quietSince = instant }
        resting.clear()
        hovering = Hovering()
        return .didResume(reason)
    }
}
