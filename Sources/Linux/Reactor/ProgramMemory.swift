import CSextantLinux

/// The memory that the program's own code and data occupy.
public enum ProgramMemory {
    /// The process's memory that is in use, pages of shared files included; 0 if the kernel does not tell it.
    public static var residentBytes: UInt64 { clinux_resident_bytes() }

    /// Releases pages of the program's files that are mapped and were never written.
    ///
    /// A released page that is used again is mapped again from the page cache.
    ///
    /// The kernel maps 64 KiB around any code that is executed once, and keeps it as long as there is room; on a board
    /// with little memory the clients need that room. Releasing it causes some 60 to 95 minor page faults. With a
    /// client's start and end it takes 1.5 to 2.2 ms of processor time, while an epoch takes 0.3 ms (measured with one
    /// client that gets every fix, x86). Call it after a start, or some time after a client's end (`MemoryReturn`), but not
    /// at every epoch.
    ///
    /// Memory that the program allocated and freed is given back as well: otherwise the allocator keeps megabytes of it
    /// after many clients have gone.
    public static func giveBack() {
        clinux_give_back_freed()
        clinux_give_back_program()
    }
}
