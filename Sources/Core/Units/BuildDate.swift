/// The date of this release, before which the present cannot be.
///
/// A board without a battery clock boots in 1970, and no true date from a receiver can be before the software was
/// written. Each release moves the date forward.
public enum BuildDate {
    public static let instant = UTCInstant(
        date: CivilDate(uncheckedYear: 2026, month: 11, day: 20), timeOfDay: 0)
}
