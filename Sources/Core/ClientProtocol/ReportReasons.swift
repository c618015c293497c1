public import ClientVocabulary
public import Power

extension PauseReason {
    /// The reason's name in the daemon's JSON protocol.
    public var name: PauseName {
        switch self {
        case .still: .still
        case .noFix: .noFix
        }
    }
}

extension ResumeReason {
    /// The reason's name in the daemon's JSON protocol.
    public var name: ResumeName {
        switch self {
        case .motion: .motion
        case .displacement: .displacement
        case .fix: .fix
        case .asked: .asked
        }
    }
}
