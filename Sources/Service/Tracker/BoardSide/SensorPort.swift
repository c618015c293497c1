public import Hardware
public import Magnetism

/// The access to the board's magnetometer and accelerometer, independent of how their bus is driven.
///
/// All functions are called, and call back, on the reactor's thread.
public protocol SensorPort: AnyObject {
    /// Queues an order, which is answered later with one event; returns false, without queuing it, if the queue is
    /// full.
    ///
    /// A full queue means that the bus hangs.
    func order(_ order: SensorOrder) -> Bool

    /// Stops taking and answering orders; does not wait for an order that is being carried out.
    func close()
}

/// An order for the sensors.
public enum SensorOrder: Sendable, Equatable {
    /// Search for the chips at the addresses in the board's file, and configure them.
    ///
    /// The chips then sleep, except an accelerometer that watches for motion. Answered with `found`, `absent` or
    /// `failed`.
    case find
    /// Measure once, and then leave the chips as they were after the order `find`; answered with `sampled` or `failed`.
    case sample
    /// Set up the accelerometer to watch for motion again, if the board's file asks for that.
    ///
    /// If the accelerometer was not found before, it is searched for. If it still holds its interrupt line active after
    /// a motion, it releases the line; if it lost its power, it is configured again. The magnetometer is not touched.
    /// Answered with `watching` or `notWatching`.
    case watchMotion
}

/// The answer to an order for the sensors.
public enum SensorEvent: Sendable, Equatable {
    case found(FoundSensors)
    /// No chip answers at the addresses in the board's file; the text is a sentence for people.
    case absent(String)
    /// The values that the sensors measured, and the instant of the measurement.
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
    /// The magnetometer; nil if the board has none.
    public var magnetometer: FoundChip?
    public var accelerometer: FoundChip?

    public init(bus: String, magnetometer: FoundChip?, accelerometer: FoundChip?) {
        self.bus = bus
        self.magnetometer = magnetometer
        self.accelerometer = accelerometer
    }

    /// The bus and the addresses of the given chips, as text for people.
    func address(of chips: FoundChip?...) -> String {
        "\(bus), \(chips.compactMap { $0?.address.description }.joined(separator: " and "))"
    }
}

/// A sensor chip that was found.
public struct FoundChip: Sendable, Equatable {
    /// The chip's model, by its name in board files.
    public var model: String
    public var address: I2CAddress

    public init(model: String, address: I2CAddress) {
        self.model = model
        self.address = address
    }
}
