internal import Foundation

extension CLError {
    /// The reason why no location can be had, as the daemon tells it.
    enum Reason: String, Sendable, Hashable {
        /// The receiver searches and finds no satellites.
        case noSky
        /// The receiver does not answer, or its serial line is gone.
        case receiverUnreachable

        fileprivate var sentence: String {
            switch self {
            case .noSky: "The receiver finds no satellites; it needs a clearer view of the sky."
            case .receiverUnreachable: "The receiver cannot be reached."
            }
        }
    }

    /// An error with the reason for it, where that is known.
    init(_ code: Code, because reason: Reason?) {
        self.init(code, userInfo: reason.map { [NSLocalizedFailureReasonErrorKey: $0.sentence] } ?? [:])
    }
}
