public import HostSleep
internal import Programs
public import SextantUnits

/// The clocks that tell the helper whether a request to power off is recent, and whether the alarm that it orders lies
/// ahead.
public struct HostClocks: Sendable {
    /// The host's wall clock; nil unless the system reports it as right.
    public var wall: @Sendable () -> UTCInstant?
    public var uptime: @Sendable () -> MonotonicInstant

    public init(
        wall: @escaping @Sendable () -> UTCInstant?, uptime: @escaping @Sendable () -> MonotonicInstant
    ) {
        self.wall = wall
        self.uptime = uptime
    }

    /// Reads the host switch that a request names, and checks its clock and its alarm.
    ///
    /// They are compared with the host's wall clock or, if that may be wrong, with the time that the request states.
    func fault(of request: HostRequest, in chip: any AlarmReader) throws(HostSwitchProblem) -> SwitchFault? {
        try chip.fault(in: request.order) { request.now(host: wall(), uptime: uptime()) }
    }
}

/// Powers the host off on behalf of the daemon, which has no permission to do it itself.
///
/// The helper checks the daemon's request, reads the host switch (the chip that will cut the supply), keeps the request
/// in a file, asks logind, and answers. These steps are those of the Promela model hostsleep.pml. The process can end
/// between any two steps; the hook at the end of the shutdown reads the kept file.
public struct HostHelper {
    private let folders: HostFolders
    private let clocks: HostClocks
    private let manager: any PowerManager
    /// Opens the host switch that a request names.
    private let open: (HostSwitchAddress) throws(HostSwitchProblem) -> any AlarmReader

    public init(
        folders: HostFolders, clocks: HostClocks, manager: any PowerManager,
        open: @escaping (HostSwitchAddress) throws(HostSwitchProblem) -> any AlarmReader
    ) {
        self.folders = folders
        self.clocks = clocks
        self.manager = manager
        self.open = open
    }

    /// Carries out or refuses the daemon's request, and writes the answer.
    ///
    /// - Returns: The answer; nil if there is no request, or the request was already answered.
    public func serve() throws -> HostAnswer? {
        var digest = ""
        do {
            guard let request = try take() else { return nil }
            digest = request.digest
            guard !isAnswered(request) else { return nil }
            if let refusal = request.refusal(host: clocks.wall(), uptime: clocks.uptime()) {
                throw HostProblem(folders.request, refusal.description)
            }
            try checkAgain(request)
            try keep(request)
        } catch {
            return try answer(HostAnswer(to: digest, refusal: HostAnswer.Refusal(reason: "\(error)")))
        }
        let refusal = askLogind()
        if refusal != nil { try GuardedFile.remove(folders.kept) }
        return try answer(HostAnswer(to: digest, refusal: refusal))
    }

    /// Reads the daemon's request; nil if there is none.
    ///
    /// This is `take` in the Promela model hostsleep.pml.
    private func take() throws -> HostRequest? {
        guard let bytes = try folders.readDaemons(folders.request) else { return nil }
        return try HostProblem.of(folders.request) { try HostRequest(parsing: bytes) }
    }

    private func isAnswered(_ request: HostRequest) -> Bool {
        guard let bytes = try? folders.readHelpers(folders.answer), let answer = try? HostAnswer(parsing: bytes)
        else { return false }
        return answer.request == request.digest
    }

    /// Reads the host switch and throws if its alarm is not as requested; the daemon's own process has checked it
    /// before.
    ///
    /// This is `checkAgain` in the Promela model hostsleep.pml.
    private func checkAgain(_ request: HostRequest) throws {
        guard let fault = try clocks.fault(of: request, in: open(request.hostSwitch)) else { return }
        throw HostSwitchProblem("the host switch \(request.hostSwitch.model) \(fault.text); arm it anew")
    }

    /// Keeps the request for the shutdown hook before logind is asked, since the shutdown can end this process at any
    /// moment.
    ///
    /// A request that was kept earlier stays: the host may be stopping for it, delayed by inhibitors.
    ///
    /// This is `keep` in the Promela model hostsleep.pml.
    private func keep(_ request: HostRequest) throws {
        guard try folders.readHelpers(folders.kept) == nil else {
            throw HostProblem(
                folders.kept,
                "another request was kept in this boot, and the host may be stopping for it; "
                    + "if it does not stop, restart it")
        }
        try GuardedFile.write(request.text, to: folders.kept)
    }

    /// Asks logind to power off; logind refuses if there are sessions or inhibitors of others, which the answer then
    /// names.
    ///
    /// This is `askLogind` in the Promela model hostsleep.pml.
    private func askLogind() -> HostAnswer.Refusal? {
        do throws(PowerManagerError) {
            let holders = try holders()
            guard holders.isEmpty else {
                return HostAnswer.Refusal(reason: "somebody needs the host: \(holders[0])", by: holders)
            }
            try manager.powerOff()
            return nil
        } catch {
            return HostAnswer.Refusal(reason: error.text, by: (try? holders()) ?? [])
        }
    }

    /// The sessions and inhibitors that an answer to the daemon names: at most eight, of 120 characters each, to keep
    /// the file short.
    private func holders() throws(PowerManagerError) -> [String] {
        try manager.holders().prefix(8).map { String($0.prefix(120)) }
    }

    /// Writes the answer for the daemon.
    ///
    /// This is `answer` in the Promela model hostsleep.pml.
    private func answer(_ answer: HostAnswer) throws -> HostAnswer {
        try GuardedFile.write(answer.text, to: folders.answer)
        return answer
    }
}

extension SwitchFault {
    /// The fault of a host switch, worded as the end of a sentence that begins with the switch's name.
    var text: String {
        switch self {
        case .clockStopped: "has lost its time"
        case .clockApart: "has another time than the host, by more than 2 s"
        case .noAlarm: "has no alarm"
        case .otherAlarm: "has another alarm than was ordered"
        case .alarmTooNear: "has an alarm less than 60 s ahead"
        case .otherBackstop: "has another second way back than was ordered"
        case .otherMotion: "wakes the host by motion otherwise than was ordered"
        }
    }
}
