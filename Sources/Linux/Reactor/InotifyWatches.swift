import CSextantLinux
import Glibc

/// The folders that an inotify descriptor watches.
///
/// If a folder is missing, the nearest existing one above it is watched instead, so that its creation is reported.
package struct InotifyWatches {
    /// The changes in a folder that are reported.
    package enum Scope {
        /// Changes of the folder's entries and their attributes.
        case entries
        /// Changes of the folder's entries and their attributes, and every closing of a file in it after writing.
        case content
    }

    private let scope: Scope
    private var watches: [String: Int32] = [:]

    package init(of scope: Scope) { self.scope = scope }

    package var isEmpty: Bool { watches.isEmpty }

    /// Opens an inotify descriptor.
    package static func open() throws(SystemError) -> Descriptor {
        Descriptor(adopting: try SystemError.check(clinux_watch_open(), "inotify_init1"))
    }

    /// Watches these folders and no others.
    ///
    /// Call it before examining the folders, so that a change in between is reported and not missed.
    package mutating func update(_ folders: [String], on descriptor: borrowing Descriptor) {
        var wanted: Set<String> = []
        for folder in folders {
            if let watched = watch(onOrAbove: folder, on: descriptor) { wanted.insert(watched) }
        }
        for (folder, watch) in watches where !wanted.contains(folder) {
            // Two names of one folder share a watch, which must stay while either name is wanted.
            if !wanted.contains(where: { watches[$0] == watch }) {
                _ = descriptor.withRawValue { clinux_watch_remove($0, watch) }
            }
            watches[folder] = nil
        }
    }

    /// Watches a folder or the nearest existing one above, and returns the watched path.
    private mutating func watch(onOrAbove path: String, on descriptor: borrowing Descriptor) -> String? {
        var chain = [path]
        while let last = chain.last, last != "/", last != "." { chain.append(InotifyWatches.parent(of: last)) }
        // If a folder is created while the watch on its parent is being set, possibly no event reports it; so the
        // search is repeated. The attempts are limited, since an unreadable folder exists and cannot be watched.
        for _ in 0..<4 {
            guard let index = firstWatched(of: chain, on: descriptor) else { return nil }
            guard index > 0, unsafe access(chain[index - 1], F_OK) == 0 else { return chain[index] }
        }
        return chain.first { watches[$0] != nil }
    }

    private mutating func firstWatched(of chain: [String], on descriptor: borrowing Descriptor) -> Int? {
        for (index, folder) in chain.enumerated() {
            let watch = descriptor.withRawValue { number in
                // Safety: the C string lives for the call.
                switch scope {
                case .entries: unsafe clinux_watch_add(number, folder)
                case .content: unsafe clinux_watch_add_content(number, folder)
                }
            }
            guard watch >= 0 else { continue }
            watches[folder] = watch
            return index
        }
        return nil
    }

    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
