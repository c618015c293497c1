import Glibc
public import Hardware

/// An I2C bus of the kernel at `/dev/i2c-N`, for use by one thread: every call blocks until its transfer is over.
///
/// One transfer is bounded to 200 ms by the kernel's own limit, which belongs to the adapter and holds for all its
/// users. A chip that a kernel driver holds is refused (`busy`) and never taken by force. Where the adapter cannot read
/// rows of registers (`readsRows`), a row is read byte by byte: a chip that measures meanwhile may then return half of
/// one measurement and half of the next, unless the chip keeps its registers unchanged until they are read.
///
/// After `gone` the adapter is closed, since the kernel keeps an unplugged adapter as long as a program has it open.
/// The next call opens the adapter again.
public struct LinuxI2CBus: ~Copyable, I2CBus {
    public let name: String
    /// Whether a row of registers is read in one transfer.
    public private(set) var readsRows: Bool
    private var adapter: Optional<I2CAdapter>

    /// Opens an adapter by its device node, or by the name that its driver gives it.
    ///
    /// The node is for example `/dev/i2c-1`, the name `CP2112 SMBus Bridge on hidraw0`; names stay the same where
    /// numbers change.
    public init(_ name: String) throws(BusError) {
        let opened = try I2CAdapter(name)
        // Assigned after opening: Swift 6.2 destroys fields twice that were initialised before an error is thrown.
        self.name = name
        readsRows = opened.readsBlocks
        adapter = consume opened
    }

    public mutating func read(
        _ count: Int, from register: UInt8, at address: I2CAddress
    ) throws(BusError) -> RegisterBytes {
        try transfer { adapter throws(BusError) in try adapter.read(count, from: register, at: address) }
    }

    public mutating func write(_ value: UInt8, to register: UInt8, at address: I2CAddress) throws(BusError) {
        try transfer { adapter throws(BusError) in try adapter.write(value, to: register, at: address) }
    }

    public mutating func write(
        _ row: RegisterBytes, to register: UInt8, at address: I2CAddress
    ) throws(BusError) {
        try transfer { adapter throws(BusError) in try adapter.write(row, to: register, at: address) }
    }

    public mutating func wait(microseconds: Int) {
        guard microseconds > 0 else { return }
        var left = timespec(tv_sec: microseconds / 1_000_000, tv_nsec: microseconds % 1_000_000 * 1000)
        var rest = left
        // Safety: the kernel reads one `timespec` and writes the other, and both outlive the call.
        while unsafe clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &rest) == EINTR { left = rest }
    }

    private mutating func transfer<Result>(
        _ body: (inout I2CAdapter) throws(BusError) -> Result
    ) throws(BusError) -> Result {
        var held = try takeAdapter()
        do throws(BusError) {
            let result = try body(&held)
            adapter = consume held
            return result
        } catch {
            if error.kind != .gone { adapter = consume held }
            throw error
        }
    }

    /// Takes the open adapter, or opens the adapter again after it was gone.
    private mutating func takeAdapter() throws(BusError) -> I2CAdapter {
        if let held = adapter.take() { return held }
        do throws(BusError) {
            let opened = try I2CAdapter(name)
            readsRows = opened.readsBlocks
            return opened
        } catch {
            guard error.kind == .notFound else { throw error }
            throw BusError(.gone, bus: name, errno: error.errno, cause: error.cause)
        }
    }
}
