"""A board's file: JSON5 that is read, and changed in place so that everything else stays as it is, comments too."""
import os, re, shlex, shutil, sys, tempfile, textwrap

from .command import DataError

FOLDERS = ("/etc/sextant/boards", "/usr/share/sextant/boards")
MEND = "mend the file first; sextantd --board checks it"


class Node:
    """A value of the file: where it begins and ends, and what it is: members by key, values, or a text or number."""

    def __init__(self, begin, end, value):
        self.begin, self.end, self.value = begin, end, value

    @property
    def plain(self):
        if isinstance(self.value, dict):
            return {key: node.plain for key, node in self.value.items()}
        return [node.plain for node in self.value] if isinstance(self.value, list) else self.value


class Reader:
    """Reads one text; what is wrong names its line."""

    SPACE = re.compile(r"(?:\s|\ufeff|//[^\n\r\u2028\u2029]*|/\*.*?\*/)*", re.S)
    STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.S)
    WORD = re.compile(r"[^\s,:{}\[\]\"'/]+")
    ESCAPES = {"n": "\n", "t": "\t", "\n": ""}

    def __init__(self, path, text):
        self.path, self.text = path, text

    def whole(self):
        start = self.space(0)
        if self.text[start : start + 1] != "{":
            self.fail(start, "the file must hold one object")
        node = self.value(start)
        if self.space(node.end) != len(self.text):
            self.fail(self.space(node.end), "unexpected text after the end of the value")
        return node

    def fail(self, at, problem):
        raise DataError(self.path, self.text.count("\n", 0, at) + 1, problem, MEND)

    def space(self, at):
        return self.SPACE.match(self.text, at).end()

    def value(self, at):
        if self.text[at : at + 1] == "{":
            return self.members(at)
        if self.text[at : at + 1] == "[":
            return self.elements(at)
        string = self.STRING.match(self.text, at)
        if string:
            return Node(at, string.end(), self.unescaped(string.group()))
        word = self.WORD.match(self.text, at)
        if not word:
            self.fail(at, "a value expected")
        return Node(at, word.end(), self.scalar(word.group()))

    def members(self, at):
        begin, found, at = at, {}, self.space(at + 1)
        while self.text[at : at + 1] != "}":
            key = self.STRING.match(self.text, at) or self.WORD.match(self.text, at)
            if not key:
                self.fail(at, "a key or } expected")
            colon = self.space(key.end())
            if self.text[colon : colon + 1] != ":":
                self.fail(colon, "a colon after the key expected")
            node = self.value(self.space(colon + 1))
            name = key.group().strip("\"'")
            if name in found:
                self.fail(at, f"{name} stands here twice")
            found[name] = node
            at = self.separated(node.end, "}")
        return Node(begin, at + 1, found)

    def elements(self, at):
        begin, found, at = at, [], self.space(at + 1)
        while self.text[at : at + 1] != "]":
            found.append(self.value(at))
            at = self.separated(found[-1].end, "]")
        return Node(begin, at + 1, found)

    def separated(self, at, closer):
        at = self.space(at)
        if self.text[at : at + 1] == ",":
            return self.space(at + 1)
        if self.text[at : at + 1] != closer:
            self.fail(at, f"a comma or {closer} expected")
        return at

    def unescaped(self, text):
        return re.sub(r"\\(.)", lambda found: self.ESCAPES.get(found[1], found[1]), text[1:-1], flags=re.S)

    @staticmethod
    def scalar(word):
        if word in ("true", "false", "null"):
            return {"true": True, "false": False, "null": None}[word]
        try:
            return int(word, 16) if word.lower().startswith("0x") else float(word)
        except ValueError:
            return word


def merged(under, over, key=""):
    """Key by key, the second's above the first's; a draw, a host, and what is said of another chip, as a whole."""
    is_whole = key in ("draw", "host") or not isinstance(under, dict) or not isinstance(over, dict)
    if is_whole:
        return over
    if key in ("magnetometer", "accelerometer") and over.get("model", under.get("model")) != under.get("model"):
        return over
    whole = {**under, **{name: merged(under.get(name), value, name) for name, value in over.items()}}
    # Null takes a key of a part's away.
    return {name: value for name, value in whole.items() if value is not None}


