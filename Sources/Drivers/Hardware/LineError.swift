/// A failure of a GPIO line, of a kind that tells the caller what to do.
///
/// The errno is the kernel's. Two errors are equal if their line and kind are.
public struct LineError: Error, Sendable {
    public enum Kind: Sendable, Hashable {
        /// No GPIO chip has a line of this name; `nearest` holds the most similar names.
        case notFound(nearest: [String])
        /// Several GPIO chips have a line of this name; `places` tells the lines apart.
        case ambiguous(places: [String])
        /// Another program holds the line; `consumer` is the name that the program gave, nil if it gave none.
        case busy(consumer: String?)
        case permissionDenied
        /// The GPIO chip is no longer there, and with it every line that was held.
        case lost
        case other
    }

    /// The line's name as the caller gave it.
    public var line: String
    public var kind: Kind
    public var errno: Int32
    /// The kernel's message, and the remedy where one is known.
    public var cause: String

    public init(_ kind: Kind, line: String, errno: Int32 = 0, cause: String = "") {
        self.kind = kind
        self.line = line
        self.errno = errno
        self.cause = cause
    }
}

extension LineError: Equatable {
    public static func == (left: LineError, right: LineError) -> Bool {
        left.line == right.line && left.kind == right.kind
    }
}

extension LineError: CustomStringConvertible {
    public var description: String {
        switch kind {
        case .notFound(let nearest):
            "\(line): no such line; " + LineError.mend(nearest: nearest, cause: cause)
        case .ambiguous(let places):
            "\(line): several chips have a line of this name; choose one of \(places.joined(separator: ", "))"
        case .busy(let consumer?):
            "\(line) is held by \"\(consumer)\"; stop it, or give the board another line"
        case .busy(nil):
            "\(line) is held by another program or the kernel; stop it, or give the board another line"
        case .permissionDenied:
            "\(line): permission denied; \(cause.isEmpty ? "run as a member of the chip's group" : cause)"
        case .lost:
            "\(line): its chip is gone; check its plug and its wiring"
        case .other:
            "\(line): \(cause.isEmpty ? "error \(errno)" : cause)"
        }
    }

    private static func mend(nearest: [String], cause: String) -> String {
        switch (nearest.isEmpty, cause.isEmpty) {
        case (false, true): "did you mean \(nearest.joined(separator: ", "))?"
        case (false, false): "did you mean \(nearest.joined(separator: ", "))? (\(cause))"
        case (true, false): cause
        case (true, true): "sudo gpioinfo lists those there are"
        }
    }
}
