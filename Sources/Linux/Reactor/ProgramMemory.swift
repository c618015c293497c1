import CLinux

/// The memory that the program itself takes.
public enum ProgramMemory {
    /// Gives back what is mapped of the program's files and never written; what is used again is mapped again, from the
    /// page cache.
    ///
    /// The kernel maps 64 KiB around whatever is executed once, and keeps it as long as there is room; on a board with
    /// little of it, that room is the clients'. Some 60 to 95 minor page faults follow, and with the client's coming and
    /// going 1.5 to 2.2 ms of processor time, where an epoch takes 0.3 (measured with a watcher, x86): right after a
    /// start or a client's end, wrong for every epoch.
    public static func giveBack() { clinux_give_back_program() }
}
