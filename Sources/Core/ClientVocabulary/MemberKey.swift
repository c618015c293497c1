/// The keys of members, in requests and in what the daemon sends: the one table of both writers and both readers.
///
/// Keys of states and flags are not here: those are the names of their enumerations.
public enum MemberKey: String, Sendable, Hashable, CaseIterable {
    // Every line.
    case event, request, id, session, number, more, count, total
    // The connection.
    case `protocol`, software, version, capabilities, code, message, launchReason, state, reason, errorCode
    // The client and its authorization.
    case client, name, selector, status, authorization, accuracyAuthorization, servicesEnabled, maximumRegions
    case backgroundMode, purpose, purposes, purposeKey, fullAccuracyPurposeKey, whenInUse, always, temporary
    case requiresServiceSession, connections, inUse, mayBeWoken, waiting, problem, registrations, pendingEvents
    case kind, answer, answers, wake, what, active, enabled, implicit, seconds
    // What a watch asks for.
    case accuracy, activityType, background, distance, distanceFilter, minimumInterval, pausesAutomatically, indicator
    case live, satellites, label, deferral, timeout, hold, locations
    // Positions.
    case time, timeValidated, timeAccuracy, leapSeconds, age, fixType, quality, latitude, longitude, altitude
    case altitudeAboveMeanSeaLevel, heightAboveEllipsoid, geoidSeparation, horizontalAccuracy, verticalAccuracy
    case speed, speedAccuracy, course, courseAccuracy, velocity, north, east, down, ecefPosition, ecefVelocity
    case x, y, z, satellitesUsed, differentialAge, differentialStation, magneticVariation, location, service
    case simulated, accessory
    // Dilution of precision and error statistics.
    case dilutionOfPrecision, horizontal, vertical, position, geometric, northing, easting
    case errorStatistics, rangeRMS, semiMajor, semiMinor, orientation
    // Satellites.
    case constellation, signal, frequencySlot, elevation, azimuth, carrierToNoise, used, healthy, ephemeris
    case pseudorangeResidual
    // Regions and visits.
    case identifier, monitor, assumed, radius, polygon, multiPolygon, notifyOnEntry, notifyOnExit, dwell, cushion
    case transition, confirmed, date, visit, place, arrival, departure, confidence, from, to, before, limit
    // Headings and the compass.
    case heading, magneticHeading, trueHeading, headingAccuracy, filter, wanted, saturated, ax, ay, az
    case compass, magnetometer, accelerometer, samples, failures, secondsSinceSample, rate, calibration
    case calibrationProblem, reach, offset, matrix, axis, norm, residual, levelHeadingError, tiltedHeadingError
    // The receiver.
    case receiver, device, detail, baud, bytes, sentences, frames, checksumFailures, skippedBytes, epochs
    case secondsSinceEpoch, clients, store
    // Power.
    case power, uncertainty, nextStart, backingOff, backup, hostWakes, restKinds, linesProblem, outage
    case beganSecondsAgo, endedSecondsAgo, troubles, secondsAgo, over
    // Energy.
    case lastHour, lastDay, sinceBoot, hours, deviceMilliwatts, batteryHours, receiverShare, receiverJoules
    case sensorJoules, hostWakeJoules, hostIdleJoules, byState, byCause, byClient, joules, connected
}
