/// The key of a JSON member, in the requests of clients and in the daemon's lines.
///
/// This is the only list of keys; the daemon and the clients both use it. The names of states and of diagnostic flags
/// are not listed here, because they belong to their enumerations. Each key is written only once, as the name of its
/// property, and is a literal wherever it is used: a writer copies the literal's bytes, and nothing is allocated or
/// looked up.
public struct MemberKey: Sendable {
    /// The key without quotes.
    public let text: StaticString

    /// - Parameter text: The key; by default the name of the property that calls this initializer.
    @inlinable @inline(__always)
    init(_ text: StaticString = #function) { self.text = text }

    public var name: String { text.description }
}

/// Keys that any line can have.
extension MemberKey {
    @inlinable public static var event: MemberKey { MemberKey() }
    @inlinable public static var request: MemberKey { MemberKey() }
    @inlinable public static var id: MemberKey { MemberKey() }
    @inlinable public static var session: MemberKey { MemberKey() }
    @inlinable public static var number: MemberKey { MemberKey() }
    @inlinable public static var more: MemberKey { MemberKey() }
    @inlinable public static var count: MemberKey { MemberKey() }
    @inlinable public static var total: MemberKey { MemberKey() }
}

/// Keys about the connection.
extension MemberKey {
    @inlinable public static var `protocol`: MemberKey { MemberKey() }
    @inlinable public static var software: MemberKey { MemberKey() }
    @inlinable public static var version: MemberKey { MemberKey() }
    @inlinable public static var capabilities: MemberKey { MemberKey() }
    @inlinable public static var code: MemberKey { MemberKey() }
    @inlinable public static var message: MemberKey { MemberKey() }
    @inlinable public static var launchReason: MemberKey { MemberKey() }
    @inlinable public static var state: MemberKey { MemberKey() }
    @inlinable public static var reason: MemberKey { MemberKey() }
    @inlinable public static var errorCode: MemberKey { MemberKey() }
}

/// Keys about the client and its authorization.
extension MemberKey {
    @inlinable public static var client: MemberKey { MemberKey() }
    @inlinable public static var name: MemberKey { MemberKey() }
    @inlinable public static var selector: MemberKey { MemberKey() }
    @inlinable public static var status: MemberKey { MemberKey() }
    @inlinable public static var authorization: MemberKey { MemberKey() }
    @inlinable public static var accuracyAuthorization: MemberKey { MemberKey() }
    @inlinable public static var servicesEnabled: MemberKey { MemberKey() }
    @inlinable public static var maximumRegions: MemberKey { MemberKey() }
    @inlinable public static var backgroundMode: MemberKey { MemberKey() }
    @inlinable public static var purpose: MemberKey { MemberKey() }
    @inlinable public static var purposes: MemberKey { MemberKey() }
    @inlinable public static var statedPurpose: MemberKey { MemberKey() }
    @inlinable public static var purposeKey: MemberKey { MemberKey() }
    @inlinable public static var fullAccuracyPurposeKey: MemberKey { MemberKey() }
    @inlinable public static var whenInUse: MemberKey { MemberKey() }
    @inlinable public static var always: MemberKey { MemberKey() }
    @inlinable public static var temporary: MemberKey { MemberKey() }
    @inlinable public static var requiresServiceSession: MemberKey { MemberKey() }
    @inlinable public static var connections: MemberKey { MemberKey() }
    @inlinable public static var inUse: MemberKey { MemberKey() }
    @inlinable public static var mayBeWoken: MemberKey { MemberKey() }
    @inlinable public static var waiting: MemberKey { MemberKey() }
    @inlinable public static var problem: MemberKey { MemberKey() }
    @inlinable public static var alsoAs: MemberKey { MemberKey() }
    @inlinable public static var registrations: MemberKey { MemberKey() }
    @inlinable public static var pendingEvents: MemberKey { MemberKey() }
    @inlinable public static var kind: MemberKey { MemberKey() }
    @inlinable public static var answer: MemberKey { MemberKey() }
    @inlinable public static var answers: MemberKey { MemberKey() }
    @inlinable public static var wake: MemberKey { MemberKey() }
    @inlinable public static var what: MemberKey { MemberKey() }
    @inlinable public static var active: MemberKey { MemberKey() }
    @inlinable public static var enabled: MemberKey { MemberKey() }
    @inlinable public static var implicit: MemberKey { MemberKey() }
    @inlinable public static var seconds: MemberKey { MemberKey() }
}

/// Keys of the settings in a client's `watch` request for locations.
extension MemberKey {
    @inlinable public static var accuracy: MemberKey { MemberKey() }
    @inlinable public static var activityType: MemberKey { MemberKey() }
    @inlinable public static var background: MemberKey { MemberKey() }
    @inlinable public static var distance: MemberKey { MemberKey() }
    @inlinable public static var distanceFilter: MemberKey { MemberKey() }
    @inlinable public static var minimumInterval: MemberKey { MemberKey() }
    @inlinable public static var pausesAutomatically: MemberKey { MemberKey() }
    @inlinable public static var indicator: MemberKey { MemberKey() }
    @inlinable public static var live: MemberKey { MemberKey() }
    @inlinable public static var satellites: MemberKey { MemberKey() }
    @inlinable public static var label: MemberKey { MemberKey() }
    @inlinable public static var deferral: MemberKey { MemberKey() }
    @inlinable public static var timeout: MemberKey { MemberKey() }
    @inlinable public static var hold: MemberKey { MemberKey() }
    @inlinable public static var passive: MemberKey { MemberKey() }
    @inlinable public static var interval: MemberKey { MemberKey() }
    @inlinable public static var locations: MemberKey { MemberKey() }
}

/// Keys about positions.
extension MemberKey {
    @inlinable public static var time: MemberKey { MemberKey() }
    @inlinable public static var timeValidated: MemberKey { MemberKey() }
    @inlinable public static var timeAccuracy: MemberKey { MemberKey() }
    @inlinable public static var leapSeconds: MemberKey { MemberKey() }
    @inlinable public static var age: MemberKey { MemberKey() }
    @inlinable public static var fixType: MemberKey { MemberKey() }
    @inlinable public static var quality: MemberKey { MemberKey() }
    @inlinable public static var latitude: MemberKey { MemberKey() }
    @inlinable public static var longitude: MemberKey { MemberKey() }
    @inlinable public static var altitude: MemberKey { MemberKey() }
    @inlinable public static var altitudeAboveMeanSeaLevel: MemberKey { MemberKey() }
    @inlinable public static var heightAboveEllipsoid: MemberKey { MemberKey() }
    @inlinable public static var geoidSeparation: MemberKey { MemberKey() }
    @inlinable public static var horizontalAccuracy: MemberKey { MemberKey() }
    @inlinable public static var verticalAccuracy: MemberKey { MemberKey() }
    @inlinable public static var speed: MemberKey { MemberKey() }
    @inlinable public static var speedAccuracy: MemberKey { MemberKey() }
    @inlinable public static var course: MemberKey { MemberKey() }
    @inlinable public static var courseAccuracy: MemberKey { MemberKey() }
    @inlinable public static var afterSleep: MemberKey { MemberKey() }
    @inlinable public static var velocity: MemberKey { MemberKey() }
    @inlinable public static var north: MemberKey { MemberKey() }
    @inlinable public static var east: MemberKey { MemberKey() }
    @inlinable public static var down: MemberKey { MemberKey() }
    @inlinable public static var ecefPosition: MemberKey { MemberKey() }
    @inlinable public static var ecefVelocity: MemberKey { MemberKey() }
    @inlinable public static var x: MemberKey { MemberKey() }
    @inlinable public static var y: MemberKey { MemberKey() }
    @inlinable public static var z: MemberKey { MemberKey() }
    @inlinable public static var satellitesUsed: MemberKey { MemberKey() }
    @inlinable public static var differentialAge: MemberKey { MemberKey() }
    @inlinable public static var differentialStation: MemberKey { MemberKey() }
    @inlinable public static var magneticVariation: MemberKey { MemberKey() }
    @inlinable public static var location: MemberKey { MemberKey() }
    @inlinable public static var ellipse: MemberKey { MemberKey() }
    @inlinable public static var service: MemberKey { MemberKey() }
    @inlinable public static var simulated: MemberKey { MemberKey() }
    @inlinable public static var accessory: MemberKey { MemberKey() }
}

/// Keys about dilution of precision and error statistics.
extension MemberKey {
    @inlinable public static var dilutionOfPrecision: MemberKey { MemberKey() }
    @inlinable public static var horizontal: MemberKey { MemberKey() }
    @inlinable public static var vertical: MemberKey { MemberKey() }
    @inlinable public static var position: MemberKey { MemberKey() }
    @inlinable public static var geometric: MemberKey { MemberKey() }
    @inlinable public static var northing: MemberKey { MemberKey() }
    @inlinable public static var easting: MemberKey { MemberKey() }
    @inlinable public static var errorStatistics: MemberKey { MemberKey() }
    @inlinable public static var rangeRMS: MemberKey { MemberKey() }
    @inlinable public static var semiMajor: MemberKey { MemberKey() }
    @inlinable public static var semiMinor: MemberKey { MemberKey() }
    @inlinable public static var orientation: MemberKey { MemberKey() }
}

/// Keys about satellites.
extension MemberKey {
    @inlinable public static var constellation: MemberKey { MemberKey() }
    @inlinable public static var signal: MemberKey { MemberKey() }
    @inlinable public static var frequencySlot: MemberKey { MemberKey() }
    @inlinable public static var elevation: MemberKey { MemberKey() }
    @inlinable public static var azimuth: MemberKey { MemberKey() }
    @inlinable public static var carrierToNoise: MemberKey { MemberKey() }
    @inlinable public static var used: MemberKey { MemberKey() }
    @inlinable public static var healthy: MemberKey { MemberKey() }
    @inlinable public static var ephemeris: MemberKey { MemberKey() }
    @inlinable public static var pseudorangeResidual: MemberKey { MemberKey() }
}

/// Keys about regions and visits.
extension MemberKey {
    @inlinable public static var identifier: MemberKey { MemberKey() }
    @inlinable public static var monitor: MemberKey { MemberKey() }
    @inlinable public static var assumed: MemberKey { MemberKey() }
    @inlinable public static var radius: MemberKey { MemberKey() }
    @inlinable public static var polygon: MemberKey { MemberKey() }
    @inlinable public static var multiPolygon: MemberKey { MemberKey() }
    @inlinable public static var notifyOnEntry: MemberKey { MemberKey() }
    @inlinable public static var notifyOnExit: MemberKey { MemberKey() }
    @inlinable public static var dwell: MemberKey { MemberKey() }
    @inlinable public static var cushion: MemberKey { MemberKey() }
    @inlinable public static var transition: MemberKey { MemberKey() }
    @inlinable public static var topic: MemberKey { MemberKey() }
    @inlinable public static var change: MemberKey { MemberKey() }
    @inlinable public static var manifest: MemberKey { MemberKey() }
    @inlinable public static var confirmed: MemberKey { MemberKey() }
    @inlinable public static var notBefore: MemberKey { MemberKey() }
    @inlinable public static var notAfter: MemberKey { MemberKey() }
    @inlinable public static var arrivalNotBefore: MemberKey { MemberKey() }
    @inlinable public static var arrivalNotAfter: MemberKey { MemberKey() }
    @inlinable public static var departureNotBefore: MemberKey { MemberKey() }
    @inlinable public static var departureNotAfter: MemberKey { MemberKey() }
    @inlinable public static var date: MemberKey { MemberKey() }
    @inlinable public static var visit: MemberKey { MemberKey() }
    @inlinable public static var place: MemberKey { MemberKey() }
    @inlinable public static var arrival: MemberKey { MemberKey() }
    @inlinable public static var departure: MemberKey { MemberKey() }
    @inlinable public static var confidence: MemberKey { MemberKey() }
    @inlinable public static var from: MemberKey { MemberKey() }
    @inlinable public static var to: MemberKey { MemberKey() }
    @inlinable public static var before: MemberKey { MemberKey() }
    @inlinable public static var limit: MemberKey { MemberKey() }
    @inlinable public static var newest: MemberKey { MemberKey() }
}

/// Keys about beacons.
extension MemberKey {
    @inlinable public static var uuid: MemberKey { MemberKey() }
    @inlinable public static var major: MemberKey { MemberKey() }
    @inlinable public static var minor: MemberKey { MemberKey() }
    @inlinable public static var notifyEntryStateOnDisplay: MemberKey { MemberKey() }
    @inlinable public static var exitAfter: MemberKey { MemberKey() }
    @inlinable public static var rssi: MemberKey { MemberKey() }
    @inlinable public static var proximity: MemberKey { MemberKey() }
    @inlinable public static var measuredPower: MemberKey { MemberKey() }
    @inlinable public static var calibratedPower: MemberKey { MemberKey() }
    @inlinable public static var lastSeen: MemberKey { MemberKey() }
    @inlinable public static var batteryVolts: MemberKey { MemberKey() }
    @inlinable public static var temperature: MemberKey { MemberKey() }
    @inlinable public static var gain: MemberKey { MemberKey() }
    @inlinable public static var within: MemberKey { MemberKey() }
    @inlinable public static var beacons: MemberKey { MemberKey() }
    @inlinable public static var duty: MemberKey { MemberKey() }
    @inlinable public static var secondsListening: MemberKey { MemberKey() }
    @inlinable public static var secondsScanned: MemberKey { MemberKey() }
    @inlinable public static var regions: MemberKey { MemberKey() }
    @inlinable public static var spots: MemberKey { MemberKey() }
    @inlinable public static var ranging: MemberKey { MemberKey() }
    @inlinable public static var senders: MemberKey { MemberKey() }
}

/// Keys about headings and the compass.
extension MemberKey {
    @inlinable public static var heading: MemberKey { MemberKey() }
    @inlinable public static var magneticHeading: MemberKey { MemberKey() }
    @inlinable public static var trueHeading: MemberKey { MemberKey() }
    @inlinable public static var headingAccuracy: MemberKey { MemberKey() }
    @inlinable public static var filter: MemberKey { MemberKey() }
    @inlinable public static var wanted: MemberKey { MemberKey() }
    @inlinable public static var saturated: MemberKey { MemberKey() }
    @inlinable public static var ax: MemberKey { MemberKey() }
    @inlinable public static var ay: MemberKey { MemberKey() }
    @inlinable public static var az: MemberKey { MemberKey() }
    @inlinable public static var compass: MemberKey { MemberKey() }
    @inlinable public static var magnetometer: MemberKey { MemberKey() }
    @inlinable public static var accelerometer: MemberKey { MemberKey() }
    @inlinable public static var samples: MemberKey { MemberKey() }
    @inlinable public static var failures: MemberKey { MemberKey() }
    @inlinable public static var secondsSinceSample: MemberKey { MemberKey() }
    @inlinable public static var rate: MemberKey { MemberKey() }
    @inlinable public static var calibration: MemberKey { MemberKey() }
    @inlinable public static var calibrationProblem: MemberKey { MemberKey() }
    @inlinable public static var reach: MemberKey { MemberKey() }
    @inlinable public static var offset: MemberKey { MemberKey() }
    @inlinable public static var matrix: MemberKey { MemberKey() }
    @inlinable public static var axis: MemberKey { MemberKey() }
    @inlinable public static var norm: MemberKey { MemberKey() }
    @inlinable public static var residual: MemberKey { MemberKey() }
    @inlinable public static var levelHeadingError: MemberKey { MemberKey() }
    @inlinable public static var tiltedHeadingError: MemberKey { MemberKey() }
}

/// Keys about the receiver.
extension MemberKey {
    @inlinable public static var receiver: MemberKey { MemberKey() }
    @inlinable public static var device: MemberKey { MemberKey() }
    @inlinable public static var detail: MemberKey { MemberKey() }
    @inlinable public static var baud: MemberKey { MemberKey() }
    @inlinable public static var bytes: MemberKey { MemberKey() }
    @inlinable public static var sentences: MemberKey { MemberKey() }
    @inlinable public static var frames: MemberKey { MemberKey() }
    @inlinable public static var checksumFailures: MemberKey { MemberKey() }
    @inlinable public static var skippedBytes: MemberKey { MemberKey() }
    @inlinable public static var epochs: MemberKey { MemberKey() }
    @inlinable public static var secondsSinceEpoch: MemberKey { MemberKey() }
    @inlinable public static var secondsSinceFix: MemberKey { MemberKey() }
    @inlinable public static var clients: MemberKey { MemberKey() }
    @inlinable public static var store: MemberKey { MemberKey() }
}

/// Keys about power.
extension MemberKey {
    @inlinable public static var power: MemberKey { MemberKey() }
    @inlinable public static var uncertainty: MemberKey { MemberKey() }
    @inlinable public static var nextStart: MemberKey { MemberKey() }
    @inlinable public static var plan: MemberKey { MemberKey() }
    @inlinable public static var why: MemberKey { MemberKey() }
    @inlinable public static var restingUntil: MemberKey { MemberKey() }
    @inlinable public static var backingOff: MemberKey { MemberKey() }
    @inlinable public static var backup: MemberKey { MemberKey() }
    @inlinable public static var hostWakes: MemberKey { MemberKey() }
    @inlinable public static var restKinds: MemberKey { MemberKey() }
    @inlinable public static var linesProblem: MemberKey { MemberKey() }
    @inlinable public static var outage: MemberKey { MemberKey() }
    @inlinable public static var beganSecondsAgo: MemberKey { MemberKey() }
    @inlinable public static var endedSecondsAgo: MemberKey { MemberKey() }
    @inlinable public static var troubles: MemberKey { MemberKey() }
    @inlinable public static var secondsAgo: MemberKey { MemberKey() }
    @inlinable public static var over: MemberKey { MemberKey() }
}

/// Keys about counters.
extension MemberKey {
    @inlinable public static var counters: MemberKey { MemberKey() }
    @inlinable public static var startedAt: MemberKey { MemberKey() }
    @inlinable public static var residentBytes: MemberKey { MemberKey() }
    @inlinable public static var longestTurn: MemberKey { MemberKey() }
    @inlinable public static var clientsDropped: MemberKey { MemberKey() }
    @inlinable public static var storeErrors: MemberKey { MemberKey() }
    @inlinable public static var starts: MemberKey { MemberKey() }
    @inlinable public static var histogram: MemberKey { MemberKey() }
    @inlinable public static var fixes: MemberKey { MemberKey() }
    @inlinable public static var sky: MemberKey { MemberKey() }
    @inlinable public static var visible: MemberKey { MemberKey() }
    @inlinable public static var least: MemberKey { MemberKey() }
    @inlinable public static var median: MemberKey { MemberKey() }
    @inlinable public static var greatest: MemberKey { MemberKey() }
    @inlinable public static var events: MemberKey { MemberKey() }
    @inlinable public static var delivered: MemberKey { MemberKey() }
    @inlinable public static var pending: MemberKey { MemberKey() }
    @inlinable public static var transitions: MemberKey { MemberKey() }
    @inlinable public static var visits: MemberKey { MemberKey() }
}

/// Keys about energy.
extension MemberKey {
    @inlinable public static var lastHour: MemberKey { MemberKey() }
    @inlinable public static var lastDay: MemberKey { MemberKey() }
    @inlinable public static var sinceBoot: MemberKey { MemberKey() }
    @inlinable public static var hours: MemberKey { MemberKey() }
    @inlinable public static var deviceMilliwatts: MemberKey { MemberKey() }
    @inlinable public static var batteryHours: MemberKey { MemberKey() }
    @inlinable public static var receiverShare: MemberKey { MemberKey() }
    @inlinable public static var receiverJoules: MemberKey { MemberKey() }
    @inlinable public static var sensorJoules: MemberKey { MemberKey() }
    @inlinable public static var radioJoules: MemberKey { MemberKey() }
    @inlinable public static var scanSeconds: MemberKey { MemberKey() }
    @inlinable public static var hostWakeJoules: MemberKey { MemberKey() }
    @inlinable public static var hostIdleJoules: MemberKey { MemberKey() }
    @inlinable public static var byState: MemberKey { MemberKey() }
    @inlinable public static var byCause: MemberKey { MemberKey() }
    @inlinable public static var byClient: MemberKey { MemberKey() }
    @inlinable public static var joules: MemberKey { MemberKey() }
    @inlinable public static var window: MemberKey { MemberKey() }
    @inlinable public static var connected: MemberKey { MemberKey() }
}

/// Keys about the sleep of the host (the whole computer).
extension MemberKey {
    @inlinable public static var host: MemberKey { MemberKey() }
    @inlinable public static var switched: MemberKey { MemberKey() }
    @inlinable public static var reasons: MemberKey { MemberKey() }
    @inlinable public static var cause: MemberKey { MemberKey() }
    @inlinable public static var backstop: MemberKey { MemberKey() }
    @inlinable public static var verified: MemberKey { MemberKey() }
    @inlinable public static var byMotion: MemberKey { MemberKey() }
    @inlinable public static var boot: MemberKey { MemberKey() }
    @inlinable public static var told: MemberKey { MemberKey() }
    @inlinable public static var sleeps: MemberKey { MemberKey() }
    @inlinable public static var slept: MemberKey { MemberKey() }
    @inlinable public static var since: MemberKey { MemberKey() }
    @inlinable public static var boots: MemberKey { MemberKey() }
    @inlinable public static var wakes: MemberKey { MemberKey() }
    @inlinable public static var untimed: MemberKey { MemberKey() }
    @inlinable public static var late: MemberKey { MemberKey() }
    @inlinable public static var inSeconds: MemberKey { MemberKey() }
    @inlinable public static var until: MemberKey { MemberKey() }
    @inlinable public static var hostSleep: MemberKey { MemberKey() }
}

/// Keys about the time service, which passes the receiver's time to the host's clock.
extension MemberKey {
    @inlinable public static var chrony: MemberKey { MemberKey() }
    @inlinable public static var refused: MemberKey { MemberKey() }
    @inlinable public static var pulse: MemberKey { MemberKey() }
    @inlinable public static var delay: MemberKey { MemberKey() }
    @inlinable public static var demand: MemberKey { MemberKey() }
    @inlinable public static var every: MemberKey { MemberKey() }
}
