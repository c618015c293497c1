public import Foundation

extension CLVisit {
    /// The earliest and latest possible date of the arrival, if no position was known at that time, for example while
    /// the whole board slept; nil if `arrivalDate` is exact or not known.
    ///
    /// This property is Sextant's own, and not Apple's; an archive does not keep it.
    public var sextantArrivalRange: ClosedRange<Date>? { unfollowed.arrival }

    /// The earliest and latest possible date of the departure, if no position was known at that time; nil if
    /// `departureDate` is exact or not known.
    public var sextantDepartureRange: ClosedRange<Date>? { unfollowed.departure }
}
