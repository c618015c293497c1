"""The land of countries and the sea as runs of cells, for scripts/build-places.

Natural Earth's countries of 1:10 million (public domain) are painted into cells of 0.02 degrees. A cell through which a
border or a coast goes, and each cell beside it, is undecided: there the nearest place tells the country. The sea within
12 nautical miles of land is territorial, whether anybody lives on that land or not. Which country a piece of land is of
is told by the places on it, so that the table contradicts none of its own places, nor takes a side where the two sources
differ.
"""
import math, struct, zipfile

# Cells a degree, and of a row and of a column.
SCALE = 50
COLUMNS, ROWS = 360 * SCALE, 180 * SCALE
SEA, TERRITORIAL, UNDECIDED = "-", "~", "?"
# Cells in 12 nautical miles, the breadth of territorial waters, to the north: 22.2 km of 111.2 km a degree.
REACH = 10


def rings(wheel):
    """The rings of the shapefile: points in degrees, those of outer borders clockwise.

    Source: ESRI Shapefile Technical Description, July 1998.
    """
    with zipfile.ZipFile(wheel) as outer:
        name = next(name for name in outer.namelist() if name.endswith("admin_0_countries_deu.zip"))
        with zipfile.ZipFile(outer.open(name)) as inner:
            data = inner.read(next(name for name in inner.namelist() if name.endswith(".shp")))
    at = 100
    while at < len(data):
        words, kind = struct.unpack_from(">4xi", data, at)[0], struct.unpack_from("<i", data, at + 8)[0]
        if kind == 5:
            parts, points = struct.unpack_from("<2i", data, at + 44)
            starts = struct.unpack_from(f"<{parts}i", data, at + 52) + (points,)
            numbers = struct.unpack_from(f"<{2 * points}d", data, at + 52 + 4 * parts)
            whole = list(zip(numbers[::2], numbers[1::2]))
            for first, last in zip(starts, starts[1:]):
                yield whole[first:last]
        at += 8 + 2 * words


def doubled_area(ring):
    """Positive where the ring runs clockwise."""
    return sum((x1 - x0) * (y1 + y0) for (x0, y0), (x1, y1) in zip(ring, ring[1:]))


def crossings(ring):
    """For each row the ring's ways through the middle of it, in cells from the west."""
    found = {}
    for (x0, y0), (x1, y1) in zip(ring, ring[1:]):
        if y0 == y1:
            continue
        (x0, y0), (x1, y1) = sorted(((x0, y0), (x1, y1)), key=lambda point: point[1])
        first, last = math.ceil((y0 + 90) * SCALE - 0.5), math.ceil((y1 + 90) * SCALE - 0.5)
        for row in range(first, last):
            part = ((row + 0.5) / SCALE - 90 - y0) / (y1 - y0)
            found.setdefault(row, []).append((x0 + part * (x1 - x0) + 180) * SCALE)
    return found


def touched(ring):
    """The cells through which the ring goes, as near as a third of a cell."""
    for (x0, y0), (x1, y1) in zip(ring, ring[1:]):
        steps = max(1, math.ceil(3 * SCALE * max(abs(x1 - x0), abs(y1 - y0))))
        for step in range(steps):
            yield (int((y0 + (y1 - y0) * step / steps + 90) * SCALE),
                   int((x0 + (x1 - x0) * step / steps + 180) * SCALE) % COLUMNS)


def cell(latitude, longitude):
    return (min(ROWS - 1, int((float(latitude) + 90) * SCALE)), int((float(longitude) + 180) * SCALE) % COLUMNS)


def lines(wheel, places):
    """For each row from the south its runs of cells from the west, as text: `5200- 3? 12CH`.

    `~` is territorial sea. `places` has latitude, longitude and country of each place.
    """
    # A hole is painted before the land that fills it.
    ordered = sorted(((doubled_area(ring), ring) for ring in rings(wheel)), key=lambda x: (-round(abs(x[0]), 6), x[0] > 0))
    # Rows as the west ends of runs, painted one over the other; and the cells of each row's coasts and borders.
    spans, touches = {}, {}
    for index, (area, ring) in enumerate(ordered):
        for row, ways in crossings(ring).items():
            ways.sort()
            for west, east in zip(ways[::2], ways[1::2]):
                spans.setdefault(row, []).append(
                    (max(0, math.ceil(west - 0.5)), min(COLUMNS, math.ceil(east - 0.5)), index if area > 0 else None))
        for row, column in touched(ring):
            touches.setdefault(row, bytearray(NOTHING))[column] = ord("1")
    wanted = {}
    for latitude, longitude, country in places:
        row, column = cell(latitude, longitude)
        wanted.setdefault(row, []).append((column, country))
    votes = {}
    for row, found in wanted.items():
        painted = paint(spans.get(row, ()))
        for column, country in found:
            if painted[column] is not None:
                ballot = votes.setdefault(painted[column], {})
                ballot[country] = ballot.get(country, 0) + 1
    country_of = {ring: max(sorted(ballot), key=ballot.get) for ring, ballot in votes.items()}
    edges = [int(touches.get(row, NOTHING), 2) for row in range(ROWS)]
    land = [edges[row] | filled(spans.get(row, ())) for row in range(ROWS)]
    for row in range(ROWS):
        undecided = widened(edges[max(0, row - 1)] | edges[row] | edges[min(ROWS - 1, row + 1)], 1)
        cells = zip(paint(spans.get(row, ())), digits(undecided), digits(waters(land, row)))
        yield row, " ".join(runs([
            UNDECIDED if is_undecided == "1" else country_of.get(ring, UNDECIDED) if ring is not None
            else TERRITORIAL if is_near == "1" else SEA
            for ring, is_undecided, is_near in cells]))


# Cells of a row as the binary digits of a number, that of the westernmost cell first: so they are widened at once.
NOTHING = b"0" * COLUMNS


def digits(cells):
    return f"{cells:0{COLUMNS}b}"


def filled(spans):
    marks = bytearray(NOTHING)
    for west, east, ring in spans:
        if east > west:
            marks[west:east] = (b"0" if ring is None else b"1") * (east - west)
    return int(marks, 2)


def waters(land, row):
    """The cells of a row within 12 nautical miles of land; near a pole a circle over ground has more columns."""
    reached, east = 0, math.cos(math.radians((row + 0.5) / SCALE - 90))
    for other in range(max(0, row - REACH), min(ROWS, row + REACH + 1)):
        if land[other]:
            reached |= widened(land[other], int(math.sqrt(REACH ** 2 - (other - row) ** 2) / east))
    return reached


def widened(cells, count):
    """Cells, and those within so many columns to the west and the east of them, over 180 degrees too."""
    done, count = 0, min(count, COLUMNS // 2)
    while done < count:
        step = min(done + 1, count - done)
        cells |= cells << step | cells >> step | cells >> COLUMNS - step | cells << COLUMNS - step
        cells, done = cells & (1 << COLUMNS) - 1, done + step
    return cells


def paint(spans):
    cells = [None] * COLUMNS
    for west, east, ring in spans:
        if east > west:
            cells[west:east] = [ring] * (east - west)
    return cells


def runs(cells):
    start = 0
    for column in range(1, len(cells) + 1):
        if column == len(cells) or cells[column] != cells[start]:
            yield f"{column - start}{cells[start]}"
            start = column
