public import Hardware
public import Magnetism

/// The access to the board's magnetometer and accelerometer, whatever drives their bus.
///
/// Everything is called, and calls back, on the reactor's thread.
public protocol CompassPort: AnyObject {
    /// Queues an order, which is answered with one event; false, without queuing it, where the queue is full.
    ///
    /// A full queue means that the bus hangs.
    func order(_ order: CompassOrder) -> Bool

    /// Takes no more orders and answers none; an order under way ends by itself, and is not waited for.
    func close()
}

/// An order for the sensors.
public enum CompassOrder: Sendable, Equatable {
    /// Look for the chips at the places that the board's file gives, and configure them.
    ///
    /// The chips then sleep, except an accelerometer that watches for motion. Answered with `found`, `absent` or
    /// `failed`.
    case find
    /// Measure once, and leave the chips as `find` left them; answered with `sampled` or `failed`.
    case sample
    /// Have the accelerometer watch for motion anew, where the board's file asks for that.
    ///
    /// An accelerometer that was not found is looked for. A chip that holds its line since it felt motion releases it,
    /// and a chip that lost its power watches again. The magnetometer is left alone. Answered with `watching` or
    /// `notWatching`.
    case watchMotion
}

/// The answer to an order for the sensors.
public enum CompassEvent: Sendable, Equatable {
    case found(FoundSensors)
    /// No chip answers at the places that the board's file gives; the text is a sentence for people.
    case absent(String)
    /// The measured values and the instant of their measurement.
    case sampled(CompassSample)
    /// The order could not be carried out; the text is a sentence for people.
    case failed(String)
    /// The accelerometer watches for motion.
    case watching(FoundSensors)
    /// The accelerometer does not watch for motion; the text is a sentence for people.
    case notWatching(String)
}

/// The chips that were found.
public struct FoundSensors: Sendable, Equatable {
    public var bus: String
    /// The magnetometer; nil where the board has none.
    public var magnetometer: FoundChip?
    public var accelerometer: FoundChip?

    public init(bus: String, magnetometer: FoundChip?, accelerometer: FoundChip?) {
        self.bus = bus
        self.magnetometer = magnetometer
        self.accelerometer = accelerometer
    }

    /// The bus and the addresses of the given chips, for people.
    func place(of chips: FoundChip?...) -> String {
        "\(bus), \(chips.compactMap { $0?.address.description }.joined(separator: " and "))"
    }
}

/// A chip that was found.
public struct FoundChip: Sendable, Equatable {
    /// The chip's model, by the name that a board file gives it.
    public var model: String
    public var address: I2CAddress

    public init(model: String, address: I2CAddress) {
        self.model = model
        self.address = address
    }
}
