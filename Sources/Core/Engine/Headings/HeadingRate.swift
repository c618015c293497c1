/// How often the compass is read, by the least change of heading that a client wants to be sent.
///
/// | least change | samples per second |
/// |---|---|
/// | none, and raw samples | 25 |
/// | up to 1° | 10 |
/// | up to 5° | 5 |
/// | more than 5° | 2 |
enum HeadingRate {
    /// Nanoseconds between two samples.
    ///
    /// - Parameter filter: The least change of heading to be sent, in degrees; nil or 0 for every sample.
    static func period(forFilter filter: Double?) -> Int64 {
        switch filter ?? 0 {
        case ...0: 40_000_000
        case ...1: 100_000_000
        case ...5: 200_000_000
        default: 500_000_000
        }
    }
}
