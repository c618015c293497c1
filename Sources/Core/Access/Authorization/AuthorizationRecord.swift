public import ClientVocabulary

/// The decisions about a client; they are stored, so they survive a restart of the daemon and a power cut.
///
/// The stored record has four bytes: version (1), status, accuracy (0 full, 1 reduced, 2 not set), flags (1:
/// provisional, 2: for one use, 4: the when-in-use question was answered, 8: the Always question was answered, 16: may
/// be started for events).
public struct AuthorizationRecord: Sendable, Equatable {
    /// The status that was decided; never `restricted`, which only the policy can give.
    public var status = AuthorizationStatus.notDetermined
    /// The accuracy that an operator set for the client; nil if none was set.
    public var accuracy: AccuracyAuthorization?
    /// Whether Always was granted provisionally, before the user was asked; the user is asked at the first event that
    /// needs Always.
    public var isProvisional = false
    /// Whether the authorization is for one use only: it ends when the client is no longer in use.
    public var isOnce = false
    /// Whether the user has ever answered the question for when-in-use authorization.
    public var isWhenInUseAnswered = false
    /// Whether the user has ever answered the question for Always authorization, which is asked only once.
    public var isAlwaysAnswered = false
    /// Whether the operator allows the daemon to start the client for events.
    public var mayBeWoken = true

    public static let byteCount = 4
    private static let version: UInt8 = 1
    private static let unset: UInt8 = 2

    public init() {}

    /// The record used in place of one that cannot be read: the client is denied, and is not started for events.
    static let unreadable: AuthorizationRecord = {
        var record = AuthorizationRecord()
        record.decide(.denied)
        record.accuracy = .reduced
        record.mayBeWoken = false
        return record
    }()

    /// A copy of the record with only its denials; nil if it denies nothing.
    var denial: AuthorizationRecord? {
        var denial = AuthorizationRecord()
        if status == .denied { denial.decide(.denied) }
        if accuracy == .reduced { denial.accuracy = .reduced }
        denial.mayBeWoken = mayBeWoken
        return denial == AuthorizationRecord() ? nil : denial
    }

    /// Sets the status, and whether it is provisional or for one use only.
    mutating func decide(_ status: AuthorizationStatus, isProvisional: Bool = false, isOnce: Bool = false) {
        self.status = status
        self.isProvisional = isProvisional
        self.isOnce = isOnce
    }
}

/// The encoding and decoding of the record as it is stored.
extension AuthorizationRecord {
    private var bits: UInt8 {
        get {
            (isProvisional ? 1 : 0) | (isOnce ? 2 : 0) | (isWhenInUseAnswered ? 4 : 0) | (isAlwaysAnswered ? 8 : 0)
                | (mayBeWoken ? 16 : 0)
        }
        set {
            isProvisional = newValue & 1 != 0
            isOnce = newValue & 2 != 0
            isWhenInUseAnswered = newValue & 4 != 0
            isAlwaysAnswered = newValue & 8 != 0
            mayBeWoken = newValue & 16 != 0
        }
    }

    /// Writes the stored form of the record, byte after byte.
    public func encode(to append: (UInt8) -> Void) {
        append(AuthorizationRecord.version)
        append(status.number)
        append(accuracy?.number ?? AuthorizationRecord.unset)
        append(bits)
    }

    /// Reads a stored record; nil if it has another version or impossible values.
    public static func decode(_ bytes: borrowing Span<UInt8>) -> AuthorizationRecord? {
        guard bytes.count == byteCount, bytes[0] == version, let status = AuthorizationStatus(number: bytes[1]),
            bytes[2] <= unset, bytes[3] < 32
        else { return nil }
        var record = AuthorizationRecord()
        record.status = status
        record.accuracy = AccuracyAuthorization(number: bytes[2])
        record.bits = bytes[3]
        return record.isPossible ? record : nil
    }

    private var isPossible: Bool {
        status != .restricted
            && (!isProvisional || status == .authorizedAlways)
            && (!isOnce || status == .authorizedWhenInUse)
    }
}
