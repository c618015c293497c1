internal import Foundation
internal import Glibc
internal import Synchronization

/// Finds methods of a delegate's class that are never called, because the superclass that conforms to the protocol
/// lacks them.
///
/// Only the symbols in the program's file list such methods, so none is found in a program without symbols.
enum UncalledMethods {
    private static let known = Mutex<Set<ObjectIdentifier>>([])

    /// Prints once for each delegate class those of its methods that are never called.
    ///
    /// The program's file is read in the background, since that takes a while on a slow SD card.
    static func warn(of delegate: any CLLocationManagerDelegate) {
        let type: AnyClass = type(of: delegate as AnyObject)
        guard known.withLock({ $0.insert(ObjectIdentifier(type)).inserted }) else { return }
        guard !ancestry(of: type).subclasses.isEmpty else { return }
        DispatchQueue.global(qos: .background).async { complain(of: type) }
    }

    private static func complain(of type: AnyClass) {
        for (owner, name, conforming) in found(in: type) {
            Complaint.print(
                "\(owner).\(name) is never called, because \(conforming), which names CLLocationManagerDelegate, has no "
                    + "such method; add one to \(conforming), and override it in \(owner)")
        }
    }

    /// The methods that are never called, each with the class that has it and the superclass that conforms to the
    /// protocol.
    static func found(in type: AnyClass) -> [(owner: String, name: String, conforming: String)] {
        let (subclasses, conforming): ([AnyClass], AnyClass) = ancestry(of: type)
        guard !subclasses.isEmpty, let symbols = Symbols() else { return [] }
        let called = symbols.callbacks(of: conforming)
        return subclasses.flatMap { owner in
            symbols.callbacks(of: owner).subtracting(called).sorted().map { ("\(owner)", $0, "\(conforming)") }
        }
    }

    /// The class that declares the conformance to the delegate protocol, and its subclasses down to the delegate's
    /// class.
    private static func ancestry(of type: AnyClass) -> (subclasses: [AnyClass], conforming: AnyClass) {
        var subclasses: [AnyClass] = []
        var conforming: AnyClass = type
        while let parent = _getSuperclass(conforming), parent is any CLLocationManagerDelegate.Type {
            subclasses.append(conforming)
            conforming = parent
        }
        return (subclasses, conforming)
    }
}

/// The symbols in the program's own file, without those of the libraries that the program loads.
private struct Symbols {
    private let bytes: Data

    /// Maps the program's file into memory; nil if it cannot be read.
    init?() {
        let program = URL(fileURLWithPath: "/proc/self/exe")
        guard let bytes = try? Data(contentsOf: program, options: .alwaysMapped) else { return nil }
        self.bytes = bytes
    }

    /// The names of those methods of a class whose first parameter is a location manager, such as
    /// `locationManager(_:didVisit:)`.
    func callbacks(of type: AnyClass) -> Set<String> {
        guard let mangled = _mangledTypeName(type) else { return [] }
        // The mangled name of a private class contains an address at run time; the symbols have a hash of the source
        // file in that place.
        let isPrivate = mangled.contains("$")
        let prefix = mangled.replacing(/[0-9]+\$[0-9a-f]+yXZ/, with: "").dropLast(isPrivate ? 1 : 0)
        return Set(names(beginningWith: "$s\(prefix)").compactMap { callback(in: $0) })
    }

    /// The symbols that begin with a prefix, demangled.
    private func names(beginningWith prefix: String) -> [String] {
        var names: [String] = []
        let prefix = Array(prefix.utf8)
        unsafe bytes.withUnsafeBytes { file in
            var place = 0
            // Safety: every pointer is into the mapped file, and no call reads beyond the file's end.
            while let start = unsafe file.baseAddress.map({ unsafe $0 + place }),
                let hit = unsafe memchr(start, Int32(prefix[0]), file.count - place)
            {
                let offset = unsafe place + (UnsafeRawPointer(hit) - start)
                place = offset + 1
                guard file.count - offset >= prefix.count, unsafe memcmp(hit, prefix, prefix.count) == 0 else {
                    continue
                }
                let symbol = unsafe file[offset...].prefix { $0 > 0x20 && $0 < 0x7F }
                if let name = demangled(unsafe String(decoding: symbol, as: UTF8.self)) { names.append(name) }
            }
        }
        return names
    }

    /// The name with labels, such as `locationManager(_:didVisit:)`, of the delegate's method that a symbol stands for;
    /// nil if it stands for none.
    private func callback(in symbol: String) -> String? {
        let pattern = /\.(locationManager\w*)\((?=(?:_: )?CoreLocation\.CLLocationManager[,)])/
        // A protocol witness is skipped: it does not prove that the class has the method, because it may call the
        // protocol's default.
        guard !symbol.hasPrefix("protocol witness"), let call = symbol.firstMatch(of: pattern) else { return nil }
        return "\(call.1)(\(labels(of: symbol[call.range.upperBound...]).map { "\($0):" }.joined()))"
    }

    /// The argument labels in a demangled parameter list such as `_: A, didVisit: B) -> ()`; a list of one parameter
    /// has no label in a symbol.
    private func labels(of parameters: Substring) -> [String] {
        guard parameters.hasPrefix("_:") else { return ["_"] }
        var (depth, labels, label) = (0, [String](), "")
        for character in parameters {
            switch character {
            case "(", "<", "[": depth += 1
            case ")", ">", "]": depth -= 1
            case ":" where depth == 0: labels.append(label)
            case ",", " ": label = ""
            default: label.append(character)
            }
            if depth < 0 { break }
        }
        return labels
    }
}

/// The demangled name of a symbol; nil if it is not a Swift symbol.
private func demangled(_ symbol: String) -> String? {
    guard let name = unsafe swiftDemangle(symbol, symbol.utf8.count, nil, nil, 0) else { return nil }
    defer { unsafe free(name) }
    return unsafe String(cString: name)
}

/// The Swift runtime's demangler: the readable name of a mangled symbol; nil if the text is no such symbol.
///
/// The caller frees the returned text.
@_silgen_name("swift_demangle")
private func swiftDemangle(
    _ symbol: UnsafePointer<CChar>, _ count: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
