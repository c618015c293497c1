import Glibc

package enum SymbolicLink {
    /// The target of a symbolic link, as the link contains it; nil if there is no link at the path.
    package static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Safety: the kernel writes no more than the buffer's count, and the buffer outlives the call.
        let count = unsafe readlink(path, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
