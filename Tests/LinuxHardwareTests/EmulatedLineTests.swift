import Glibc
import Hardware
import SextantReactor
import TestSupport
import Testing

@testable import LinuxHardware

@Suite("Lines of an emulated board")
struct EmulatedLineTests {
    /// A socket on which an emulator would listen for its lines.
    private struct Emulator: ~Copyable {
        let folder = TemporaryFolder()
        private let descriptor: Descriptor

        var path: String { "\(folder.path)/lines" }

        init() throws {
            descriptor = Descriptor(adopting: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array("\(folder.path)/lines".utf8)
            try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
            let length = socklen_t(MemoryLayout<sockaddr_un>.size)
            let result = descriptor.withRawValue { number in
                unsafe withUnsafePointer(to: &address) { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(number, $0, length) }
                }
            }
            try #require(result == 0)
            try #require(descriptor.withRawValue { listen($0, 8) } == 0)
        }

        borrowing func accept() throws -> Descriptor {
            let number = descriptor.withRawValue { Glibc.accept($0, nil, nil) }
            try #require(number >= 0)
            return Descriptor(adopting: number)
        }
    }

    private func read(_ descriptor: borrowing Descriptor) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        guard case .bytes(let count) = descriptor.read(into: &buffer) else { return "" }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    @Test func `a line name gives the emulator's socket and the line`() {
        let name = EmulatedLineName("unix:/run/a#b/lines#wake")
        #expect(name?.path == "/run/a#b/lines" && name?.line == "wake")
        for other in ["GPIO17", "cp2112_gpio:2", "unix:lines#wake", "unix:/run/lines", "unix:3"] {
            #expect(EmulatedLineName(other) == nil)
        }
    }

    @Test func `an output is set when opened and at each change, and keeps its level when closed`() throws {
        let emulator = try Emulator()
        let name = try #require(EmulatedLineName("unix:\(emulator.path)#powerEnable"))
        var heard = ""
        do {
            var line = try EmulatedOutputLine(name, active: false)
            let end = try emulator.accept()
            heard += read(end)
            try line.set(active: true)
            heard += read(end)
            #expect(line.isActive && line.name == "unix:\(emulator.path)#powerEnable")
            _ = consume line
            heard += read(end)
        }
        #expect(heard == "powerEnable 0\npowerEnable 1\n")
    }

    @Test func `when the emulator ends, the error gives the command that starts one`() throws {
        let emulator = try Emulator()
        let name = try #require(EmulatedLineName("unix:\(emulator.path)#wake"))
        var line = try EmulatedOutputLine(name, active: false)
        _ = try emulator.accept()
        let failure = #expect(throws: LineError.self) { try line.set(active: true) }
        #expect(failure?.errno == EPIPE && !line.isActive)
        #expect(
            failure?.description
                == "unix:\(emulator.path)#wake: no emulated receiver has its lines there (Broken pipe); start "
                + "sextant emulate receiver --model MODEL --lines \(emulator.path)")
    }

    @Test func `a missing emulator or an unknown line is an error that gives the remedy`() throws {
        let absent = try #require(EmulatedLineName("unix:/nonexistent/lines#wake"))
        let failure = #expect(throws: LineError.self) { _ = try EmulatedOutputLine(absent, active: true) }
        #expect(failure?.errno == ENOENT)
        let unknown = try #require(EmulatedLineName("unix:/nonexistent/lines#led"))
        let refusal = #expect(throws: LineError.self) { _ = try EmulatedOutputLine(unknown, active: true) }
        #expect(refusal?.description.contains("did you mean unix:/nonexistent/lines#powerEnable, ") == true)
        #expect(absent.isNoInput.description.contains("an emulated board has outputs alone"))
    }
}
