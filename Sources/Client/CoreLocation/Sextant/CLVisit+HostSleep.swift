public import Foundation

extension CLVisit {
    /// The dates between which the device arrived, where nobody followed it, as while the whole board slept; nil where
    /// `arrivalDate` is exact, or not known.
    ///
    /// This is Sextant's own, and not Apple's; an archive does not keep it.
    public var sextantArrivalRange: ClosedRange<Date>? { unfollowed.arrival }

    /// The same of `departureDate`.
    public var sextantDepartureRange: ClosedRange<Date>? { unfollowed.departure }
}
