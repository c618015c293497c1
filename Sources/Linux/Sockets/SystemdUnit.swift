/// The systemd unit that a process belongs to, found by the process's control group.
///
/// A service's name is `name.service`, or `user@1000.service/name.service` if the user's own systemd manager runs the
/// service. The longer form keeps a user, who can choose unit names, from posing as a system unit.
enum SystemdUnit {
    /// The unit in the text of `/proc/PID/cgroup` (cgroups(7)): lines of `hierarchy:controllers:path`.
    ///
    /// systemd keeps its units in the hierarchy named `systemd` if that is mounted, otherwise in the unified hierarchy,
    /// number 0. Nil if the process is in no unit, or in a control group that systemd does not manage.
    static func name(inControlGroups text: String) -> String? {
        var unified: Substring?
        var own: Substring?
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            if fields[0] == "0", fields[1].isEmpty { unified = fields[2] }
            if fields[1] == "name=systemd" { own = fields[2] }
        }
        // A container can have the hierarchy named `systemd` without running systemd; then every process is at the root
        // of that hierarchy.
        let path = own.flatMap { $0 == "/" ? nil : $0 } ?? unified
        return path.flatMap(name(ofPath:))
    }

    /// The outermost unit in the path of a control group; deeper levels do not count, since a unit can create any
    /// groups below its own.
    ///
    /// If the outermost unit is a user's systemd manager, the outermost unit below that manager is added to the name.
    private static func name(ofPath path: Substring) -> String? {
        guard path.hasPrefix("/") else { return nil }
        var components = path.split(separator: "/")[...]
        guard let unit = takeUnit(from: &components) else { return nil }
        guard unit.hasPrefix("user@"), unit.hasSuffix(".service"), let inner = takeUnit(from: &components) else {
            return String(unit)
        }
        return "\(unit)/\(inner)"
    }

    /// Skips the leading slices of a control group's path; returns the next component if it is a unit that has
    /// processes, such as a service.
    private static func takeUnit(from components: inout ArraySlice<Substring>) -> Substring? {
        components = components.drop { $0.hasSuffix(".slice") }
        guard let component = components.popFirst() else { return nil }
        // systemd puts an underscore before a unit's name if the kernel uses that name for its own files.
        let name = component.hasPrefix("_") ? component.dropFirst() : component
        let isUnit = [".service", ".scope", ".socket", ".mount", ".swap"].contains { suffix in
            name.utf8.count > suffix.utf8.count && name.hasSuffix(suffix)
        }
        return isUnit ? name : nil
    }
}
