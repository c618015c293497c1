public import Beacons

/// The present state of the Bluetooth radio that listens for beacons.
public struct RadioState: Equatable {
    public var isListening = false
    /// For how many nanoseconds in total the radio has listened since the daemon's start.
    public var listened: Int64 = 0
    /// Why the radio cannot listen; nil where it can.
    public var trouble: RadioTrouble?
    /// Whether `trouble` will not pass by itself, because the board, the kernel or the installation lacks something.
    public var isHopeless = false

    public init(isListening: Bool = false, listened: Int64 = 0, trouble: RadioTrouble? = nil, isHopeless: Bool = false)
    {
        self.isListening = isListening
        self.listened = listened
        self.trouble = trouble
        self.isHopeless = isHopeless
    }
}
