import Glibc
public import Hardware

/// An I2C bus of the kernel at `/dev/i2c-N`, for use by one thread: every call blocks until its transfer is over.
///
/// One transfer takes at most 200 ms. The kernel enforces this limit, which is a setting of the adapter and applies to
/// all programs that use it. A chip that a kernel driver holds is refused (`busy`) and never taken by force. If the
/// adapter cannot read consecutive registers in one transfer (`readsRows`), they are read byte by byte. A chip that
/// measures meanwhile can then return half of one measurement and half of the next, unless the chip keeps its registers
/// unchanged until they are read.
///
/// After the error `gone` the adapter is closed, since the kernel keeps an unplugged adapter while a program has it
/// open. The next call opens the adapter again.
public struct LinuxI2CBus: ~Copyable, I2CBus {
    public let name: String
    /// Whether consecutive registers are read in one transfer.
    public private(set) var readsRows: Bool
    private var adapter: Optional<I2CAdapter>

    /// Opens an adapter by its device node, or by the name that its driver gives it.
    ///
    /// The node is for example `/dev/i2c-1`, the name `CP2112 SMBus Bridge on hidraw0`. The name of an adapter stays
    /// the same when its number changes.
    public init(_ name: String) throws(BusError) {
        let opened = try I2CAdapter(name)
        // This field is set after opening: Swift 6.2 destroys already initialised fields twice if an error follows.
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

    /// Takes the open adapter, or opens it again if it was closed after the error `gone`.
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
