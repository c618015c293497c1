internal import ClientProtocol
internal import Magnetism

/// A client's session that gets headings: its settings, and the last heading delivered.
struct HeadingSession: Sendable, Equatable {
    /// The session's number, which the client chose.
    let number: UInt8
    private(set) var settings: HeadingSettings
    /// How the device is held: which of its sides is the front, whose direction is the heading.
    private(set) var orientation: HeadingOrientation
    private var filter: HeadingFilter
    private var question = CalibrationQuestion()
    /// Whether the client was told that the compass fails, and no heading has come since.
    private var knowsFailure = false

    init(_ settings: HeadingSettings, number: UInt8 = 0) {
        self.number = number
        self.settings = settings
        orientation = settings.orientation.heading ?? .portrait
        filter = HeadingFilter(change: settings.filter)
    }

    /// Changes the session's settings; the next heading is still compared with the last one delivered.
    ///
    /// If the new settings do not say which side of the device is up, the session keeps its orientation.
    mutating func change(to settings: HeadingSettings) {
        self.settings = settings
        orientation = settings.orientation.heading ?? orientation
        filter.change = settings.filter
    }

    /// Whether the client gets this heading, by the least change of heading that it wants to be sent.
    mutating func takes(_ heading: HeadingObject) -> Bool {
        knowsFailure = false
        return filter.passes(heading)
    }

    /// Whether the client must be told that the compass fails, which is done only once until a heading comes again.
    mutating func fails() -> Bool {
        defer { knowsFailure = true }
        return !knowsFailure
    }

    // MARK: The question for a calibration

    /// Takes the number of the occasion on which a calibration is wanted now; nil for none.
    ///
    /// - Returns: True where the client must be told to ask the user for a calibration, false where it must be told to
    ///   stop asking, nil otherwise.
    mutating func settle(calibrationWantedFor occasion: Int?) -> Bool? { question.settle(occasion) }

    /// Notes that the client now asks the user to turn the device about.
    mutating func displayCalibration() { question.display() }

    mutating func dismissCalibration() { question.dismiss() }

    var displaysCalibration: Bool { question.isShown }
}

/// Decides whether the user is asked to turn the device about: once for every occasion.
struct CalibrationQuestion: Sendable, Equatable {
    private var lastOccasion: Int?
    private var isOpen = false
    private(set) var isShown = false

    mutating func settle(_ occasion: Int?) -> Bool? {
        guard let occasion else {
            guard isOpen else { return nil }
            dismiss()
            return false
        }
        guard lastOccasion != occasion else { return nil }
        lastOccasion = occasion
        // While the user is already being asked, a new occasion asks no second time.
        guard !isShown else { return nil }
        isOpen = true
        return true
    }

    mutating func display() { isShown = isOpen }

    mutating func dismiss() {
        isOpen = false
        isShown = false
    }
}
