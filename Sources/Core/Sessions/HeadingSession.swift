public import ClientProtocol
public import Magnetism

/// The headings that one session wants: what it asked for, and how they stand.
public struct HeadingSession: Sendable, Equatable {
    /// The client's number for it.
    public let number: UInt8
    public private(set) var settings: HeadingSettings
    /// What the heading is of.
    public private(set) var orientation: HeadingOrientation
    private var filter: HeadingFilter
    private var question = CalibrationQuestion()
    /// Whether it was told that the compass fails, and no heading came since.
    private var knowsFailure = false

    public init(_ settings: HeadingSettings, number: UInt8 = 0) {
        self.number = number
        self.settings = settings
        orientation = settings.orientation.heading ?? .portrait
        filter = HeadingFilter(change: settings.filter)
    }

    /// Takes other settings, for later headings; what was told last stays what the next is compared with.
    ///
    /// An orientation that does not say which side is the upper one leaves that as it was.
    public mutating func change(to settings: HeadingSettings) {
        self.settings = settings
        orientation = settings.orientation.heading ?? orientation
        filter.change = settings.filter
    }

    /// Whether a heading is for the client.
    public mutating func takes(_ heading: HeadingObject) -> Bool {
        knowsFailure = false
        return filter.passes(heading)
    }

    /// Whether the client is to be told that the compass fails: once, until a heading comes again.
    public mutating func fails() -> Bool {
        defer { knowsFailure = true }
        return !knowsFailure
    }

    // MARK: The question for a calibration

    /// Takes for which occasion a calibration is wanted now; nil for none.
    ///
    /// - Returns: What the client is to be told: true, that its user should be asked; false, no longer; nil, nothing.
    public mutating func follow(calibrationWantedFor occasion: Int?) -> Bool? { question.follow(occasion) }

    /// The client's user is asked to turn the device about.
    public mutating func displayCalibration() { question.display() }

    public mutating func dismissCalibration() { question.dismiss() }

    public var displaysCalibration: Bool { question.isShown }
}

/// Whether a user is asked to turn the device about: once for every occasion.
struct CalibrationQuestion: Sendable, Equatable {
    private var lastOccasion: Int?
    private var isOpen = false
    private(set) var isShown = false

    mutating func follow(_ occasion: Int?) -> Bool? {
        guard let occasion else {
            guard isOpen else { return nil }
            dismiss()
            return false
        }
        guard lastOccasion != occasion else { return nil }
        lastOccasion = occasion
        // What is shown already need not be asked for again.
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
