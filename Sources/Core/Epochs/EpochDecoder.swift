public import GNSS
public import NMEA0183
internal import UBX
public import Units

/// A receiver's bytes in, whole epochs out: the stream and the assembler behind it.
///
/// Use it as `append`, then `advance` until it is false, until all bytes are taken; after each `advance` that is true
/// `closedEpochs` are to be read.
public struct EpochDecoder: Sendable {
    public private(set) var stream = ReceiverStream()
    @usableFromInline internal private(set) var assembler: EpochAssembler

    /// - Parameters:
    ///   - reference: What is known of the date, to mend dates that wrapped.
    ///   - source: Whether the bytes come from a line or from a recording.
    public init(reference: DateReference, source: EpochSource) {
        assembler = EpochAssembler(reference: reference, source: source)
    }

    /// The epochs that the last call closed, valid until the next.
    public var closedEpochs: Range<Int> { assembler.closedEpochs }

    /// One of the epochs in `closedEpochs`.
    @inlinable @inline(__always)
    public func closed(_ index: Int) -> Epoch { assembler.closed(index) }

    /// Whether an epoch has begun that is not closed yet.
    public var hasOpenEpoch: Bool { assembler.isOpen }

    /// How often an epoch went on after a silence; see `EpochAssembler.falseSilences`.
    public var falseSilences: Int { assembler.falseSilences }

    /// Moves the reference for later dates.
    public mutating func setReference(_ reference: DateReference) { assembler.setReference(reference) }

    /// Takes as many bytes as there is room for, and says how many.
    public mutating func append(_ bytes: borrowing Span<UInt8>) -> Int { stream.append(bytes) }

    /// Decodes messages until one closes an epoch, or more bytes are needed.
    ///
    /// A message whose fields cannot be is passed over; it was counted.
    ///
    /// - Parameter observe: Is lent every checked message; the fields are a sentence's.
    /// - Returns: Whether an epoch was closed.
    @inline(__always)
    public mutating func advance(
        at instant: MonotonicInstant,
        observe: (ReceiverStream.Message, borrowing NMEAFields, borrowing Span<UInt8>) -> Void
    ) -> Bool {
        EpochDecoder.advance(&stream, &assembler, at: instant, observe: observe)
    }

    /// The two are told apart for the compiler, which must see that lending the one's bytes leaves the other free.
    @inline(__always)
    private static func advance(
        _ stream: inout ReceiverStream, _ assembler: inout EpochAssembler, at instant: MonotonicInstant,
        observe: (ReceiverStream.Message, borrowing NMEAFields, borrowing Span<UInt8>) -> Void
    ) -> Bool {
        while let message = stream.next() {
            let bytes = stream.window.span.extracting(stream.range)
            observe(message, stream.fields, bytes)
            switch message {
            case .sentence:
                guard (try? assembler.push(stream.fields, in: bytes, at: instant)) != nil else { continue }
            case .frame:
                let payload = bytes.extracting(UBXFraming.payloadRange(frameLength: bytes.count))
                let id = UBXFraming.identifier(of: bytes)
                guard (try? assembler.push(id, payload: payload, at: instant)) != nil else { continue }
            }
            if !assembler.closedEpochs.isEmpty { return true }
        }
        return false
    }

    /// Decodes messages until one closes an epoch, or more bytes are needed.
    public mutating func advance(at instant: MonotonicInstant) -> Bool { advance(at: instant) { _, _, _ in } }

    /// Gives up a message that was begun; see `ReceiverStream.abandonPartialMessage`.
    ///
    /// - Returns: Whether there was one, so that `advance` may find others behind its first byte.
    public mutating func abandonPartialMessage() -> Bool {
        guard stream.hasPartialMessage else { return false }
        stream.abandonPartialMessage()
        return true
    }

    /// Says that the line was silent; see `EpochAssembler.silence`.
    public mutating func silence() { assembler.silence() }

    /// Closes the last epoch of a recording.
    public mutating func finish() { assembler.finish() }
}
