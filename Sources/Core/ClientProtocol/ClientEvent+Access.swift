public import ClientVocabulary
public import SextantJSON

/// A client's authorization, as it is written into the daemon's JSON lines.
public struct AccessObject: Sendable, Equatable {
    public var status: AuthorizationStatus
    public var accuracy: AccuracyAuthorization
    public var servicesEnabled: Bool
    /// Whether the operator allows the daemon to start the client for events; only then can the client register
    /// regions.
    public var mayBeWoken: Bool

    public init(
        status: AuthorizationStatus, accuracy: AccuracyAuthorization, servicesEnabled: Bool, mayBeWoken: Bool = true
    ) {
        self.status = status
        self.accuracy = accuracy
        self.servicesEnabled = servicesEnabled
        self.mayBeWoken = mayBeWoken
    }

    func append(to text: inout TextBuffer) {
        text.member(.status, status.rawValue)
        text.member(.accuracyAuthorization, accuracy.rawValue)
        text.member(.servicesEnabled, servicesEnabled)
        text.member(.mayBeWoken, mayBeWoken)
    }
}

/// The contents of the `hello` line, the first line on a connection, which tells a client about itself and the board.
public struct HelloObject: Sendable {
    /// The client's name; nil if the client has no manifest.
    public var client: String?
    public var access: AccessObject
    public var maximumRegions = 0
    public var hasBackgroundMode = false
    /// Whether the client's manifest has a purpose text for when-in-use authorization and, as `hasAlwaysPurpose`, for
    /// always authorization; the user sees the text when asked to authorize the client.
    public var hasWhenInUsePurpose = false
    public var hasAlwaysPurpose = false
    public var temporaryPurposes: [String] = []
    public var requiresServiceSession = false
    /// Whether the daemon started the client for an event.
    public var isLaunchedForLocation = false
    public var capabilities: [StaticString] = []

    public init(client: String?, access: AccessObject) {
        self.client = client
        self.access = access
    }
}

extension ClientEvent {
    /// Appends the `hello` line, which is the first on a connection.
    ///
    /// - Parameter location: Writes the newest location that the client is allowed to see; nil if there is none.
    public static func append(
        _ hello: HelloObject, location: ((inout TextBuffer) -> Void)?, to text: inout TextBuffer
    ) {
        text.begin(.hello)
        text.member(.protocol, ProtocolVersion.current)
        text.member(.software, "sextantd")
        text.member(.version, ProtocolVersion.software)
        text.member(.client, hello.client)
        hello.access.append(to: &text)
        if hello.client != nil { appendManifest(hello, to: &text) }
        if hello.isLaunchedForLocation { text.member(.launchReason, literal: "location") }
        appendList(.capabilities, hello.capabilities, to: &text)
        if let location {
            text.beginObject(.location)
            location(&text)
            text.endElement()
        }
        end(&text)
    }

    /// Appends the event that the board's capabilities have changed, for example because a radio was switched on.
    public static func appendCapabilities(_ capabilities: [StaticString], to text: inout TextBuffer) {
        text.begin(.capabilities)
        appendList(.capabilities, capabilities, to: &text)
        end(&text)
    }

    private static func appendManifest(_ hello: HelloObject, to text: inout TextBuffer) {
        text.member(.maximumRegions, hello.maximumRegions)
        text.member(.backgroundMode, hello.hasBackgroundMode)
        text.beginObject(.purposes)
        text.member(.whenInUse, hello.hasWhenInUsePurpose)
        text.member(.always, hello.hasAlwaysPurpose)
        appendList(.temporary, hello.temporaryPurposes, to: &text)
        text.endElement()
        text.member(.requiresServiceSession, hello.requiresServiceSession)
    }

    /// Appends the event that the client's authorization has changed.
    public static func appendAuthorization(_ access: AccessObject, to text: inout TextBuffer) {
        text.begin(.authorization)
        access.append(to: &text)
        end(&text)
    }

    /// Appends the event that no location or no heading can be reported, with Core Location's error code.
    ///
    /// The code is 0 if there is no position at present, 1 if the client is denied, and 3 if there is no heading.
    ///
    /// - Parameter reason: The reason why no position comes; nil if the reason is not known.
    public static func appendFailed(
        _ errorCode: FailureCode, reason: FailureReason? = nil, session: UInt8, id: String?, to text: inout TextBuffer
    ) {
        text.begin(.failed)
        text.member(.id, id)
        appendSession(session, to: &text)
        text.member(.errorCode, errorCode.rawValue)
        text.member(.reason, reason?.rawValue)
        end(&text)
    }

    /// Appends the answer to an `authorizeFullAccuracy` request; `errorCode` is nil if there was no error.
    public static func appendFullAccuracy(_ errorCode: FailureCode?, id: String?, to text: inout TextBuffer) {
        text.begin(.fullAccuracy)
        text.member(.id, id)
        text.member(.errorCode, errorCode?.rawValue)
        end(&text)
    }

    /// Appends the state of a service session or background activity session: the names of the diagnostic flags that
    /// are set.
    public static func appendSessionDiagnostics(
        number: UInt32, isActive: Bool, _ flags: [StaticString], to text: inout TextBuffer
    ) {
        text.begin(.sessionDiagnostics)
        text.member(.number, number)
        text.member(.active, isActive)
        appendFlags(flags, to: &text)
        end(&text)
    }

    /// Appends the event that tells a loop over live updates why it gets no locations: the names of the diagnostic
    /// flags that are set.
    public static func appendLiveDiagnostics(_ flags: [StaticString], session: UInt8, to text: inout TextBuffer) {
        text.begin(.liveDiagnostics)
        appendSession(session, to: &text)
        appendFlags(flags, to: &text)
        end(&text)
    }

    public static func appendPong(id: String?, to text: inout TextBuffer) {
        text.begin(.pong)
        text.member(.id, id)
        end(&text)
    }

    private static func appendFlags(_ flags: [StaticString], to text: inout TextBuffer) {
        for flag in flags {
            text.append(0x22)
            text.append(flag)
            text.append("\":true," as StaticString)
        }
    }

    private static func appendList(_ key: MemberKey, _ names: [StaticString], to text: inout TextBuffer) {
        text.beginArray(key)
        for name in names {
            text.append(0x22)
            text.append(name)
            text.append("\"," as StaticString)
        }
        text.endArray()
    }

    static func appendList(_ key: MemberKey, _ names: [String], to text: inout TextBuffer) {
        text.beginArray(key)
        for name in names {
            text.string(name)
            text.append(0x2C)
        }
        text.endArray()
    }
}
