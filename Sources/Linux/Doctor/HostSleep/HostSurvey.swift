public import HostSleep

/// The reasons that keep a system on right now, from its own files alone: without D-Bus and without root's rights.
///
/// It takes some hundred small reads, and is made right before a sleep, or when somebody asks. It needs to see the
/// processes of all users: where `/proc` hides them, by `ProtectProc=` in the daemon's unit or by `hidepid=`, the
/// answers that need them are unknown.
public struct HostSurvey: Sendable, Equatable {
    /// The answers about the system; those about the store, the supply and the clocks are left nil.
    ///
    /// `Clock.utcIsSynchronized` says whether the kernel calls its own clock synchronised.
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

    private mutating func add(_ answer: HostAnswer) -> Bool? {
        obstacles += answer.obstacles
        return answer.isSo
    }
}
