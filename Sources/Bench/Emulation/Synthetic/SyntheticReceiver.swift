import GNSS
import Glibc
public import SextantUnits

/// An emulated GNSS receiver on a drive under a synthetic sky; for each epoch it gives the bytes that a u-blox M8 would
/// send.
///
/// The same drive, sky and configuration give the same bytes.
public struct SyntheticReceiver: Sendable {
    public enum Output: String, Sendable, CaseIterable {
        case nmea
        case ubx
        case both
    }

    public struct Configuration: Sendable, Hashable {
        public var seed: UInt64
        /// The time at which the receiver is switched on; rounded up to a whole second.
        public var startTime: UTCInstant
        /// The number of epochs per second, 1 to 10.
        public var rate = 1
        public var output = Output.nmea
        public var acquisition = Acquisition.coldStart
        /// Whether sentences are NMEA 4.11: with system and signal identifiers in GSA and GSV, and navigational status
        /// in RMC.
        ///
        /// If false, satellite numbers of Galileo begin at 301 and those of BeiDou at 401, as in u-blox's extended NMEA
        /// 4.0.
        public var hasSystemIdentifiers = false

        public init(seed: UInt64, startTime: UTCInstant) {
            self.seed = seed
            self.startTime = startTime
        }
    }

    /// The speed, in metres per second, below which the receiver keeps reporting its last course.
    private static let movingSpeed = 0.3

    private let drive: SyntheticDrive
    private let sky: SyntheticSky
    private let configuration: Configuration
    private let startTime: UTCInstant
    private let period: Int64
    private var noise: ReceiverNoise
    private var index: Int64 = 0
    private var view = SyntheticSky.View(satellites: [], dilution: DilutionOfPrecision())
    private var viewStage = Acquisition.Stage.nothing
    private var lastCourse = 0.0

    public init(drive: SyntheticDrive, sky: SyntheticSky, configuration: Configuration) {
        precondition((1...10).contains(configuration.rate), "1 to 10 epochs a second")
        self.drive = drive
        self.sky = sky
        self.configuration = configuration
        startTime = configuration.startTime.roundedUpToSecond
        period = Int64((1000 / Double(configuration.rate)).rounded()) * 1_000_000
        noise = ReceiverNoise(seed: configuration.seed)
    }

    /// The time from epoch to epoch in nanoseconds; it is a whole number of milliseconds, like a receiver's measurement
    /// period.
    public var epochPeriod: Int64 { period }

    /// The bytes of the next epoch; there is always a next one.
    public mutating func nextBurst() -> Burst {
        let offset = index * period
        let solution = nextSolution(at: offset)
        var bytes: [UInt8] = []
        switch configuration.output {
        case .nmea:
            appendSentences(of: solution, to: &bytes)
        case .ubx:
            UBXBurst.appendSolution(solution, to: &bytes)
            UBXBurst.appendEndOfEpoch(solution, to: &bytes)
        case .both:
            UBXBurst.appendSolution(solution, to: &bytes)
            appendSentences(of: solution, to: &bytes)
            UBXBurst.appendEndOfEpoch(solution, to: &bytes)
        }
        index += 1
        return Burst(offset: offset, bytes: bytes)
    }

    private func appendSentences(of solution: SyntheticSolution, to bytes: inout [UInt8]) {
        NMEABurst(solution: solution, hasSystemIdentifiers: configuration.hasSystemIdentifiers).append(to: &bytes)
    }

    private mutating func nextSolution(at offset: Int64) -> SyntheticSolution {
        let seconds = Double(offset) / 1e9
        let time = startTime.advanced(byNanoseconds: offset)
        let stage = configuration.acquisition.stage(atSeconds: seconds)
        let truth = drive.motion(atSeconds: seconds)
        noise.advance(seconds: Double(period) / 1e9)
        let isWholeSecond = index % Int64(configuration.rate) == 0
        if isWholeSecond || stage != viewStage {
            look(from: truth, at: time, stage: stage, share: configuration.acquisition.share(atSeconds: seconds))
        }
        return SyntheticSolution(
            stage: stage,
            time: time,
            clockError: noise.clock,
            timeOfWeek: stage == .nothing ? UInt32(offset / 1_000_000 % 604_800_000) : time.gpsMillisecondsOfWeek,
            position: stage.fixType.hasPosition ? position(of: truth) : nil,
            sky: view,
            reportsSky: isWholeSecond
        )
    }

