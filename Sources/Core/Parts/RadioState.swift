public import Beacons

/// The present state of the radio.
public struct RadioState: Equatable {
    public var isListening = false
    /// Nanoseconds for which it has listened since the daemon's start.
    public var listened: Int64 = 0
    /// Why it cannot listen; nil where it can.
    public var trouble: RadioTrouble?
    /// Whether waiting is in vain: the board, the kernel or the installation lacks something.
    public var isHopeless = false

    public init(isListening: Bool = false, listened: Int64 = 0, trouble: RadioTrouble? = nil, isHopeless: Bool = false)
    {
        self.isListening = isListening
        self.listened = listened
        self.trouble = trouble
        self.isHopeless = isHopeless
    }
}