class Board:
    """A board's file, given by its path, by its folder's, or by its name.

    `text` is the file as it is; `tree` is what stands in it; `values` are those of the parts that it extends, too.
    """

    def __init__(self, name):
        self.path = located(name)
        self.text = contents(self.path)
        self.tree = Reader(self.path, self.text).whole()
        self.values = composed(self.path, self.tree.plain, {os.path.realpath(self.path)})

    @property
    def name(self):
        return os.path.basename(os.path.dirname(os.path.realpath(self.path))) or "board"

    def get(self, *keys):
        """A value by its keys; None where there is none."""
        value = self.values
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    # Changing

    def check_writing(self):
        """Refuses a file that will not be written, before anything is measured for it."""
        path = os.path.realpath(self.path)
        if path.startswith(f"{FOLDERS[-1]}/"):
            own = f"{FOLDERS[0]}/{self.name}/board.json5"
            mend = f"write {{ extends: \"{os.path.dirname(path)}\" }} into {own}, and name that"
            raise DataError(self.path, 0, "it is the package's, which will overwrite it", mend)
        try:
            descriptor, new = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".board.")
            os.close(descriptor)
            os.unlink(new)
        except OSError as error:
            raise self.unwritable(error, "run this as its owner") from None

    def replace(self, keys, value):
        """Puts a whole value in the place of another, or adds it; a comment behind the old one goes with it."""
        node, rest = self.nearest(keys)
        if rest:
            return self.insert(node, rest, value)
        end = node.end
        after = re.compile(r"(?P<comma>[ \t]*,?)(?P<comment>[ \t]*//[^\r\n]*)").match(self.text, end)
        tail = after.group("comma") + self.text[after.end() :] if after else self.text[end:]
        self.take(self.text[: node.begin] + value + tail)

    def merge(self, keys, values):
        """Puts scalar members into an object, each where it stands; all else of the object stays."""
        node, rest = self.nearest(keys)
        words = ", ".join(f"{key}: {value}" for key, value in values.items())
        if rest:
            return self.insert(node, rest, f"{{ {words} }}")
        known = [key for key in values if isinstance(node.value, dict) and key in node.value]
        if not known:
            return self.take(self.text[: node.begin] + f"{{ {words} }}" + self.text[node.end :])
        # A new member goes beside the first that is there.
        first = known[0]
        added = "".join(f", {key}: {value}" for key, value in values.items() if key not in known)
        text = self.text
        for key in sorted(known, key=lambda key: -node.value[key].begin):
            member = node.value[key]
            text = text[: member.begin] + values[key] + (added if key == first else "") + text[member.end :]
        self.take(text)

    def laid_out(self, keys, comment, parts):
        """An object's text for `replace`: over several lines where those around it are."""
        parent, _ = self.nearest(keys[:-1])
        if "\n" not in self.text[parent.begin : parent.end]:
            return f"{{ /* {comment} */ {', '.join(parts)} }}"
        last = max((child.end for child in parent.value.values()), default=parent.begin)
        indentation = re.match(r"[ \t]*", self.text[self.text.rfind("\n", 0, last) + 1 :]).group()
        inner = "\n" + indentation + "    "
        rows = textwrap.wrap(", ".join(part.replace(" ", "\0") for part in parts) + ",", 112 - len(indentation),
                             break_long_words=False)
        return f"{{{inner}// {comment}{inner}" + inner.join(rows).replace("\0", " ") + f"\n{indentation}}}"

    def nearest(self, keys):
        """The deepest value on the way that is there, and the keys that are not."""
        node = self.tree
        for index, key in enumerate(keys):
            if not isinstance(node.value, dict):
                Reader(self.path, self.text).fail(node.begin, f"{'.'.join(keys[:index])} must be an object")
            if key not in node.value:
                return node, keys[index:]
            node = node.value[key]
        return node, ()

    def insert(self, node, keys, value):
        """Adds a member at the end of an object's, with the objects around it that are not there."""
        for key in reversed(keys[1:]):
            value = f"{{ {key}: {value} }}"
        self.take(self.inserted(node, f"{keys[0]}: {value}"))

    def inserted(self, node, member):
        text = self.text
        if not isinstance(node.value, dict):
            Reader(self.path, text).fail(node.begin, "an object expected")
        if not node.value:
            # What stands there are comments.
            head = text[: node.end - 1]
            return head + ("" if head[-1].isspace() else " ") + f"{member} " + text[node.end - 1 :]
        last = max(child.end for child in node.value.values())
        after = Reader(self.path, text).space(last)
        has_comma = text[after] == ","
        line_end = self.line_end(after + 1 if has_comma else last, node.end - 1)
        if line_end is None:
            at = after + 1 if has_comma else last
            return text[:at] + (f" {member}," if has_comma else f", {member}") + text[at:]
        indentation = re.match(r"[ \t]*", text[text.rfind("\n", 0, last) + 1 :]).group()
        newline = "\r\n" if text[line_end] == "\r" else "\n"
        line = f"{newline}{indentation}{member},"
        if has_comma:
            return text[:line_end] + line + text[line_end:]
        return text[:last] + "," + text[last:line_end] + line + text[line_end:]

    def line_end(self, at, limit):
        """Where the line ends that `at` is in, after its comments; None where the object ends on it."""
        while at < limit:
            if self.text.startswith("/*", at):
                at = self.text.index("*/", at) + 2
            elif self.text.startswith("//", at):
                at = re.compile(r"[^\r\n]*").match(self.text, at).end()
            elif self.text[at] in "\r\n":
                return at
            else:
                at += 1
        return None

    def take(self, text):
        """Takes a changed text, which must still be one that can be read."""
        self.tree = Reader(self.path, text).whole()
        self.text = text

    def write(self, again):
        """Puts a whole new file in the place of the old one; `again` are the words that do so without measuring."""
        path = os.path.realpath(self.path)
        try:
            descriptor, new = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".board.")
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
                    file.write(self.text)
                    file.flush()
                    os.fsync(file.fileno())
                shutil.copymode(path, new)
                if os.geteuid() == 0:
                    # Whoever owned it goes on doing so.
                    os.chown(new, os.stat(path).st_uid, os.stat(path).st_gid)
                os.replace(new, path)
            except BaseException:
                os.unlink(new)
                raise
        except OSError as error:
            raise self.unwritable(error, f"then, as its owner: {shlex.join([sys.argv[0], *again])}") from None

    def unwritable(self, error, mend):
        return DataError(self.path, 0, f"cannot be written: {error.strerror}", mend)


