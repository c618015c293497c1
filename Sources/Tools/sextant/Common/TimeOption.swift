internal import ArgumentParser
internal import SextantUnits

/// A time on the command line: a date, or a date and a time of day, in UTC.
struct TimeOption: ExpressibleByArgument {
    /// The first instant of the given time; for a date alone, 00:00 of that day.
    var first: UTCInstant
    /// The last instant of the given time; for a date alone, the end of that day.
    var last: UTCInstant

    init?(argument: String) {
        guard let instant = UTCInstant(iso8601: argument) else { return nil }
        first = instant
        let isDate = argument.utf8.count == 10
        last = isDate ? instant.advanced(byNanoseconds: UTCInstant.nanosecondsPerDay - 1) : instant
    }
}
