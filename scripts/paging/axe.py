"""axe-core, which looks for what keeps people from using a page: from a Python package of a pinned hash."""
import glob, hashlib, os, shutil, subprocess, zipfile

FETCH = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fetch")

PACKAGE = "axe-playwright-python==0.1.8"
HASH = "fdd263c998388f1a8e67cad02677e612d946248bd44d163be5e8650ea31f95f8"
# What is broken, one line a rule: its name, and where.
RUN = """
    const done = arguments[0];
    axe.run(document, { resultTypes: ['violations'] }).then(
        (found) => done(found.violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.target.join(' ')).join(', ')}`)),
        (error) => done([String(error)]));"""


def source(cache):
    """The script, which pip fetches once into the cache; None where it cannot be had."""
    os.makedirs(cache, exist_ok=True)
    wanted = f"{cache}/axe_playwright_python-*.whl"
    if not glob.glob(wanted):
        pip = [shutil.which("pip3")] if shutil.which("pip3") else ["python3", "-m", "pip"]
        subprocess.run([FETCH, "axe-core", *pip, "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", cache,
                        PACKAGE])
    for path in glob.glob(wanted):
        with open(path, "rb") as file:
            if hashlib.sha256(file.read()).hexdigest() != HASH:
                raise RuntimeError(f"{path}: this is another file than the pinned one; remove it")
        with zipfile.ZipFile(path) as package:
            return package.read("axe_playwright_python/axe.min.js").decode()
    return None
