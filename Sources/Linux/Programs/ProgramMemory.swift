import CSextantLinux

/// The memory that the program's own code and data occupy.
public enum ProgramMemory {
    /// The process's resident memory in bytes, pages of shared files included; 0 if the kernel does not tell it.
    public static var residentBytes: UInt64 { clinux_resident_bytes() }

    /// Returns memory to the kernel: mapped pages of the program's files that were never written, and freed memory.
    ///
    /// A released page that is used again is mapped again from the page cache.
    ///
    /// The kernel maps 64 KiB around any code that is executed once, and keeps the pages as long as there is room; on a
    /// board with little memory the clients need that room. Releasing the pages causes some 60 to 95 minor page faults.
    /// Together with a client's start and end, a release takes 1.5 to 2.2 ms of processor time, while an epoch takes
    /// 0.3 ms (measured with one client that gets every fix, x86). Call this after a start, or some time after a
    /// client's end (`MemoryReturn`), but not at every epoch.
    ///
    /// Memory that the program allocated and freed is returned because otherwise the allocator keeps megabytes of it
    /// after many clients have gone.
    public static func giveBack() {
        clinux_give_back_freed()
        clinux_give_back_program()
    }
}
