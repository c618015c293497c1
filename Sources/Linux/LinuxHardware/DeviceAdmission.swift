/// Explains which group's members may open a device, and how a user joins them.
enum DeviceAdmission {
    static func mend(for path: String) -> String {
        mend(for: path, group: (try? FileStatus(path: path))?.admittedGroupName)
    }

    /// - Parameter group: The group whose members may open the device; nil if there is no such group or it is unknown.
    static func mend(for path: String, group: String?) -> String {
        let installed = "sextant doctor has the udev rule for the installed daemon"
        return switch group {
        case nil: "check the permissions of \(path), and of the directories above it; \(installed)"
        case "root": "only root may open \(path): \(installed)"
        case .some(let group):
            "\(path) is for the group \(group): \(installed); for any other user: "
                + "sudo usermod -aG \(group) USER, then log in again"
        }
    }
}
