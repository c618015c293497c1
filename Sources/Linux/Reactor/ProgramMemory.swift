import CLinux

/// The memory that the program itself takes.
public enum ProgramMemory {
    /// Gives back the code that only the start needed: what is executed again is mapped again, from the page cache.
    ///
    /// The kernel maps 64 KiB around whatever is executed once, and keeps it as long as there is room; on a board with
    /// little of it, that room is the clients'.
    public static func giveBackCode() { clinux_give_back_code() }
}