    private mutating func look(from truth: TrueMotion, at time: UTCInstant, stage: Acquisition.Stage, share: Double) {
        viewStage = stage
        view = sky.view(
            latitude: truth.latitude,
            longitude: truth.longitude,
            height: truth.heightAboveEllipsoid,
            at: time,
            reception: SyntheticSky.Reception(share: share, fixType: stage.fixType)
        )
    }

    /// The true position with the receiver's errors; nil if the used satellites do not allow a fix.
    private mutating func position(of truth: TrueMotion) -> SyntheticSolution.Position? {
        guard view.dilution.horizontal != nil else { return nil }
        let error = noise.positionError(view.dilution)
        let frame = EarthFixedFrame(
            latitude: truth.latitude, longitude: truth.longitude, height: truth.heightAboveEllipsoid)
        let velocity = VelocityNED(
            north: truth.velocity.north + noise.velocity.north,
            east: truth.velocity.east + noise.velocity.east,
            down: truth.velocity.down + noise.velocity.down
        )
        let speed = hypot(velocity.north, velocity.east)
        if speed >= Self.movingSpeed { lastCourse = courseOverGround(of: velocity) }
        return SyntheticSolution.Position(
            latitude: truth.latitude + error.north / frame.metresPerDegreeNorth,
            longitude: LocalFrame.wrapped(truth.longitude + error.east / frame.metresPerDegreeEast),
            altitudeAboveMeanSeaLevel: truth.altitudeAboveMeanSeaLevel + error.up,
            geoidSeparation: truth.geoidSeparation,
            velocity: velocity,
            speed: speed,
            courseOverGround: lastCourse,
            isMoving: speed >= Self.movingSpeed,
            horizontalAccuracy: ReceiverNoise.horizontalAccuracy(view.dilution),
            verticalAccuracy: ReceiverNoise.verticalSigma(view.dilution),
            speedAccuracy: ReceiverNoise.velocityError,
            courseAccuracy: speed < Self.movingSpeed ? 180 : atan(ReceiverNoise.velocityError / speed) * 180 / .pi
        )
    }
}

/// The course of a velocity, in degrees from true north, 0 up to 360.
func courseOverGround(of velocity: VelocityNED) -> Double {
    let degrees = atan2(velocity.east, velocity.north) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
}

extension UTCInstant {
    var roundedUpToSecond: UTCInstant {
        let remainder = timeOfDay % 1_000_000_000
        return remainder == 0 ? self : advanced(byNanoseconds: 1_000_000_000 - remainder)
    }

    /// Milliseconds since the start of the GPS week: the milliseconds since midnight UTC on Sunday, plus the leap
    /// seconds.
    var gpsMillisecondsOfWeek: UInt32 {
        let ofWeek = sinceFirstGPSWeek % GNSSTime.nanosecondsPerWeek
        return UInt32((ofWeek < 0 ? ofWeek + GNSSTime.nanosecondsPerWeek : ofWeek) / 1_000_000)
    }

    /// The GPS week number, without rollover; 0 for times before GPS began.
    var gpsWeek: Int64 { max(sinceFirstGPSWeek, 0) / GNSSTime.nanosecondsPerWeek }

    private var sinceFirstGPSWeek: Int64 {
        let leapNanoseconds = Int64(LeapSeconds.gpsMinusUTC(on: date)) * 1_000_000_000
        let firstSunday = UTCInstant(nanoseconds: 3657 * UTCInstant.nanosecondsPerDay)
        return nanoseconds - firstSunday.nanoseconds + leapNanoseconds
    }
}
