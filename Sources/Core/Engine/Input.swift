public import ClientProtocol
public import GPSDProtocol
public import Receivers
public import Sessions
public import Units

/// Which protocol a client speaks.
public enum ClientKind: UInt8, Sendable, Equatable {
    case local = 0
    case gpsd = 1
}

/// Everything that can happen to the Engine, but for the receiver's bytes, which are lent.
public enum Input: Sendable {
    /// The daemon runs.
    case started
    /// The device is open. `hasRate` is false where a bit rate means nothing (a pseudo-terminal); `time` is the wall
    /// clock, where the host vouches for it.
    case deviceOpened(hasRate: Bool, time: UTCInstant?)
    /// The device could not be opened, or was lost; `detail` is the sentence for people.
    case deviceFailed(DeviceSupervisor.Absence, detail: String)
    case deviceAppeared
    case clientConnected(ClientID, ClientKind)
    case clientRequest(ClientID, Result<ClientRequest, RefusedRequest>)
    case gpsdRequest(ClientID, Result<GPSDRequest, GPSDRequestError>)
    case clientGone(ClientID)
    /// An instant that was asked for has come.
    case timePassed
}
