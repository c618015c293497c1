internal import HostSleep
internal import Programs

extension HostFolders {
    /// The content of one of the daemon's files; nil if there is no such file.
    func readDaemons(_ path: String) throws(GuardedFileError) -> [UInt8]? {
        try GuardedFile.read(path, ownerOf: daemon)
    }

    /// The content of one of the helper's files; nil if there is no such file.
    func readHelpers(_ path: String) throws(GuardedFileError) -> [UInt8]? {
        try GuardedFile.read(path, ownerOf: helper)
    }
}
