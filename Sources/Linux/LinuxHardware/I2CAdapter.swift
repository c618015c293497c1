import CI2C
import Glibc
import Hardware
import SextantReactor

/// An open I2C adapter, closed when this value is gone.
struct I2CAdapter: ~Copyable {
    /// The time limit of one transfer, in units of 10 ms.
    ///
    /// A read of 32 consecutive registers takes 31 ms at 10 kHz, the slowest rate in use, and SMBus lets a chip stretch
    /// the clock by 25 ms.
    private static let timeout: UInt = 20
    /// The number of times that the kernel repeats a transfer that failed because another controller used the bus or,
    /// on some adapters, because a chip was busy.
    private static let retries: UInt = 2

    /// The bus's name as the caller gave it.
    let bus: String
    let path: String
    private let descriptor: Descriptor
    private let device: dev_t
    /// Whether the adapter reads consecutive registers in one transfer.
    let readsBlocks: Bool
    /// Whether the adapter writes several bytes in one transfer.
    private let writesBlocks: Bool
    /// The address of the chip with which the kernel makes the next transfers; nil if no chip is selected.
    private var selected: I2CAddress?

    /// Opens an adapter by its device node or by its name.
    init(_ bus: String) throws(BusError) {
        let path = bus.hasPrefix("/") ? bus : try I2CAdapterList.present().path(of: bus)
        let descriptor = try I2CAdapter.open(path, bus: bus)
        let abilities = try I2CAdapter.prepare(descriptor, bus: bus)
        readsBlocks = abilities.reads_blocks
        writesBlocks = abilities.writes_blocks
        device = (try? FileStatus(path: path))?.device ?? 0
        self.bus = bus
        self.path = path
        self.descriptor = consume descriptor
    }

    private static func open(_ path: String, bus: String) throws(BusError) -> Descriptor {
        do {
            // The kind of device is checked first, because opening a device of the wrong kind can have effects.
            _ = try FileStatus(path: path)
            guard I2CAdapterList.isAdapter(path) else { throw I2CAdapterList.present().foreign(bus) }
            return try Descriptor(opening: path, flags: O_RDWR)
        } catch let error as SystemError {
            throw BusError(opening: path, bus: bus, errno: error.errno)
        } catch let error as BusError {
            throw error
        } catch {
            throw BusError(.other, bus: bus, cause: "\(error)")
        }
    }

    /// Reads which transfers the adapter can make, and limits the time and the repetitions of each transfer.
    private static func prepare(
        _ descriptor: borrowing Descriptor, bus: String
    ) throws(BusError) -> ci2c_abilities {
        try descriptor.withRawValue { number throws(BusError) in
            var abilities = ci2c_abilities()
            // Safety: the C function fills one struct, which outlives the call.
            let failure = unsafe ci2c_look(number, &abilities)
            guard failure == 0 else { throw BusError(opening: bus, bus: bus, errno: -failure) }
            guard abilities.transfers_registers else { throw BusError(.unsupported, bus: bus) }
            let refusal = ci2c_limit(number, timeout, retries)
            guard refusal == 0 else { throw BusError(opening: bus, bus: bus, errno: -refusal) }
            return abilities
        }
    }

    mutating func read(
        _ count: Int, from register: UInt8, at address: I2CAddress
    ) throws(BusError) -> RegisterBytes {
        precondition((1...RegisterBytes.capacity).contains(count), "1 to 32 registers are read in a row")
        try select(address)
        guard readsBlocks, count > 1 else { return try readSingly(count, from: register, at: address) }
        var row = [32 of UInt8](repeating: 0)
        let result = descriptor.withRawValue { number in
            var span = row.mutableSpan
            // Safety: the C function writes at most 32 bytes, as many as `row` has.
            return unsafe span.withUnsafeMutableBufferPointer {
                unsafe ci2c_read_block(number, register, UInt8(count), $0.baseAddress)
            }
        }
        guard result >= 0 else { throw failure(-result, at: address) }
        guard result == count else { throw failure(EPROTO, at: address) }
        var bytes = RegisterBytes()
        for index in 0..<count { bytes.append(row[index]) }
        return bytes
    }

    private borrowing func readSingly(
        _ count: Int, from register: UInt8, at address: I2CAddress
    ) throws(BusError) -> RegisterBytes {
        var bytes = RegisterBytes()
        for offset in 0..<count {
            let result = descriptor.withRawValue { ci2c_read($0, register &+ UInt8(offset)) }
            guard result >= 0 else { throw failure(-result, at: address) }
            bytes.append(UInt8(truncatingIfNeeded: result))
        }
        return bytes
    }

    mutating func write(_ value: UInt8, to register: UInt8, at address: I2CAddress) throws(BusError) {
        try select(address)
        let result = descriptor.withRawValue { ci2c_write($0, register, value) }
        guard result >= 0 else { throw failure(-result, at: address) }
    }

    mutating func write(
        _ row: RegisterBytes, to register: UInt8, at address: I2CAddress
    ) throws(BusError) {
        guard writesBlocks else {
            let cause = "the adapter cannot write several bytes in one transfer; connect the chip to another bus"
            throw BusError(.unsupported, bus: bus, address: address, cause: cause)
        }
        try select(address)
        let bytes = (0..<row.count).map { row[$0] }
        let result = descriptor.withRawValue { number in
            // Safety: the C function reads as many bytes as the array has, which outlives the call.
            unsafe bytes.withUnsafeBufferPointer {
                unsafe ci2c_write_block(number, register, UInt8($0.count), $0.baseAddress)
            }
        }
        guard result >= 0 else { throw failure(-result, at: address) }
    }

    /// Selects the chip for the next transfers, never with I2C_SLAVE_FORCE: two drivers at one chip would spoil each
    /// other's measurements.
    private mutating func select(_ address: I2CAddress) throws(BusError) {
        guard selected != address else { return }
        selected = nil
        let result = descriptor.withRawValue { ci2c_select($0, address.rawValue) }
        guard result == 0 else { throw BusError(selecting: address, bus: bus, path: path, errno: -result) }
        selected = address
    }

    private borrowing func failure(_ errno: Int32, at address: I2CAddress) -> BusError {
        // Some adapters return "no such device" for a missing chip, although the adapter itself is still present.
        let isPresent = (try? FileStatus(path: path))?.device == device
        return BusError(transferringWith: address, bus: bus, errno: errno, adapterIsPresent: isPresent)
    }
}
