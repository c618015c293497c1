internal import Glibc
public import HostSleep
internal import Programs

/// The files by which the daemon asks `sextant-host` to power off, and reads its answer.
public struct HostRequestFiles: Sendable {
    let folders: HostFolders

    public init(_ folders: HostFolders = HostFolders()) { self.folders = folders }

    /// Names the host switch (the chip that cuts the supply) that the shutdown hook must clear when the owner powers
    /// off.
    ///
    /// Returns an error text for people; nil if there was no error.
    func write(_ hostSwitch: HostSwitchAddress) -> String? { put(hostSwitch.text, at: folders.hostSwitch) }

    /// Removes the file that names the host switch; used if the owner wants the board to wake after a power-off by
    /// hand.
    func removeHostSwitch() -> String? {
        _ = unsafe unlink(folders.hostSwitch)
        return nil
    }

    /// Withdraws the request to power off.
    ///
    /// This is `callOff` in the Promela model hostsleep.pml.
    func removeRequest() { _ = unsafe unlink(folders.request) }

    /// Requests the power-off; returns an error text for people, or nil if there was no error.
    ///
    /// This is `request` in the Promela model hostsleep.pml.
    func ask(_ request: HostRequest) -> String? { put(request.text, at: folders.request) }

    /// The helper's answer to a request; nil if there is no answer yet, or if the answer may not come from the helper.
    func answer(to request: HostRequest) -> HostAnswer? {
        guard let bytes = try? GuardedFile.read(folders.answer, ownerOf: folders.helper),
            let answer = try? HostAnswer(parsing: bytes), answer.request == request.digest
        else { return nil }
        return answer
    }

    /// Replaces a file as a whole; returns an error text for people, or nil if there was no error.
    private func put(_ text: String, at path: String) -> String? {
        let folder = folders.daemon + "/host"
        _ = unsafe mkdir(folder, 0o755)
        // The folder's mode is set explicitly, since with the daemon's umask the helper, which runs as another user,
        // could not read it.
        _ = unsafe chmod(folder, 0o755)
        do throws(GuardedFileError) {
            try GuardedFile.write(text, to: path)
            return nil
        } catch {
            return "host sleep: \(error)"
        }
    }
}
