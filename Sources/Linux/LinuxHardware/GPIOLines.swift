import CGPIOD
public import Hardware
public import SextantReactor

/// An output line of a GPIO chip, held until this value is gone.
///
/// When the value is gone or the process is killed, the kernel releases the line: what the wire does then depends on
/// the board (see this folder's README).
public struct GPIOOutputLine: ~Copyable, OutputLine {
    private let request: GPIORequest
    public private(set) var isActive: Bool

    /// Requests a line by its name (`GPIO17`) or by chip label and offset (`cp2112_gpio:2`), and sets its first level.
    public init(name: String, activeLow: Bool = false, active: Bool) throws(LineError) {
        request = try GPIORequest(outputNamed: name, activeLow: activeLow, active: active)
        isActive = active
    }

    public var name: String { request.name }

    public mutating func set(active: Bool) throws(LineError) {
        try request.set(active)
        isActive = active
    }
}

/// An input line of a GPIO chip, whose edges the kernel timestamps; held until this value is gone.
public struct GPIOInputLine: ~Copyable, InputLine {
    /// The descriptor for registering with a reactor; it becomes readable when there is an edge.
    ///
    /// Remove the descriptor from the reactor before this value is gone.
    public let descriptor: Descriptor
    private let request: GPIORequest
    private var buffer: [cgpiod_edge]

    /// Requests a line by its name (`GPIO17`) or by its chip's label and offset (`cp2112_gpio:2`).
    public init(name: String, activeLow: Bool = false, bias: LineBias = .asIs) throws(LineError) {
        let request = try GPIORequest(inputNamed: name, activeLow: activeLow, bias: bias)
        descriptor = try request.edgeDescriptor()
        self.request = request
        // This field is set last: Swift 6.2 destroys already initialised fields twice if an error is thrown afterwards.
        buffer = [cgpiod_edge](repeating: cgpiod_edge(), count: cgpiod_edge_batch)
    }

    public var name: String { request.name }

    public func readIsActive() throws(LineError) -> Bool { try request.get() }

    public mutating func takeEdges(into edges: inout [LineEdge]) throws(LineError) {
        while true {
            let count = try request.readEdges(into: &buffer)
            guard count > 0 else { return }
            let stamp = EdgeStamp.now()
            for edge in buffer[..<count] {
                edges.append(LineEdge(isRising: edge.is_rising, instant: stamp.instant(of: edge.nanoseconds)))
            }
            guard count == buffer.count else { return }
        }
    }
}
