/// The earliest date that the present can be.
///
/// A board without a battery clock boots in 1970; no date a receiver gives can be before the software was written. Each
/// release moves it forward.
public enum BuildDate {
    public static let instant = UTCInstant(
        date: CivilDate(uncheckedYear: 2026, month: 11, day: 20), timeOfDay: 0)
}
