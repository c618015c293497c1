import Glibc

/// A process that has a device open.
public struct ProcessHolder: Sendable, Equatable, CustomStringConvertible {
    public var processID: Int32
    /// The command's name, at most 15 bytes, from `/proc/PID/comm`.
    public var command: String

    public init(processID: Int32, command: String) {
        self.processID = processID
        self.command = command
    }

    public var description: String { "\(command) (process \(processID))" }

    /// All processes that have the device at `path` open; without root's rights, only the processes of the calling
    /// user.
    public static func all(holding path: String) -> [ProcessHolder] {
        guard let status = try? FileStatus(path: path), status.kind == .characterDevice else { return [] }
        return KernelFiles.names(in: "/proc").compactMap(Int32.init).compactMap {
            holder($0, of: status.device, exceptNumber: nil)
        }
    }
}

extension ProcessHolder? {
    /// A process that has the device open, preferably another than this one; this process's own descriptor
    /// `exceptNumber` does not count.
    static func holding(_ device: dev_t, exceptNumber: Int32? = nil) -> ProcessHolder? {
        let own = getpid()
        let others = KernelFiles.names(in: "/proc").compactMap(Int32.init).filter { $0 != own }
        for process in others + [own] {
            let except = process == own ? exceptNumber : nil
            if let holder = ProcessHolder.holder(process, of: device, exceptNumber: except) { return holder }
        }
        return nil
    }
}

extension ProcessHolder {
    fileprivate static func holder(_ process: Int32, of device: dev_t, exceptNumber: Int32?) -> ProcessHolder? {
        let folder = "/proc/\(process)/fd"
        let except = exceptNumber.map(String.init)
        let holds = KernelFiles.names(in: folder).contains { name in
            guard name != except, let status = try? FileStatus(path: "\(folder)/\(name)") else { return false }
            return status.kind == .characterDevice && status.device == device
        }
        return holds ? ProcessHolder(processID: process, command: command(of: process)) : nil
    }

    private static func command(of process: Int32) -> String {
        guard let file = try? KernelFiles.contents(of: "/proc/\(process)/comm") else { return "a process" }
        return String(decoding: file.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
