internal import Foundation

extension CLError {
    /// Why no location can be had, as the daemon says it.
    enum Reason: String, Sendable, Hashable {
        /// Searches find nothing.
        case noSky
        /// The receiver does not answer, or its line is gone.
        case receiverUnreachable

        fileprivate var sentence: String {
            switch self {
            case .noSky: "The receiver finds no satellites; it needs a clearer view of the sky."
            case .receiverUnreachable: "The receiver cannot be reached."
            }
        }
    }

    /// An error that says why, where that is known.
    init(_ code: Code, because reason: Reason?) {
        self.init(code, userInfo: reason.map { [NSLocalizedFailureReasonErrorKey: $0.sentence] } ?? [:])
    }
}
