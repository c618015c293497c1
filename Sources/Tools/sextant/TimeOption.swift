internal import ArgumentParser
internal import Units

/// A time on the command line: a date, or a date and a time of day, in UTC.
struct TimeOption: ExpressibleByArgument {
    /// Of a date alone, its midnight.
    var first: UTCInstant
    /// Of a date alone, its last instant.
    var last: UTCInstant

    init?(argument: String) {
        guard let instant = UTCInstant(iso8601: argument) else { return nil }
        first = instant
        let isDate = argument.utf8.count == 10
        last = isDate ? instant.advanced(byNanoseconds: UTCInstant.nanosecondsPerDay - 1) : instant
    }
}
