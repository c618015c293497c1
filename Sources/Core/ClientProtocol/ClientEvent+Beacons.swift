public import Beacons
public import ClientVocabulary
public import Monitors
public import SextantJSON
public import SextantUnits

/// The state of the Bluetooth radio that receives beacons.
public struct RadioStatus: Sendable, Equatable {
    /// Why the radio cannot receive beacons, in a sentence; nil if it can.
    public var trouble: String?
    /// The fraction of the time, 0 to 1, for which the radio listens at present; nil if the client is not allowed to
    /// know it.
    public var duty: Double?
    /// The total time in seconds since the daemon's start during which a scan ran; `secondsScanned` is the part of it
    /// in which a scan window was open.
    public var secondsListening: Double?
    public var secondsScanned: Double?
    /// The number of monitored regions that need the radio; `ranging` is the number of ranging requests that need it,
    /// and `senders` the number of Bluetooth senders known at present.
    public var regions: Int?
    public var ranging: Int?
    public var senders: Int?

    public init(trouble: String? = nil) { self.trouble = trouble }

    public enum State: String, Sendable {
        /// The radio cannot receive beacons.
        case unavailable
        /// The radio can receive beacons; the client is not allowed to know whether it listens.
        case available
        case listening
        /// Nobody needs a beacon, so the radio does not listen.
        case off
    }

    private var state: State {
        guard trouble == nil else { return .unavailable }
        return duty.map { $0 > 0 ? .listening : .off } ?? .available
    }

    func appendMembers(to text: inout TextBuffer) {
        text.member(.state, state.rawValue)
        text.member(.detail, trouble)
        text.member(.duty, duty, decimals: 3)
        text.member(.secondsListening, secondsListening, decimals: 1)
        text.member(.secondsScanned, secondsScanned, decimals: 1)
        text.member(.regions, regions)
        text.member(.ranging, ranging)
        text.member(.senders, senders)
    }
}

/// Events about beacons, except those about beacon regions.
extension ClientEvent {
    /// Appends the event that a session begins or stops to get reports of beacons; only beacons that match `constraint`
    /// are reported.
    public static func appendRanging(
        _ constraint: BeaconConstraint?, isEnabled: Bool, session: UInt8, id: String?, to text: inout TextBuffer
    ) {
        text.begin(.ranging)
        text.member(.id, id)
        appendSession(session, to: &text)
        append(constraint, to: &text)
        text.member(.enabled, isEnabled)
        end(&text)
    }

    /// Appends the event that a session gets no beacon reports, with the reason and Core Location's `errorCode`.
    ///
    /// The code is 1 if the client is denied, 16 if there is no radio, and 17 if the radio can no longer be used.
    public static func appendRangingFailed(
        _ constraint: BeaconConstraint?, errorCode: FailureCode, reason: String?, session: UInt8, id: String?,
        to text: inout TextBuffer
    ) {
        text.begin(.rangingFailed)
        text.member(.id, id)
        appendSession(session, to: &text)
        append(constraint, to: &text)
        text.member(.errorCode, errorCode.rawValue)
        text.member(.reason, reason)
        end(&text)
    }

    /// Appends the report of the beacons that were received in one second, the nearest first.
    public static func appendBeacons(
        _ beacons: some Sequence<RangedBeacon>, of constraint: BeaconConstraint?, session: UInt8, time: UTCInstant?,
        book: BeaconBook = BeaconBook(), to text: inout TextBuffer
    ) {
        text.begin(.beacons)
        appendSession(session, to: &text)
        append(constraint, to: &text)
        text.member(.time, time)
        text.beginArray(.beacons)
        for beacon in beacons {
            append(beacon, time: time, name: book[beacon.identity]?.name, to: &text)
        }
        text.endArray()
        end(&text)
    }

    /// Appends one received beacon as an element of the array in a report.
    ///
    /// - Parameter time: The time of the report; nil if the time is not known.
    public static func append(
        _ beacon: RangedBeacon, time: UTCInstant? = nil, name: String? = nil, to text: inout TextBuffer
    ) {
        text.beginObject()
        append(beacon.identity, to: &text)
        text.member(.name, name)
        text.member(.rssi, beacon.strength)
        text.member(.proximity, beacon.proximity.name.rawValue)
        text.member(.distance, beacon.distance, decimals: 2)
        text.member(.accuracy, beacon.accuracy, decimals: 2)
        text.member(.measuredPower, beacon.measuredPower)
        text.member(.calibratedPower, beacon.calibratedPower)
        text.member(.lastSeen, time.map { UTCInstant(nanoseconds: $0.nanoseconds - beacon.silence) })
        text.member(.senders, beacon.senders > 1 ? beacon.senders : nil)
        append(beacon.telemetry, to: &text)
        text.endElement()
    }

    private static func append(_ telemetry: BeaconTelemetry?, to text: inout TextBuffer) {
        text.member(.batteryVolts, telemetry?.batteryMillivolts.map { Double($0) / 1000 }, decimals: 3)
        text.member(.temperature, telemetry?.temperature, decimals: 1)
    }

    /// Appends a beacon of the stored list, which holds those that have a name or were calibrated.
    ///
    /// - Parameter lastSeen: When the beacon was last received; nil if it was not received since the daemon's start, or
    ///   if the time is not known.
    public static func appendKnownBeacon(
        _ entry: BeaconBook.Entry, lastSeen: UTCInstant?, id: String?, to text: inout TextBuffer
    ) {
        text.begin(.knownBeacon)
        text.member(.id, id)
        append(entry.identity, to: &text)
        text.member(.name, entry.name)
        text.member(.measuredPower, entry.statedPower)
        text.member(.calibratedPower, entry.calibratedPower)
        text.member(.lastSeen, lastSeen)
        append(entry.telemetry, to: &text)
        end(&text)
    }

    /// Appends the last line of the list of stored beacons: how many they are, and the board's receiving gain in dB.
    public static func appendKnownBeacons(count: Int, gain: Double, id: String?, to text: inout TextBuffer) {
        text.begin(.knownBeacons)
        text.member(.id, id)
        text.member(.gain, gain, decimals: 1)
        text.member(.count, count)
        end(&text)
    }

    /// Appends the event that tells whether the kernel sends the requested beacon advertisement.
    ///
    /// - Parameter reason: Why the advertisement is not sent at present, in a sentence; nil if it is sent, or if a
    ///   request ended it.
    public static func appendAdvertising(isEnabled: Bool, reason: String? = nil, id: String?, to text: inout TextBuffer)
    {
        text.begin(.advertising)
        text.member(.id, id)
        text.member(.enabled, isEnabled)
        text.member(.reason, reason)
        end(&text)
    }

    /// Appends a beacon's UUID, major and minor number.
    public static func append(_ identity: BeaconIdentity, to text: inout TextBuffer) {
        text.member(.uuid, identity.uuid.description)
        text.member(.major, identity.major)
        text.member(.minor, identity.minor)
    }

    static func append(_ constraint: BeaconConstraint?, to text: inout TextBuffer) {
        guard let constraint else { return }
        text.member(.uuid, constraint.uuid.description)
        text.member(.major, constraint.major)
        text.member(.minor, constraint.minor)
    }
}

extension BeaconProximity {
    /// The proximity's name in the daemon's JSON protocol.
    public var name: ProximityName {
        switch self {
        case .unknown: .unknown
        case .immediate: .immediate
        case .near: .near
        case .far: .far
        }
    }
}
