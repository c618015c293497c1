internal import ClientProtocol
public import Parts
public import Power

/// The clients' sessions and what they need from the receiver, as a copy that other parts of the daemon read.
public struct DeliveryView {
    let clients: ClientTable
    let deferred: DeferredQueues

    /// The position requests of all connections, from which the receiver's power mode is chosen.
    public var needs: [AccuracyRequest] { clients.requests }

    /// The numbers by which the position requests name the gpsd port's connections.
    public var gpsdConnections: [UInt32] { clients.gpsd.map { $0.id.rawValue } }

    /// The gpsd clients that get the GNSS receiver's raw messages.
    public var readers: [PassthroughReader] { clients.readers }

    /// Whether any client gets estimates of reduced accuracy in place of fixes.
    public var hearsEstimates: Bool {
        clients.local.contains { $0.session.hearsEstimates } || clients.gpsd.contains { $0.grant == .reduced }
    }

    /// The connections with sessions that asked for background reports, whether or not the manifest allows them.
    public var watchersInBackground: [ClientID] {
        clients.local.filter { $0.session.locations.contains { $0.goesOnInBackground } }.map { $0.id }
    }

    /// Whether all location sessions of a connection allow the host to sleep.
    public func allowsHostSleep(_ id: ClientID) -> Bool {
        guard let client = clients.index(of: id) else { return false }
        return clients.local[client].session.locations.allSatisfy { $0.options.allowsHostSleep }
    }

    /// Which locations each location session is allowed; a connection that receives whole epochs is listed too, under
    /// the session number `LocationSession.epochs`.
    public var sessionGrants: [SessionGrant] {
        clients.local.flatMap { client in
            var grants = client.session.locations.map {
                SessionGrant(connection: client.id, session: $0.number, grant: $0.grant)
            }
            if client.session.epochs != nil, client.session.index(ofSession: LocationSession.epochs) == nil,
                client.session.grant == .full
            {
                grants.append(SessionGrant(connection: client.id, session: LocationSession.epochs, grant: .full))
            }
            return grants
        }
    }

    /// The number of fixes that are held back for a client.
    public func deferredCount(of client: String) -> Int { deferred.count(of: client) }
}
