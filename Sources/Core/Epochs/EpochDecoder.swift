public import GNSS
public import NMEA0183
public import SextantUnits
internal import UBX

/// Turns a receiver's bytes into complete epochs, with a `ReceiverStream` and an `EpochAssembler`.
///
/// Call `append`, then `advance` until it returns false, and repeat until all bytes are taken; read `closedEpochs`
/// after each `advance` that returns true.
public struct EpochDecoder: Sendable {
    public private(set) var stream = ReceiverStream()
    @usableFromInline private(set) var assembler: EpochAssembler

    /// - Parameters:
    ///   - reference: What is known of the date, to correct dates whose week or century wrapped.
    ///   - source: Whether the bytes come from a serial line or from a recording.
    public init(reference: DateReference, source: EpochSource) {
        assembler = EpochAssembler(reference: reference, source: source)
    }

    /// The indices of the epochs that the last call closed, valid until the next call.
    public var closedEpochs: Range<Int> { assembler.closedEpochs }

    /// One of the epochs in `closedEpochs`.
    @inlinable @inline(__always)
    public func closed(_ index: Int) -> Epoch { assembler.closed(index) }

    /// Whether an epoch has begun that is not closed yet.
    public var hasOpenEpoch: Bool { assembler.isOpen }

    /// The number of epochs for which messages came after a silence had closed them; see `EpochAssembler`.
    public var falseSilences: Int { assembler.falseSilences }

    /// Replaces what is known of the date, by which later dates are corrected.
    public mutating func setReference(_ reference: DateReference) { assembler.setReference(reference) }

    /// Takes as many bytes as there is room for, and returns how many it took.
    public mutating func append(_ bytes: borrowing Span<UInt8>) -> Int { stream.append(bytes) }

    /// Decodes messages until one closes an epoch, or more bytes are needed.
    ///
    /// A message with impossible fields is passed over; the stream's counters include it.
    ///
    /// - Parameter observe: A closure that gets every checked message; the fields are valid only for a sentence.
    /// - Returns: Whether an epoch was closed.
    @inline(__always)
    public mutating func advance(
        at instant: MonotonicInstant,
        observe: (ReceiverStream.Message, borrowing NMEAFields, borrowing Span<UInt8>) -> Void
    ) -> Bool {
        EpochDecoder.advance(&stream, &assembler, at: instant, observe: observe)
    }

    /// Advances a stream and an assembler that are passed separately.
    ///
    /// They are separate so that the compiler lets the assembler change while the stream's bytes are borrowed.
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

    /// Gives up an incomplete message; see `ReceiverStream.abandonPartialMessage`.
    ///
    /// - Returns: Whether there was an incomplete message; `advance` then searches the bytes after the message's first
    ///   one for other messages.
    public mutating func abandonPartialMessage() -> Bool {
        guard stream.hasPartialMessage else { return false }
        stream.abandonPartialMessage()
        return true
    }

    /// Notes that the serial line was silent; see `EpochAssembler.silence`.
    public mutating func silence() { assembler.silence() }

    /// Closes the last epoch of a recording.
    public mutating func finish() { assembler.finish() }
}
