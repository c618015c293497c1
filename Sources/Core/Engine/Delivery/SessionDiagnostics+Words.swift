internal import Sessions

extension SessionDiagnostics {
    /// The words of the wire.
    var words: [StaticString] { SessionDiagnostics.names.filter { contains($0.flag) }.map { $0.name } }
}
