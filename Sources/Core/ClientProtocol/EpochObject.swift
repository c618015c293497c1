public import ClientVocabulary
public import GNSS
public import SextantJSON

/// Writes a navigation epoch as Sextant's own JSON object, with everything that is known about the epoch.
///
/// Keys are lowerCamelCase. The units are metres, metres per second, degrees (courses are clockwise from true north)
/// and seconds; `time` is ISO 8601 UTC with milliseconds. Members with unknown values are absent.
public enum EpochObject {
    /// Appends one epoch as a JSON object without a line end.
    ///
    /// - Parameters:
    ///   - event: The value of the member `event`, which is the kind of the line.
    ///   - id: The id of the request that the line answers; nil for none.
    ///   - hasSatellites: Whether to write the satellites, if the epoch lists the satellites in view.
    public static func append(
        _ epoch: Epoch, event: EventName, id: String? = nil, hasSatellites: Bool, to text: inout TextBuffer
    ) {
        text.reserve(2048 + epoch.satellites.count * 192)
        text.begin(event)
        text.member(.id, id)
        append(epoch.fix, to: &text)
        if let errors = epoch.errors { append(errors, to: &text) }
        if hasSatellites, epoch.hasSky { append(epoch.satellites, to: &text) }
        text.endObject()
    }

    static func append(_ fix: Fix, to text: inout TextBuffer) {
        text.member(.time, fix.time)
        if fix.time != nil { text.member(.timeValidated, fix.isTimeValidated) }
        text.member(.fixType, literal: name(of: fix.type))
        text.member(.quality, literal: name(of: fix.quality))
        text.member(.latitude, fix.latitude, decimals: 9)
        text.member(.longitude, fix.longitude, decimals: 9)
        text.member(.altitudeAboveMeanSeaLevel, fix.altitudeAboveMeanSeaLevel, decimals: 3)
        text.member(.heightAboveEllipsoid, fix.heightAboveEllipsoid, decimals: 3)
        text.member(.geoidSeparation, fix.geoidSeparation, decimals: 3)
        text.member(.horizontalAccuracy, fix.horizontalAccuracy, decimals: 3)
        text.member(.verticalAccuracy, fix.verticalAccuracy, decimals: 3)
        text.member(.speed, fix.speed, decimals: 3)
        text.member(.speedAccuracy, fix.speedAccuracy, decimals: 3)
        text.member(.course, fix.courseOverGround, decimals: 3)
        text.member(.courseAccuracy, fix.courseAccuracy, decimals: 3)
        text.member(.heading, fix.heading, decimals: 3)
        text.member(.magneticVariation, fix.magneticVariation, decimals: 2)
        if let velocity = fix.velocity {
            text.beginObject(.velocity)
            text.member(.north, velocity.north, decimals: 3)
            text.member(.east, velocity.east, decimals: 3)
            text.member(.down, velocity.down, decimals: 3)
            text.endElement()
        }
        append(fix.ecefPosition, fix.ecefPositionAccuracy, .ecefPosition, to: &text)
        append(fix.ecefVelocity, fix.ecefVelocityAccuracy, .ecefVelocity, to: &text)
        if fix.dilution != DilutionOfPrecision() { append(fix.dilution, to: &text) }
        text.member(.satellitesUsed, fix.satellitesUsed)
        text.member(.timeAccuracy, fix.timeAccuracy, decimals: 9)
        text.member(.leapSeconds, fix.leapSeconds)
        text.member(.differentialAge, fix.differentialAge, decimals: 1)
        text.member(.differentialStation, fix.differentialStation)
    }

    private static func append(
        _ vector: ECEFVector?, _ accuracy: Double?, _ key: MemberKey, to text: inout TextBuffer
    ) {
        guard let vector else { return }
        text.beginObject(key)
        text.member(.x, vector.x, decimals: 3)
        text.member(.y, vector.y, decimals: 3)
        text.member(.z, vector.z, decimals: 3)
        text.member(.accuracy, accuracy, decimals: 3)
        text.endElement()
    }

    private static func append(_ dilution: DilutionOfPrecision, to text: inout TextBuffer) {
        text.beginObject(.dilutionOfPrecision)
        text.member(.horizontal, dilution.horizontal, decimals: 2)
        text.member(.vertical, dilution.vertical, decimals: 2)
        text.member(.position, dilution.position, decimals: 2)
        text.member(.time, dilution.time, decimals: 2)
        text.member(.geometric, dilution.geometric, decimals: 2)
        text.member(.northing, dilution.northing, decimals: 2)
        text.member(.easting, dilution.easting, decimals: 2)
        text.endElement()
    }

    static func append(_ errors: ErrorStatistics, to text: inout TextBuffer) {
        text.beginObject(.errorStatistics)
        text.member(.rangeRMS, errors.rangeRMS, decimals: 3)
        text.member(.semiMajor, errors.semiMajor, decimals: 3)
        text.member(.semiMinor, errors.semiMinor, decimals: 3)
        text.member(.orientation, errors.orientation, decimals: 3)
        text.member(.latitude, errors.latitude, decimals: 3)
        text.member(.longitude, errors.longitude, decimals: 3)
        text.member(.altitude, errors.altitude, decimals: 3)
        text.endElement()
    }

    private static func append(_ satellites: [Satellite], to text: inout TextBuffer) {
        text.beginArray(.satellites)
        for satellite in satellites {
            text.beginObject()
            text.member(.constellation, literal: name(of: satellite.id.constellation))
            text.member(.number, satellite.id.number)
            text.member(.signal, satellite.signal)
            text.member(.frequencySlot, satellite.frequencySlot)
            text.member(.elevation, satellite.elevation)
            text.member(.azimuth, satellite.azimuth)
            text.member(.carrierToNoise, satellite.carrierToNoise)
            text.member(.used, satellite.isUsed)
            if satellite.health != .unknown { text.member(.healthy, satellite.health == .healthy) }
            text.member(.quality, satellite.quality)
            text.member(.ephemeris, satellite.hasEphemeris)
            if let residual = satellite.pseudorangeResidualDecimetres {
                text.member(.pseudorangeResidual, Double(residual) / 10, decimals: 1)
            }
            text.endElement()
        }
        text.endArray()
    }

    static func name(of type: FixType) -> StaticString {
        switch type {
        case .noFix: "noFix"
        case .deadReckoningOnly: "deadReckoningOnly"
        case .twoD: "twoD"
        case .threeD: "threeD"
        case .gnssPlusDeadReckoning: "gnssPlusDeadReckoning"
        case .timeOnly: "timeOnly"
        }
    }

    static func name(of quality: FixQuality) -> StaticString {
        switch quality {
        case .unknown: "unknown"
        case .invalid: "invalid"
        case .autonomous: "autonomous"
        case .differential: "differential"
        case .rtkFixed: "rtkFixed"
        case .rtkFloat: "rtkFloat"
        case .deadReckoning: "deadReckoning"
        case .surveyedTime: "surveyedTime"
        case .manualInput: "manualInput"
        case .simulated: "simulated"
        case .precise: "precise"
        }
    }

    static func name(of constellation: Constellation) -> StaticString {
        switch constellation {
        case .gps: "gps"
        case .sbas: "sbas"
        case .galileo: "galileo"
        case .beidou: "beidou"
        case .imes: "imes"
        case .qzss: "qzss"
        case .glonass: "glonass"
        case .navic: "navic"
        }
    }
}
