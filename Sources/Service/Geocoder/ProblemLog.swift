/// Logs the service's problems, each once until another problem or a useful answer comes.
///
/// A class, because the service and what it keeps share it.
final class ProblemLog {
    let log: (String) -> Void
    private var last = ""

    init(_ log: @escaping (String) -> Void) { self.log = log }

    func tell(_ problem: String) {
        if problem != last { log(problem) }
        last = problem
    }

    /// A useful answer has come: the next problem is logged even if it is the same as the last.
    func end() { last = "" }
}
