internal import ArgumentParser
internal import Emulation

/// Where an emulated receiver is, for example in a city, which decides the errors of its fixes; as a word on the
/// command line.
enum SurroundingsOption: String, ExpressibleByArgument, CaseIterable {
    case white
    case open
    case suburban
    case urban
    case mixed

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    var surroundings: Surroundings {
        switch self {
        case .white: .white
        case .open: .open
        case .suburban: .suburban
        case .urban: .urban
        case .mixed: .mixed
        }
    }
}
