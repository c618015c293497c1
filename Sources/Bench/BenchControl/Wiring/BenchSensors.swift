internal import Boards
internal import Hardware
internal import SextantReactor
internal import Tracker

/// The board's magnetometer and accelerometer on an I2C bus that the harness emulates, without a thread of their own.
///
/// What the daemon orders from the sensors, such as a sample, waits until `serve` is called, when the harness is ready
/// to answer; so the same inputs give the same samples at the same instants.
///
/// A class, because the daemon and `sextantd-bench` around it share it.
final class BenchSensors: SensorPort {
    private let server: SensorServer<BenchBus>
    private let onEvent: (SensorEvent) -> Void
    private var orders: [SensorOrder] = []
    private var isClosed = false

    /// The largest number of orders to the sensors that can wait to be carried out; the implementation for real sensors
    /// has the same limit.
    private static let capacity = 4

    init(_ server: SensorServer<BenchBus>, onEvent: @escaping (SensorEvent) -> Void) {
        self.server = server
        self.onEvent = onEvent
    }

    func order(_ order: SensorOrder) -> Bool {
        guard !isClosed, orders.count < BenchSensors.capacity else { return false }
        orders.append(order)
        return true
    }

    func close() {
        isClosed = true
        orders = []
    }

    /// Carries out the daemon's next order to the sensors, and passes the answer to the daemon.
    ///
    /// - Returns: Whether an order was waiting.
    func serve() -> Bool {
        guard !orders.isEmpty else { return false }
        onEvent(server.serve(orders.removeFirst()))
        return true
    }
}
