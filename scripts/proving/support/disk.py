"""A disk whose every write and flush is logged, so that it can be made again as a cut of its power left it."""
import ctypes, os, struct, subprocess, time

from .bench import Failure, Unavailable

SIZE, SECTOR = 32 * 2**20, 512
# The log's format is that of the Linux kernel's dm-log-writes (Documentation/admin-guide/device-mapper/log-writes.rst),
# which QEMU's blklogwrites driver writes: a sector of 28 bytes that count, then an entry in a sector and its data.
MAGIC = 0x6A736677736872
FLUSH, FUA, DISCARD = 1, 2, 4
CLONE_NEWNS = 0x20000


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Unavailable(f"{' '.join(command)}: {done.stderr.strip() or 'failed'}")
    return done.stdout.strip()


def alone():
    """Gives this process mounts of its own, which end with it, however it ends."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
        raise Unavailable(f"mounts of its own: {os.strerror(ctypes.get_errno())}")
    run("mount", "--make-rprivate", "/")


class Mount:
    """An ext4 disk image, mounted by a loop device; without direct I/O, which breaks what QEMU exports."""

    def __init__(self, image, folder):
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        run("mount", "-o", "loop,noatime", image, folder)

    def close(self):
        """What still uses it was killed and may take a moment to go."""
        for _ in range(100):
            if subprocess.run(["umount", self.folder], capture_output=True).returncode == 0:
                return
            time.sleep(0.05)
        raise Failure(f"{self.folder} is still in use 5 s after its users were killed")


class LoggedDisk:
    """The disk while it is written."""

    def __init__(self, bench):
        bench.need_root()
        alone()
        if not os.path.exists("/dev/fuse"):
            raise Unavailable("/dev/fuse is not there; modprobe fuse")
        self.disk, self.journal, export = bench.path("disk"), bench.path("writes"), bench.path("export")
        with open(self.disk, "wb") as file:
            file.truncate(SIZE)
        # As on a card: blocks of 4 KiB and a journal.
        run(bench.tool("mkfs.ext4"), "-q", "-b", "4096", "-J", "size=4", self.disk)
        with open(self.disk, "rb") as file:
            self.first = file.read()
        for path, size in ((self.journal, 2**30), (export, 0)):
            with open(path, "wb") as file:
                file.truncate(size)
        self.server = bench.start([
            bench.tool("qemu-storage-daemon"),
            "--blockdev", f"driver=file,node-name=disk,filename={self.disk}",
            "--blockdev", f"driver=file,node-name=writes,filename={self.journal}",
            "--blockdev", "driver=blklogwrites,node-name=logged,file=disk,log=writes,log-super-update-interval=1",
            "--export", f"type=fuse,id=export,node-name=logged,mountpoint={export},writable=on"])
        for _ in range(200):
            if os.path.getsize(export) == SIZE:
                break
            if self.server.poll() is not None:
                raise Unavailable("qemu-storage-daemon cannot offer a disk by FUSE; see its words above")
            time.sleep(0.02)
        else:
            raise Failure("qemu-storage-daemon offered no disk within 4 s")
        self.mount = Mount(export, bench.path("card"))

    @property
    def folder(self):
        return self.mount.folder

    @property
    def position(self):
        """How many writes and flushes there were so far."""
        with open(self.journal, "rb") as file:
            magic, _, count, _ = struct.unpack("<QQQI", file.read(28))
        return count if magic == MAGIC else 0

    def close(self):
        """Detaches it, and returns what was logged: for each entry its flags, its place and its bytes."""
        self.mount.close()
        self.server.terminate()
        self.server.wait(10)
        entries = []
        with open(self.journal, "rb") as file:
            _, _, count, size = struct.unpack("<QQQI", file.read(28))
            place = size
            for _ in range(count):
                file.seek(place)
                sector, sectors, flags, _ = struct.unpack("<QQQQ", file.read(32))
                file.seek(place + size)
                length = 0 if flags & DISCARD else sectors * size
                entries.append((flags, sector * size, file.read(length)))
                place += size + length
        return entries


def cut(first, entries, position, random, forgets=0):
    """The disk's bytes where its power was cut after so many entries.

    What was written before the last flush is there. Of what came after it, any write may be there, in any order, and a
    write may be there by some of its sectors only. A card that lies forgets so many entries more, flushed or not.
    """
    last = max((index for index in range(position - forgets) if entries[index][0] & FLUSH), default=0)
    disk, loose = bytearray(first), []
    for flags, place, data in entries[:last]:
        disk[place:place + len(data)] = data
    for flags, place, data in entries[last:position]:
        if flags & FUA and not forgets:
            disk[place:place + len(data)] = data
        elif data and random.random() < 0.5:
            loose.append((place, data))
    random.shuffle(loose)
    for place, data in loose:
        if random.random() < 0.2:
            for start in range(0, len(data), SECTOR):
                if random.random() < 0.5:
                    disk[place + start:place + start + SECTOR] = data[start:start + SECTOR]
        else:
            disk[place:place + len(data)] = data
    return disk
