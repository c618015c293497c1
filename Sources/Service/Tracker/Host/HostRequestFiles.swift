internal import Glibc
internal import HostSleep
internal import SextantReactor

/// The files by which the daemon asks `sextant-host` to power off, and reads its answer.
public struct HostRequestFiles: Sendable {
    /// The daemon's folder, and the helper's.
    private let daemon: String
    let helper: String

    public init(daemon: String = "/run/sextant", helper: String = "/run/sextant-host") {
        self.daemon = daemon
        self.helper = helper
    }

    private var request: String { daemon + "/host/request" }
    private var place: String { daemon + "/host/switch" }

    /// Writes which switch the hook must clear when the owner powers off; returns the failure, for people.
    func write(_ place: HostSwitchAddress) -> String? { put(place.text, at: self.place) }

    /// The owner wants to be woken after a power-off of his own.
    func removePlace() -> String? {
        _ = unsafe unlink(place)
        return nil
    }

    /// Withdraws the request.
    ///
    /// This is `callOff` in the model hostsleep.pml.
    func removeRequest() { _ = unsafe unlink(request) }

    /// Asks for the power-off; returns the failure, for people.
    ///
    /// This is `request` in the model hostsleep.pml.
    func ask(_ request: HostRequest) -> String? { put(request.text, at: self.request) }

    /// The helper's answer to a request; nil while there is none that the helper alone has written.
    func answer(to request: HostRequest) -> HostAnswer? {
        guard let bytes = try? GuardedFile.read(helper + "/answer", ownerOf: helper),
            let answer = try? HostAnswer(parsing: bytes), answer.request == request.digest
        else { return nil }
        return answer
    }

    /// Replaces a file as a whole; returns the failure, for people.
    private func put(_ text: String, at path: String) -> String? {
        let folder = daemon + "/host"
        _ = unsafe mkdir(folder, 0o755)
        // The daemon's umask keeps others out, and the helper is another user.
        _ = unsafe chmod(folder, 0o755)
        do throws(GuardedFileError) {
            try GuardedFile.write(text, to: path)
            return nil
        } catch {
            return "host sleep: \(error)"
        }
    }
}
