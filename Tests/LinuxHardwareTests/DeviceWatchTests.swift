import Glibc
import LinuxHardware
import SextantReactor
import TestSupport
import Testing

@Suite("DeviceWatch")
struct DeviceWatchTests {
    let folder = TemporaryFolder()
    let reactor: Reactor

    init() throws { reactor = try Reactor() }

    /// The first change that the reactor is told of at this moment; nil where it is told of none.
    ///
    /// The kernel tells of a change before the call that makes it returns.
    private func change(of watch: DeviceWatch) throws -> DeviceWatch.Change? {
        var change: DeviceWatch.Change?
        let registration = try watch.descriptor.register(with: reactor) { _ in change = watch.takeChange() }
        var turns = 0
        while change == nil, turns < 5, try reactor.serve(waitingMilliseconds: 0) { turns += 1 }
        #expect(turns < 5, "it is woken again and again for nothing")
        reactor.remove(registration)
        return change
    }

    @Test func `reports when a path appears and disappears`() throws {
        let watch = try DeviceWatch(path: "\(folder.path)/ttyUSB0")
        #expect(!watch.isPresent)
        let path = try folder.file("ttyUSB0")
        #expect(try change(of: watch) == .appeared)
        #expect(watch.isPresent)
        _ = unsafe unlink(path)
        #expect(try change(of: watch) == .disappeared)
        #expect(!watch.isPresent)
    }

    @Test func `another file in the same folder is not reported`() throws {
        let watch = try DeviceWatch(path: "\(folder.path)/ttyUSB0")
        _ = try folder.file("ttyUSB1")
        #expect(try change(of: watch) == nil)
    }

    @Test func `an unplug and replug between two checks is reported as a replacement`() throws {
        let path = try folder.file("ttyUSB0")
        let watch = try DeviceWatch(path: path)
        let other = try folder.file("new")
        _ = unsafe rename(other, path)
        #expect(try change(of: watch) == .replaced)
    }

    @Test func `reports when udev has set the permissions`() throws {
        let path = try folder.file("ttyUSB0")
        let watch = try DeviceWatch(path: path)
        _ = unsafe chmod(path, 0o640)
        #expect(try change(of: watch) == .permissionsChanged)
    }

    @Test func `waits for a directory that does not exist yet`() throws {
        let directory = "\(folder.path)/by-id"
        let watch = try DeviceWatch(path: "\(directory)/gnss")
        _ = unsafe mkdir(directory, 0o700)
        #expect(try change(of: watch) == nil)
        _ = try folder.file("by-id/gnss")
        #expect(try change(of: watch) == .appeared)
        _ = unsafe unlink("\(directory)/gnss")
        _ = unsafe rmdir(directory)
        #expect(try change(of: watch) == .disappeared)
        _ = unsafe mkdir(directory, 0o700)
        _ = try folder.file("by-id/gnss")
        #expect(try change(of: watch) == .appeared)
        _ = unsafe unlink("\(directory)/gnss")
    }

    @Test func `a link whose target is gone counts as absent`() throws {
        let link = "\(folder.path)/gnss0"
        _ = unsafe symlink("ttyUSB0", link)
        let watch = try DeviceWatch(path: link)
        #expect(!watch.isPresent)
        _ = try folder.file("ttyUSB0")
        #expect(try change(of: watch) == .appeared)
    }

    @Test func `sleeps while nothing changes`() throws {
        let watch = try DeviceWatch(path: "\(folder.path)/ttyUSB0")
        #expect(try change(of: watch) == nil)
        #expect(reactor.wakeUps == 0)
    }
}
