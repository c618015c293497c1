extension ClientSelector: CustomStringConvertible {
    /// The selector as text for an operator.
    public var description: String {
        var parts: [String] = []
        if let unit { parts.append("unit \(unit)") }
        if let command { parts.append("command \(command)") }
        if let executable { parts.append(executable) }
        if let user { parts.append("user \(user)") }
        if let group { parts.append("group \(group)") }
        return parts.isEmpty ? "everyone" : parts.joined(separator: ", ")
    }
}
