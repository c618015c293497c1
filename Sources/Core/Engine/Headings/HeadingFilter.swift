internal import ClientProtocol

/// Chooses the headings that one client gets: those that differ enough from the last one delivered.
///
/// The difference is the smaller angle: from 359.5° to 0.9° it is 1.4°. Magnetic headings are compared, each with the
/// last one delivered, so that many small turns add up.
struct HeadingFilter: Sendable, Equatable {
    private struct Told: Sendable, Equatable {
        var heading: Double?
        var isValid: Bool
        var isTrueKnown: Bool

        init(_ heading: HeadingObject) {
            self.heading = heading.magneticHeading
            isValid = heading.accuracy != nil
            isTrueKnown = heading.trueHeading != nil
        }
    }

    /// The least angle in degrees between two headings delivered in succession; nil or 0 to deliver every heading.
    var change: Double?
    private var last: Told?

    init(change: Double?) { self.change = change }

    /// Whether the client gets a heading; each heading is compared with the last one that passed.
    ///
    /// The first heading passes, and so does one that became valid or invalid, or for which true north became known or
    /// unknown.
    mutating func passes(_ heading: HeadingObject) -> Bool {
        let told = Told(heading)
        if let last, !isNews(told, after: last) { return false }
        last = told
        return true
    }

    private func isNews(_ told: Told, after last: Told) -> Bool {
        guard let change, change > 0 else { return true }
        guard told.isValid == last.isValid, told.isTrueKnown == last.isTrueKnown, let before = last.heading,
            let now = told.heading
        else { return told != last }
        return HeadingFilter.turn(from: before, to: now) >= change
    }

    /// The smaller angle between two directions.
    ///
    /// Unit: degrees, 0 to 180.
    static func turn(from first: Double, to second: Double) -> Double {
        let turn = abs(second - first).truncatingRemainder(dividingBy: 360)
        return min(turn, 360 - turn)
    }
}
