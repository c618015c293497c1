import Glibc

/// A signal that the daemon handles.
public enum Signal: Sendable, Equatable, CaseIterable {
    /// SIGHUP: read the configuration again.
    case hangUp
    /// SIGINT: stop.
    case interrupt
    /// SIGTERM: stop.
    case terminate

    init?(number: Int32) {
        switch number {
        case SIGHUP: self = .hangUp
        case SIGINT: self = .interrupt
        case SIGTERM: self = .terminate
        default: return nil
        }
    }
}

/// EINTR: a signal that the daemon does not handle interrupted the wait.
let interrupted = EINTR
