public import Hardware
public import Magnetism

/// The board's magnetometer and accelerometer, behind whoever drives their bus.
///
/// Everything is called, and calls back, on the reactor's thread.
public protocol CompassPort: AnyObject {
    /// Leaves an order, which is answered with one event; false, and nothing is taken, where so many wait already that
    /// the bus must hang.
    func order(_ order: CompassOrder) -> Bool

    /// Takes no more orders and answers none; what is under way ends by itself, and is not waited for.
    func close()
}

/// What is asked of the sensors.
public enum CompassOrder: Sendable, Equatable {
    /// Look for the chips where the board's file says that they are, and configure them: they sleep, but for an
    /// accelerometer that watches for motion. Answered with `found`, `absent` or `failed`.
    case find
    /// Measure once; the chips are before and after as `find` left them. Answered with `sampled` or `failed`.
    case sample
    /// Have the accelerometer watch for motion anew, where the board's file says that it does, and look for it where it
    /// was not found: a chip that holds its line since it felt some lets go of it, and one that lost its power watches
    /// again. The magnetometer is left alone. Answered with `watching` or `notWatching`.
    case watchMotion
}

/// What the sensors answer.
public enum CompassEvent: Sendable, Equatable {
    case found(FoundSensors)
    /// Nobody answers where the board's file says that the sensors are; a sentence for people.
    case absent(String)
    /// What was measured, and when.
    case sampled(CompassSample)
    /// It could not be done; a sentence for people.
    case failed(String)
    /// The accelerometer watches for motion.
    case watching(FoundSensors)
    /// It does not; a sentence for people.
    case notWatching(String)
}

/// The chips that were found.
public struct FoundSensors: Sendable, Equatable {
    public var bus: String
    /// Nil where the board has none.
    public var magnetometer: FoundChip?
    public var accelerometer: FoundChip?

    public init(bus: String, magnetometer: FoundChip?, accelerometer: FoundChip?) {
        self.bus = bus
        self.magnetometer = magnetometer
        self.accelerometer = accelerometer
    }

    /// The bus and the addresses of those of its chips, for people.
    func place(of chips: FoundChip?...) -> String {
        "\(bus), \(chips.compactMap { $0?.address.description }.joined(separator: " and "))"
    }
}

/// A chip that was found.
public struct FoundChip: Sendable, Equatable {
    /// The model, by the name that a board file gives it.
    public var model: String
    public var address: I2CAddress

    public init(model: String, address: I2CAddress) {
        self.model = model
        self.address = address
    }
}
