"""Pictures: SVG, drawn without a library."""
import math

from .command import DataError

TEXT, GRID, AXIS = "#222222", "#e6e6e6", "#999999"
BLUE, GREEN, RED, ORANGE, VIOLET = "#1f5fa8", "#2f8f5b", "#c0392b", "#c77700", "#7a4b9e"


class Drawing:
    """A page of 1200 points' width with a title and a line below it."""

    def __init__(self, title, subtitle, height=900):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="{height}" viewBox="0 0 1200 {height}" '
            f'font-family="Helvetica, Arial, sans-serif" fill="{TEXT}">\n'
            f'<rect width="1200" height="{height}" fill="#ffffff"/>\n'
        ]
        self.words(title, 20, 30, 18, weight="bold")
        self.words(subtitle, 20, 54, 13)

    def line(self, x1, y1, x2, y2, stroke, width, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" '
            f'stroke-width="{width}"{dashes}/>\n')

    def path(self, commands, stroke, width=1):
        self.parts.append(
            f'<path d="{commands}" fill="none" stroke="{stroke}" stroke-width="{width}" stroke-linejoin="round"/>\n')

    def dot(self, x, y, fill, radius=3.5, title=""):
        inner = f"<title>{escaped(title)}</title>" if title else ""
        self.parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" fill-opacity="0.7">{inner}</circle>\n')

    def box(self, x, y, width, height, fill, opacity=1):
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}" '
            f'fill-opacity="{opacity}"/>\n')

    def words(self, text, x, y, size, weight="normal", anchor="start", fill=TEXT, halo=False):
        stroke = ' stroke="#ffffff" stroke-width="3" paint-order="stroke"' if halo else ""
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" '
            f'fill="{fill}"{stroke}>{escaped(text)}</text>\n')

    def write(self, path):
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write("".join(self.parts) + "</svg>\n")
        except OSError as error:
            mend = "name a file in a folder that is there"
            raise DataError(path, 0, f"cannot be written: {error.strerror}", mend) from None


class Panel:
    """A part of a drawing with two axes; `y` is logarithmic unless said otherwise."""

    def __init__(self, drawing, name, top, height, x, y, is_logarithmic=True, left=80, right=1170):
        self.drawing, self.top, self.bottom, self.left, self.right = drawing, top, top + height, left, right
        (self.first, self.last), (self.low, self.high) = x, y
        self.is_logarithmic = is_logarithmic
        drawing.words(name, left, top - 12, 13, weight="bold")

    def x(self, value):
        return self.left + (self.right - self.left) * (value - self.first) / (self.last - self.first)

    def y(self, value):
        """Where a value stands; what is outside stands at the edge."""
        if self.is_logarithmic:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.bottom - (self.bottom - self.top) * min(max(share, 0), 1)

    def decades(self):
        """The lines of a logarithmic axis."""
        decade = self.low
        while decade <= self.high * 1.001:
            for factor in range(1, 10 if decade * 1.001 < self.high else 2):
                y = self.y(decade * factor)
                self.drawing.line(self.left, y, self.right, y, AXIS if factor == 1 else GRID, 1)
            self.drawing.words(f"{decade:g}", self.left - 8, self.y(decade) + 4, 11, anchor="end")
            decade *= 10

    def levels(self):
        """The lines of an axis that is not logarithmic."""
        step = rounded((self.high - self.low) / 6)
        value = math.ceil(self.low / step) * step
        while value <= self.high + step / 1e6:
            y = self.y(value)
            self.drawing.line(self.left, y, self.right, y, AXIS if abs(value) < step / 1e6 else GRID, 1)
            self.drawing.words(f"{value:.6g}", self.left - 8, y + 4, 11, anchor="end")
            value += step

    def seconds(self):
        """The lines of a time axis, where there are up to twelve."""
        steps = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 43_200, 86_400, math.inf)
        step = next(step for step in steps if (self.last - self.first) / step <= 12)
        for index in range(int((self.last - self.first) / step) + 1):
            self.upright(self.first + index * step, f"{index * step} s")

    def upright(self, value, text):
        x = self.x(value)
        self.drawing.line(x, self.top, x, self.bottom, GRID, 1)
        self.drawing.words(text, x, self.bottom + 18, 11, anchor="middle")


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def rounded(step):
    """The next of 1, 2, 5, 10 … that is as large."""
    power = 10 ** math.floor(math.log10(step))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= step * 0.999)


def decades(values):
    """The ends of a logarithmic axis that holds all values over 0."""
    return 10 ** math.floor(math.log10(min(values))), 10 ** math.ceil(math.log10(max(values) * 1.05))
