internal import ArgumentParser
internal import SextantUnits

/// A command-line argument that gives a time in UTC: a date, or a date with a time of day.
struct TimeOption: ExpressibleByArgument {
    /// The first instant of the given time; for a date alone, 00:00 of that day.
    var first: UTCInstant
    /// The last instant of the given time; for a date alone, the last nanosecond of that day.
    var last: UTCInstant

    init?(argument: String) {
        guard let instant = UTCInstant(iso8601: argument) else { return nil }
        first = instant
        let isDate = argument.utf8.count == 10
        last = isDate ? instant.advanced(byNanoseconds: UTCInstant.nanosecondsPerDay - 1) : instant
    }
}
