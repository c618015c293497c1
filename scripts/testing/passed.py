"""Gates whose answer depends on some files and the compiler alone, and with which of them they passed before.

passed.txt has a line for each such gate: its name, and a digest of those files. A gate whose digest stands there passes
without running. `scripts/test --write GATE...` runs gates, whatever stands there, and writes the digests of those that pass.
"""
import glob, hashlib, os, re, subprocess

FILE = "scripts/testing/passed.txt"


def known(root):
    """Digests by the names of gates."""
    path = os.path.join(root, FILE)
    if not os.path.exists(path):
        return {}
    with open(path, encoding="ascii") as file:
        return dict(line.split() for line in file)


def digest(root, places):
    """A digest of the compiler's version and of all files in places but texts for people."""
    said = subprocess.run(["swiftc", "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    result = hashlib.sha256(said)
    paths = {path for place in places for path in glob.glob(f"{place}/**", root_dir=root, recursive=True) or [place]}
    for path in sorted(paths):
        if os.path.isfile(os.path.join(root, path)) and not path.endswith((".md", ".pyc")):
            with open(os.path.join(root, path), "rb") as file:
                content = file.read()
            if path == "Package.swift":
                # Its rooms change often; of its settings, those that scripts/firmware gives the compiler.
                content = b"\n".join(re.findall(rb"\.enable\w+Feature\(.*?\)", content))
            result.update(f"{path}\n".encode() + hashlib.sha256(content).digest())
    return result.hexdigest()


def write(root, gates):
    """Writes the digests of gates that passed, beside those of others."""
    lines = known(root) | {gate.name: digest(root, gate.covers) for gate in gates}
    with open(os.path.join(root, FILE), "w", encoding="ascii") as file:
        file.writelines(f"{name} {lines[name]}\n" for name in sorted(lines))
