/// The place where a receiver's navigation database is kept while its supply is cut.
enum DatabaseKeeper: Sendable, Hashable {
    /// The host, in MGA-DBD messages.
    case host
    /// The receiver's own flash, by UPD-SOS.
    case flash
}
