internal import Glibc
internal import SextantReactor
internal import SextantUnits

/// A file with a secret of the web page's server: 32 hexadecimal digits, readable by root and the group sextant.
struct PageSecretFile {
    var path: String
    /// The option of `sextant page` that writes a new secret to the file.
    var flag: String

    func read() throws(CommandFailure) -> String {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try SmallFile.read(path, upTo: 65_536)
        } catch {
            let mend =
                error.errno == ENOENT
                ? "the package sextant-page brings one (sudo apt install ./sextant-page_*.deb), and sudo sextant page "
                    + "\(flag) writes another"
                : "it is for root and the group sextant: sudo sextant page"
            throw .inputOutput("\(path): cannot be read; \(mend)")
        }
        let text = String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
        guard text.utf8.count == 32, text.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
            throw .inputOutput("\(path): no secret of 32 hexadecimal digits; sudo sextant page \(flag)")
        }
        return text
    }

    /// The user ID of the file's owner.
    func owner() throws(CommandFailure) -> UInt32 {
        var status = stat()
        // Safety: the kernel fills one `stat`, which outlives the call.
        guard unsafe stat(path, &status) == 0 else { throw .inputOutput("\(path): \(SystemError.text(of: errno))") }
        return status.st_uid
    }

    /// Writes a new secret of 128 bits to a new file, which then replaces the old file.
    func write() throws(CommandFailure) {
        let text = try PageSecretFile.random() + [10]
        let new = path + ".new"
        _ = unsafe unlink(new)
        guard let file = try? Descriptor(creating: new, mode: 0o640), case .bytes(text.count) = file.write(text.span)
        else {
            let mend =
                errno == ENOENT ? "install the package sextant-page" : "this is for root: sudo sextant page \(flag)"
            throw .inputOutput("\(path): cannot be written; \(mend)")
        }
        // Safety: the group's record is read before the next call that could overwrite it.
        if let group = unsafe getgrnam("sextant") {
            _ = file.withRawValue { unsafe fchown($0, 0, group.pointee.gr_gid) }
        }
        guard unsafe rename(new, path) == 0 else { throw .inputOutput("\(path): cannot be replaced") }
    }

    /// 128 random bits as hexadecimal digits.
    private static func random() throws(CommandFailure) -> [UInt8] {
        guard let bytes = try? SmallFile.read("/dev/urandom", upTo: 16) else {
            throw .inputOutput("/dev/urandom: cannot be read")
        }
        return Array(Hexadecimal.text(bytes).utf8)
    }
}
