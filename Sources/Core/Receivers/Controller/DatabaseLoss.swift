/// Why a receiver's navigation database was not kept, or cannot be used.
public enum DatabaseLoss: Equatable, Sendable {
    /// The receiver sent `expected` messages, of which `received` arrived whole.
    case incomplete(expected: Int, received: Int)
    /// The database was larger than the host keeps, or its dump took too long.
    case tooLarge
    /// The receiver fell silent during the dump.
    case silence
    /// The port was lost while the database was being saved.
    case portLost
    /// The database was being saved, but the receiver had to wake or its main supply had to be cut at once.
    case interrupted
    /// The receiver refused to keep the database in its flash.
    case refused
    /// The database is of another receiver or another firmware.
    case foreign
}
