internal import Glibc
internal import HostSleep
internal import SextantReactor

/// The files by which the daemon asks `sextant-host` to power off, and hears what became of it.
public struct HostRequestFiles: Sendable {
    /// The daemon's folder, and the helper's.
    private let folder: String
    private let answers: String
    /// Milliseconds between two looks for the answer, and the most looks: a minute, in which the host goes off anyway.
    private let pause: UInt32
    private static let looks = 240

    public init(daemon: String = "/run/sextant", helper: String = "/run/sextant-host", pause: UInt32 = 250) {
        folder = daemon + "/host"
        answers = helper + "/answer"
        self.pause = pause
    }

    private var request: String { folder + "/request" }
    private var place: String { folder + "/switch" }

    /// Writes which switch the hook clears where the owner powers off; why it could not, for people.
    func write(_ place: HostSwitchPlace) -> String? { put(place.text, at: self.place) }

    /// The owner wants to be woken after a power-off of his own.
    func removePlace() -> String? {
        _ = unsafe unlink(place)
        return nil
    }

    /// Withdraws the request.
    ///
    /// This is `callOff` in the model hostsleep.pml.
    func removeRequest() { _ = unsafe unlink(request) }

    /// Asks for the power-off, and waits for the helper's word; why it did not come or was a no, for people.
    ///
    /// This is `request` in the model hostsleep.pml.
    func ask(_ request: HostRequest) -> String? {
        if let problem = put(request.text, at: self.request) { return problem }
        for _ in 0..<HostRequestFiles.looks {
            if let answer = answer(to: request) {
                return answer.refusal.map { refusal in
                    let names = refusal.by.isEmpty ? "" : " (\(refusal.by.joined(separator: ", ")))"
                    return "host sleep: the power stays on: \(refusal.reason)\(names)"
                }
            }
            _ = usleep(pause * 1000)
        }
        removeRequest()
        return "host sleep: sextant-host did not answer; install it, and sudo systemctl enable --now sextant-host.path"
    }

    private func answer(to request: HostRequest) -> HostAnswer? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
        guard let file = try? Descriptor(opening: answers, flags: flags) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        guard case .bytes(let count) = file.read(into: &bytes) else { return nil }
        guard let answer = try? HostAnswer(parsing: Array(bytes[..<count])) else { return nil }
        return answer.request == request.digest ? answer : nil
    }

    /// Replaces a file as a whole; why it could not, for people.
    private func put(_ text: String, at path: String) -> String? {
        _ = unsafe mkdir(folder, 0o755)
        let new = path + ".new"
        _ = unsafe unlink(new)
        do throws(SystemError) {
            let file = try Descriptor(creating: new, mode: 0o644)
            let bytes = Array(text.utf8)
            guard case .bytes(bytes.count) = file.write(bytes.span) else { throw SystemError("write", errno: ENOSPC) }
        } catch {
            return "host sleep: \(new): \(error)"
        }
        guard unsafe rename(new, path) == 0 else { return "host sleep: \(path): \(SystemError.text(of: errno))" }
        return nil
    }
}
