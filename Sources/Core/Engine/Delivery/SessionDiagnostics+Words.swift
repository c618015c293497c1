internal import Sessions

extension SessionDiagnostics {
    /// The diagnostics' names in messages to clients.
    var words: [StaticString] { SessionDiagnostics.names.filter { contains($0.flag) }.map { $0.name } }
}
