internal import Boards
internal import Hardware
internal import SextantReactor
internal import Tracker

/// The board's sensors on the harness's bus, without a thread.
///
/// Orders are carried out by `serve`, when the harness is ready to answer.
///
/// So the same inputs give the same samples at the same instants. A class, because the daemon and its bench share it.
final class BenchCompass: CompassPort {
    private let server: CompassServer<BenchBus>
    private let told: (CompassEvent) -> Void
    private var orders: [CompassOrder] = []
    private var isClosed = false

    /// The largest number of waiting orders; the kernel's bus has the same limit.
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

    /// Carries out the next order, and passes its answer on.
    ///
    /// - Returns: Whether an order was waiting.
    func serve() -> Bool {
        guard !orders.isEmpty else { return false }
        told(server.serve(orders.removeFirst()))
        return true
    }
}