def located(name):
    """The path of a board's file."""
    if "/" not in name and not os.path.exists(name):
        paths = [f"{folder}/{name}/board.json5" for folder in FOLDERS]
        return next((path for path in paths if os.path.exists(path)), name)
    return os.path.join(name, "board.json5") if os.path.isdir(name) else name


def contents(path):
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except OSError as error:
        mend = "name a board's file, such as boards/NAME/board.json5"
        if "+" in path:
            mend += "; what is found is written there, so put the parts into one with extends (boards/README.md)"
        raise DataError(path, 0, error.strerror, mend) from None
    except UnicodeDecodeError:
        raise DataError(path, 0, "it is no UTF-8", "name a board's file") from None


def composed(path, values, seen):
    """The values with those of the parts that they extend below them."""
    given, whole = values.get("extends", []), {}
    names = [name for names in ([given] if isinstance(given, str) else given) for name in str(names).split("+")]
    for name in names:
        part = found(name, path)
        if os.path.realpath(part) in seen:
            raise DataError(path, 0, f'extends: "{name}" leads in a circle', "take it out")
        below = Reader(part, contents(part)).whole().plain
        whole = merged(whole, composed(part, below, seen | {os.path.realpath(part)}))
    return merged(whole, {key: value for key, value in values.items() if key != "extends"})


def found(name, path):
    """The file of a part that a file extends: a path from there, a neighbour of it, or an installed one."""
    folder = os.path.dirname(os.path.abspath(path))
    if "/" in name:
        return located(os.path.join(folder, name))
    beside = os.path.dirname(folder)
    places = FOLDERS if beside in FOLDERS else (beside, *FOLDERS)
    for place in places:
        if os.path.isfile(os.path.join(place, name, "board.json5")):
            return os.path.join(place, name, "board.json5")
    raise DataError(path, 0, f'extends: "{name}": no part of this name in {" or ".join(places)}', "name another")
