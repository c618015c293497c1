import CSextantLinux

/// The memory that the program's own code and data occupy.
public enum ProgramMemory {
    /// The process's memory that is in use, pages of shared files included; 0 where the kernel does not say.
    public static var residentBytes: UInt64 { clinux_resident_bytes() }

    /// Releases pages of the program's files that are mapped and were never written.
    ///
    /// A released page that is used again is mapped again from the page cache.
    ///
    /// The kernel maps 64 KiB around any code that is executed once, and keeps it as long as there is room; on a board
    /// with little memory the clients need that room. Releasing it causes some 60 to 95 minor page faults, and together
    /// with a client's start and end takes 1.5 to 2.2 ms of processor time, where an epoch takes 0.3 ms (measured with
    /// a watcher, x86). It is therefore right after a start or a client's end, and wrong at every epoch.
    ///
    /// Memory that the program allocated and freed is given back as well: without this, the allocator keeps megabytes
    /// of it after many clients have gone.
    public static func giveBack() {
        clinux_give_back_freed()
        clinux_give_back_program()
    }
}
