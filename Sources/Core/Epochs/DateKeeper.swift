internal import SextantUnits

/// Keeps the current date and adds it to a time of day, which gives an instant.
///
/// Dates come with RMC and ZDA, or with UBX; GGA, GLL and GST have only a time of day and take the date from here.
/// Where the time of day passes midnight, the date moves on by a day. A date whose week or century wrapped is moved by
/// whole periods of 1024 weeks until it agrees with `reference`, which is what the host knows of the date.
struct DateKeeper {
    var reference: DateReference { didSet { written = nil } }
    private var instant: UTCInstant?
    /// Whether the receiver has confirmed that the date is valid.
    private(set) var isValidated = false
    /// The last date as the receiver wrote it, and the day to which that date was corrected, in days since 1970.
    private var written: (date: CivilDate, mendedDay: Int64)?

    init(reference: DateReference) {
        self.reference = reference
    }

    /// The instant of a time of day that came with a date.
    mutating func resolve(_ timeOfDay: Int64, date: CivilDate, isValid: Bool) -> UTCInstant {
        let result = UTCInstant(nanoseconds: mendedDay(of: date) &* UTCInstant.nanosecondsPerDay &+ timeOfDay)
        instant = result
        isValidated = isValid
        return result
    }

    var isKnown: Bool { instant != nil }

    /// Sets the date from an instant that the receiver marks as valid.
    mutating func note(_ known: UTCInstant) {
        instant = known
        isValidated = true
    }

    /// The instant of a time of day without a date, or nil while no date is known.
    ///
    /// - Returns: The instant, and whether the receiver has confirmed the date.
    mutating func resolve(_ timeOfDay: Int64) -> (instant: UTCInstant, isValidated: Bool)? {
        guard let known = instant else { return nil }
        let day = UTCInstant.nanosecondsPerDay
        var result = UTCInstant(nanoseconds: known.nanoseconds &- known.timeOfDay &+ timeOfDay)
        let step = result.nanoseconds &- known.nanoseconds
        if step < -day / 2 { result = result.advanced(byNanoseconds: day) }
        if step > day / 2 { result = result.advanced(byNanoseconds: -day) }
        instant = result
        return (result, isValidated)
    }

    /// Whether a date is in 1980, where GPS time starts: the clock of a receiver that does not know the date starts
    /// there.
    ///
    /// Such a date is not trusted, whatever the receiver says of its validity.
    static func isPlaceholder(_ date: CivilDate) -> Bool { date.year == 1980 }

    private mutating func mendedDay(of date: CivilDate) -> Int64 {
        if let written, written.date == date { return written.mendedDay }
        let midnight = UTCInstant(date: date, timeOfDay: 0)
        let mended = reference.mended(midnight)
        let day = mended.nanoseconds / UTCInstant.nanosecondsPerDay
        written = (date, day)
        return day
    }
}
