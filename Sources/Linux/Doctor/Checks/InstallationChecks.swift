internal import Boards

/// Checks of the configuration, the board's file and the files of the boot partition.
enum InstallationChecks {
    static func configuration(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let problem = facts.installation.problem.map {
            Finding(.configuration, "the configuration cannot be used", Mend($0))
        }
        return [problem].compactMap { $0 }
            + facts.installation.clientProblems.map {
                Finding(.configuration, "a client's file or the policy is not used", Mend($0))
            }
            + facts.installation.rulesWithoutClient.map { name in
                let mend = Mend(
                    "correct the name, or write the manifest",
                    at: facts.installation.clientFiles.last.map { FilePosition($0) }
                )
                return Finding(
                    .configuration, .note, "the policy has a rule for \(name), which is no client's name", mend)
            }
    }

    static func boardHost(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        guard let host = try facts.needBoard().hostModel else { throw Skipped("the board's file names no host") }
        guard let text = facts.modelText else { throw Skipped("this system does not say which board it runs on") }
        let hosts = RaspberryPi(deviceTreeModel: text)?.hosts ?? []
        if hosts.contains(host) { return [] }
        let mend =
            hosts.first.map(naming)
            ?? "name a board whose host this is, or one with host: { idleMilliwatts, wakeMillijoules }"
        return [
            Finding(
                .boardHost,
                "the board's file is for other hardware: its host is \(host.rawValue), and this is a \(text)",
                Mend(mend, at: FilePosition(facts.installation.configuration)))
        ]
    }

    private static func naming(_ host: HostModel) -> String {
        guard let folder = folder(of: host) else {
            return "write a board's file with host: \"\(host.rawValue)\" (/usr/share/sextant/boards/README.md, "
                + "\"A board of your own\")"
        }
        return "name a board whose host is \"\(host.rawValue)\", such as board: \"\(folder)+RECEIVER\""
    }

    /// The name of the folder in `boards` that describes a host, without a plus sign, which cannot be in a folder's
    /// name; nil if the host has no folder.
    private static func folder(of host: HostModel) -> String? {
        switch host {
        case .zero2W, .zero2WTrimmed, .fourB, .five, .computeModule4: host.rawValue
        case .threeBPlus: "3b-plus"
        case .threeAPlus: nil
        }
    }

    static func bootFile(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let boot = try facts.needBoot()
        guard let dead = facts.bootFiles.deadFile else { return [] }
        let mend = Mend("move its settings to \(boot.path), which the firmware reads", at: dead)
        return [Finding(.bootFile, .warning, "the firmware does not read this config.txt", mend)]
    }

    static func overlayFile(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let boot = try facts.needBoot()
        guard !facts.bootFiles.overlayFiles.isEmpty else { throw Skipped("the folder of overlays is not seen") }
        return boot.overlays.filter { !facts.bootFiles.overlayFiles.contains($0.name) }
            .filter { overlay in !facts.bootFiles.overlayFiles.contains("\(overlay.name)-pi5") }
            .map { overlay in
                let mend = Mend(
                    "correct its name; \(boot.folder)/overlays/README lists those there are", at: overlay.place)
                return Finding(.overlayFile, "there is no overlay \(overlay.name), so the line does nothing", mend)
            }
    }
}
