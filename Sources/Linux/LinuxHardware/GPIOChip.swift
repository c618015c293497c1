import CGPIOD
import SextantReactor

/// An open GPIO chip for inspection only: no line is requested through it.
@safe struct GPIOChip: ~Copyable {
    struct Line: Equatable {
        var name: String?
        /// The consumer name that the program that holds the line gave; nil if it gave none.
        var consumer: String?
    }

    let path: String
    let label: String
    let lineCount: UInt32
    private let chip: OpaquePointer

    init(path: String) throws(SystemError) {
        var opened: OpaquePointer?
        // Safety: the C function writes one pointer, which outlives the call; the C string lives for the call.
        let result = unsafe cgpiod_chip_open(path, &opened)
        guard result == 0, let chip = unsafe opened else { throw SystemError("open \(path)", errno: -result) }
        var facts = cgpiod_chip_facts()
        // Safety: the chip is open, and the C function fills one struct.
        let failure = unsafe cgpiod_chip_look(chip, &facts)
        guard failure == 0 else {
            unsafe cgpiod_chip_close(chip)
            throw SystemError("read \(path)", errno: -failure)
        }
        self.path = path
        unsafe self.chip = chip
        label = String(cgpiodName: facts.label)
        lineCount = facts.line_count
    }

    deinit {
        // Safety: opened in `init`, and closed here alone.
        unsafe cgpiod_chip_close(chip)
    }

    borrowing func line(at offset: UInt32) -> Line? {
        var facts = cgpiod_line_facts()
        // Safety: the chip is open as long as this value lives, and the C function fills one struct.
        guard unsafe cgpiod_line_look(chip, offset, &facts) == 0 else { return nil }
        let name = String(cgpiodName: facts.name)
        let consumer = String(cgpiodName: facts.consumer)
        return Line(
            name: name.isEmpty ? nil : name, consumer: facts.is_used && !consumer.isEmpty ? consumer : nil)
    }

    /// The device nodes of all GPIO chips, each chip once, even if links with the names of older kernels exist.
    static var paths: [String] {
        var seen: Set<UInt> = []
        return KernelFiles.names(in: "/dev").filter { $0.hasPrefix("gpiochip") }.sorted().map { "/dev/\($0)" }
            .filter { path in
                guard let status = try? FileStatus(path: path), status.kind == .characterDevice else { return false }
                return seen.insert(UInt(status.device)).inserted
            }
    }
}

extension String {
    /// Decodes the zero-terminated text in a C array of 32 bytes.
    fileprivate init<Name>(cgpiodName name: Name) {
        // Safety: the pointer covers exactly the array's bytes, and is used only within the call.
        self = unsafe withUnsafeBytes(of: name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
