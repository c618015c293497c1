internal import Boards
internal import Hardware
internal import Reactor
internal import Tracker

/// The board's sensors on the harness's bus, without a thread: what is ordered is carried out by `serve`, when the
/// harness listens.
///
/// So the same inputs give the same samples at the same instants. A class, because the daemon and its bench share it.
final class BenchCompass: CompassPort {
    private let server: CompassServer<BenchBus>
    private let told: (CompassEvent) -> Void
    private var orders: [CompassOrder] = []
    private var isClosed = false

    /// As many as the kernel's bus takes.
    private static let capacity = 4

    init(_ server: CompassServer<BenchBus>, told: @escaping (CompassEvent) -> Void) {
        self.server = server
        self.told = told
    }

    func order(_ order: CompassOrder) -> Bool {
        guard !isClosed, orders.count < BenchCompass.capacity else { return false }
        orders.append(order)
        return true
    }

    func close() {
        isClosed = true
        orders = []
    }

    /// Carries out the next order, and tells its answer.
    ///
    /// - Returns: Whether there was one.
    func serve() -> Bool {
        guard !orders.isEmpty else { return false }
        told(server.serve(orders.removeFirst()))
        return true
    }
}
