public import HostSleep

/// What keeps a system on right now, as far as its files show it: without D-Bus and without root's rights.
///
/// A survey takes some hundred small reads. It is made right before a sleep, and when a user asks for it. It needs to
/// see the processes of all users. If `/proc` hides them (`ProtectProc=` in the daemon's unit, or `hidepid=`), the
/// answers that depend on them are unknown.
public struct HostSurvey: Sendable, Equatable {
    /// What was found out about the system; a survey leaves the members about the store, the supply and the clocks nil,
    /// which the daemon finds out by other means.
    public private(set) var inspection = HostInspection()
    public private(set) var obstacles: [HostObstacle] = []
    let programs: RunningPrograms

    public init(files: some SystemFiles, hostSwitch: ExaminedSwitch) {
        programs = RunningPrograms(files)
        inspection.isInhibited = add(Logins.locks(files, programs))
        inspection.hasSession = add(Logins.sessions(files, programs))
        inspection.hasSecondMaster = add(SecondMaster.answer(programs, hostSwitch, files))
        inspection.isPackageManagerBusy = add(PackageLock.answer(files))
        inspection.isStayAwakeFileThere = add(StayAwakeFile.answer(files))
    }

    private mutating func add(_ answer: ObstacleReport) -> Bool? {
        obstacles += answer.obstacles
        return answer.isSo
    }
}
