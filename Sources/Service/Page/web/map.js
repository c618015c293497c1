// The map: a canvas of its own in Web Mercator. Coast, the owner's tiles where there are any, track, regions, visits,
// the accuracy's ellipse and the position. It is drawn when something changed, and never in a loop.
import { $, age, clock, distance, get, h, live, named, number, place, replace, sentence, setText, written } from "./app.js";

const view = { x: 0.5, y: 0.5, zoom: 2 };
let follow = true, hasView = false, measuring = false, measured = [], scheduled = false;
let coast = null, fineCoast = null, isLoadingFine = false;
let track = [], trackX = new Float64Array(0), trackY = new Float64Array(0), trackSpan = 86400;
const tiles = new Map();
const canvas = document.getElementById("map-canvas");

// How often the map was drawn; tests read it.
export let draws = 0;
globalThis.sextantMap = { get draws() { return draws; }, setTrack, draw, view };

const worldX = (longitude) => longitude / 360 + 0.5;
const worldY = (latitude) => {
  const sine = Math.sin(Math.max(-85.0511, Math.min(85.0511, latitude)) * Math.PI / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};
const latitudeAt = (y) => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;
const longitudeAt = (x) => (x - 0.5) * 360;
const scale = () => 256 * 2 ** view.zoom;
const metresPerPixel = () => 40075016.686 * Math.cos(latitudeAt(view.y) * Math.PI / 180) / scale();
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// ---- Data

// Lines as differences in zigzag varints, 0.01 degrees; scripts/make-coast writes them.
function decode(buffer) {
  const bytes = new Uint8Array(buffer), lines = [];
  let at = 0, longitude = 0, latitude = 0;
  const next = () => {
    let value = 0, shift = 0;
    for (;;) { const byte = bytes[at++]; value += (byte & 127) * 2 ** shift; if (byte < 128) return value; shift += 7; }
  };
  const signed = () => { const value = next(); return value & 1 ? -(value + 1) / 2 : value / 2; };
  while (at < bytes.length) {
    const count = next(), line = new Float64Array(2 * count);
    for (let index = 0; index < count; index++) {
      longitude += signed(); latitude += signed();
      line[2 * index] = worldX(longitude / 100); line[2 * index + 1] = worldY(latitude / 100);
    }
    lines.push(line);
  }
  return lines;
}

async function load(name) { return decode(await (await fetch(name)).arrayBuffer()); }

export function setTrack(points) {
  track = points;
  trackX = Float64Array.from(points, (point) => worldX(point.longitude));
  trackY = Float64Array.from(points, (point) => worldY(point.latitude));
  redraw();
}

let trackAsked = 0;
export async function askTrack() {
  if (live.link?.role !== "operator" || !trackSpan) { if (track.length) setTrack([]); return; }
  const asked = ++trackAsked;
  try {
    // The newest points come, and the board's clock counts, not this browser's: the last one says when.
    const { points } = await get("/track?points=1000"), from = (points.at(-1)?.[0] ?? 0) - trackSpan;
    if (asked === trackAsked) setTrack(points.filter(([seconds]) => seconds >= from).map(([seconds, latitude, longitude, speed]) => ({ time: new Date(seconds * 1000).toISOString(), latitude, longitude, speed })));
  } catch { /* the sentence above says what is wrong with the daemon */ }
}

// ---- Drawing

export function redraw() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => { scheduled = false; draw(); });
}

export function draw() {
  draws++;
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth, tall = canvas.clientHeight;
  if (!width) return;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(tall * ratio)) {
    canvas.width = Math.round(width * ratio); canvas.height = Math.round(tall * ratio);
  }
  const c = canvas.getContext("2d"), k = scale();
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.fillStyle = colour("--sea");
  c.fillRect(0, 0, width, tall);
  c.lineJoin = c.lineCap = "round";
  c.font = "12px system-ui, sans-serif";
  const X = (x) => (x - view.x) * k + width / 2, Y = (y) => (y - view.y) * k + tall / 2;
  const hasTiles = drawTiles(c, X, Y, width, tall);
  if (!hasTiles) { drawGrid(c, X, Y, width, tall); drawCoast(c, X, Y, width, tall); }
  drawRegions(c, X, Y);
  drawTrack(c, X, Y, k, width, tall);
  drawVisits(c, X, Y);
  drawPlace(c, X, Y);
  drawMeasure(c, X, Y);
  drawScale(c, width, tall);
}

function drawGrid(c, X, Y, width, tall) {
  const degrees = longitudeAt(view.x + width / 2 / scale()) - longitudeAt(view.x - width / 2 / scale());
  const steps = [60, 30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001];
  const step = steps.findLast((each) => degrees / each < width / 90) ?? steps[0];
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  c.strokeStyle = colour("--grid"); c.fillStyle = colour("--soft"); c.lineWidth = 1;
  c.textBaseline = "alphabetic"; c.textAlign = "left";
  c.beginPath();
  const west = longitudeAt(view.x - width / 2 / scale()), south = latitudeAt(view.y + tall / 2 / scale()), north = latitudeAt(view.y - tall / 2 / scale());
  for (let index = Math.ceil(west / step); index * step < west + degrees; index++) {
    const x = Math.round(X(worldX(index * step))) + 0.5, longitude = ((index * step + 540) % 360) - 180;
    c.moveTo(x, 0); c.lineTo(x, tall);
    if (x > 60 && x < width - 60) c.fillText(`${Math.abs(longitude).toFixed(digits)}° ${longitude < 0 ? "W" : "E"}`, x + 4, tall - 30);
  }
  for (let index = Math.ceil(south / step); index * step < north; index++) {
    const y = Math.round(Y(worldY(index * step))) + 0.5;
    c.moveTo(0, y); c.lineTo(width, y);
    if (y > 60 && y < tall - 50) c.fillText(`${Math.abs(index * step).toFixed(digits)}° ${index < 0 ? "S" : "N"}`, 6, y - 4);
  }
  c.stroke();
}

function drawCoast(c, X, Y, width, tall) {
  // Its points are a kilometre apart: from close by they say nothing.
  if (view.zoom > 4 && view.zoom < 12 && !fineCoast && !isLoadingFine) {
    isLoadingFine = true;
    load("/coast-50m.bin").then((lines) => { fineCoast = lines; redraw(); }, () => {});
  }
  const lines = view.zoom > 4 && fineCoast || coast;
  if (!lines) return;
  c.strokeStyle = colour("--coast"); c.lineWidth = 1.2;
  const k = scale(), left = view.x - width / 2 / k, right = view.x + width / 2 / k;
  c.beginPath();
  // The world repeats to the east and west.
  for (let turn = Math.floor(left); turn <= Math.floor(right); turn++) {
    for (const line of lines) {
      let wasIn = false;
      for (let index = 0; index < line.length; index += 2) {
        const x = X(line[index] + turn), y = Y(line[index + 1]);
        const isIn = x > -200 && x < width + 200 && y > -200 && y < tall + 200;
        if (index && (isIn || wasIn)) { if (!wasIn) c.moveTo(X(line[index - 2] + turn), Y(line[index - 1])); c.lineTo(x, y); }
        else if (isIn) c.moveTo(x, y);
        wasIn = isIn;
      }
    }
  }
  c.stroke();
}

function drawTiles(c, X, Y, width, tall) {
  const map = live.map;
  if (!map || map.problem !== undefined) return false;
  const zoom = Math.max(Number(map.minzoom), Math.min(Number(map.maxzoom), Math.round(view.zoom))), count = 2 ** zoom, k = scale();
  const left = Math.floor((view.x - width / 2 / k) * count), right = Math.floor((view.x + width / 2 / k) * count);
  const top = Math.max(0, Math.floor((view.y - tall / 2 / k) * count)), bottom = Math.min(count - 1, Math.floor((view.y + tall / 2 / k) * count));
  if ((right - left + 1) * (bottom - top + 1) > 200) return false;
  let drawn = 0;
  for (let column = left; column <= right; column++) for (let row = top; row <= bottom; row++) {
    const key = `${zoom}/${(column % count + count) % count}/${row}`;
    let image = tiles.get(key);
    if (!image) {
      image = new Image();
      image.onload = redraw;
      image.onerror = () => { image.isMissing = true; };
      image.src = `/tiles/${key}`;
      tiles.set(key, image);
      if (tiles.size > 256) tiles.delete(tiles.keys().next().value);
    }
    if (!image.isMissing && image.complete && image.naturalWidth) {
      c.drawImage(image, X(column / count), Y(row / count), k / count + 0.5, k / count + 0.5);
      drawn++;
    }
  }
  return drawn > 0;
}

function drawTrack(c, X, Y, k, width, tall) {
  const count = track.length;
  if (count < 2) return;
  const bySpeed = $("track-colour").value === "speed", ramp = 8, fastest = bySpeed ? Math.max(1, ...track.map((point) => point.speed ?? 0)) : 1;
  const dx = width / 2 - view.x * k, dy = tall / 2 - view.y * k;
  // Round corners cost three times as much, and do not show at this width.
  c.strokeStyle = colour("--track"); c.lineWidth = 2; c.lineJoin = "bevel"; c.lineCap = "butt";
  let level = -1, lastX = NaN, lastY = NaN;
  for (let index = 1; index < count; index++) {
    const here = Math.min(ramp - 1, Math.floor(ramp * (bySpeed ? (track[index].speed ?? 0) / fastest : index / count)));
    if (here !== level) {
      if (level >= 0) c.stroke();
      level = here;
      c.globalAlpha = 0.3 + 0.7 * (level + 1) / ramp;
      c.beginPath();
      c.moveTo(trackX[index - 1] * k + dx, trackY[index - 1] * k + dy);
    }
    // Points less than a pixel from the last one do not show.
    const x = trackX[index] * k + dx, y = trackY[index] * k + dy;
    if (Math.abs(x - lastX) + Math.abs(y - lastY) < 1 && index < count - 1) continue;
    c.lineTo(x, y);
    lastX = x; lastY = y;
  }
  c.stroke();
  c.globalAlpha = 1;
  c.lineJoin = c.lineCap = "round";
}

// The points of a circle over ground; it is an ellipse in Mercator only where it is small.
function circle(latitude, longitude, radius, count = 64) {
  const d = radius / 6371008.8, phi = latitude * Math.PI / 180, points = [];
  for (let index = 0; index <= count; index++) {
    const angle = 2 * Math.PI * index / count;
    const there = Math.asin(Math.sin(phi) * Math.cos(d) + Math.cos(phi) * Math.sin(d) * Math.cos(angle));
    const east = Math.atan2(Math.sin(angle) * Math.sin(d) * Math.cos(phi), Math.cos(d) - Math.sin(phi) * Math.sin(there));
    points.push([longitude + east * 180 / Math.PI, there * 180 / Math.PI]);
  }
  return points;
}

// The rings of a region, longitudes continued over 180 degrees.
export function rings(region) {
  const shape = region.latitude !== undefined && region.radius !== undefined ? [circle(region.latitude, region.longitude, region.radius)]
    : region.polygon ?? region.multiPolygon?.flat() ?? [];
  return shape.map((ring) => {
    let turn = 0;
    return ring.map(([longitude, latitude], index) => {
      if (index) { const step = longitude - ring[index - 1][0]; turn += step > 180 ? -360 : step < -180 ? 360 : 0; }
      return [longitude + turn, latitude];
    });
  });
}

function drawRegions(c, X, Y) {
  c.strokeStyle = c.fillStyle = colour("--region");
  c.textAlign = "center"; c.textBaseline = "middle"; c.lineWidth = 1.5;
  for (const region of live.regions?.regions ?? []) {
    const all = rings(region);
    if (!all.length) continue;
    c.beginPath();
    for (const ring of all) {
      ring.forEach(([longitude, latitude], index) => c[index ? "lineTo" : "moveTo"](X(worldX(longitude)), Y(worldY(latitude))));
      c.closePath();
    }
    c.setLineDash(region.state === "unknown" ? [4, 4] : []);
    if (region.state === "inside") { c.globalAlpha = 0.18; c.fill("evenodd"); c.globalAlpha = 1; }
    c.stroke();
    const [longitude, latitude] = all[0].reduce((best, point) => point[1] > best[1] ? point : best);
    c.fillText(named(region.identifier).textContent.slice(0, 24), X(worldX(longitude)), Y(worldY(latitude)) - 9);
  }
  c.setLineDash([]);
}

function drawVisits(c, X, Y) {
  c.fillStyle = c.strokeStyle = colour("--visit"); c.lineWidth = 1.5;
  for (const visit of live.visits?.visits ?? []) {
    const x = X(worldX(visit.longitude)), y = Y(worldY(visit.latitude)), r = Math.max(5, (visit.horizontalAccuracy ?? 0) / metresPerPixel());
    c.beginPath(); c.arc(x, y, r, 0, 7); c.globalAlpha = 0.15; c.fill(); c.globalAlpha = 1; c.stroke();
    // A square in the middle tells a visit from a position without its colour.
    c.fillRect(x - 3, y - 3, 6, 6);
  }
}

function drawPlace(c, X, Y) {
  const fix = place();
  if (!fix) return;
  const x = X(worldX(fix.longitude)), y = Y(worldY(fix.latitude)), isOld = sentence()[0] !== "good", paint = isOld ? colour("--soft") : colour("--accent");
  const e = live.location?.ellipse && Math.abs(age("location") - fix.age) < 2 ? live.location.ellipse
    : { semiMajor: fix.horizontalAccuracy ?? 0, semiMinor: fix.horizontalAccuracy ?? 0, orientation: 0 };
  c.fillStyle = c.strokeStyle = paint;
  c.beginPath();
  c.ellipse(x, y, Math.max(1, e.semiMajor / metresPerPixel()), Math.max(1, e.semiMinor / metresPerPixel()), (e.orientation - 90) * Math.PI / 180, 0, 7);
  c.globalAlpha = 0.18; c.fill(); c.globalAlpha = 0.7; c.lineWidth = 1; c.stroke(); c.globalAlpha = 1;
  if (fix.course !== undefined && fix.speed > 0.5) {
    const angle = fix.course * Math.PI / 180, to = (ahead, aside) =>
      [x + Math.sin(angle) * ahead + Math.cos(angle) * aside, y - Math.cos(angle) * ahead + Math.sin(angle) * aside];
    c.beginPath(); c.moveTo(...to(15, 0)); c.lineTo(...to(6, 6)); c.lineTo(...to(6, -6)); c.closePath(); c.fill();
  }
  c.beginPath(); c.arc(x, y, 7, 0, 7); c.fillStyle = colour("--card"); c.fill();
  c.beginPath(); c.arc(x, y, 5, 0, 7); c.fillStyle = paint;
  if (isOld) { c.lineWidth = 2; c.stroke(); } else c.fill();
}

function drawMeasure(c, X, Y) {
  if (!measured.length) return;
  c.strokeStyle = c.fillStyle = colour("--ink"); c.lineWidth = 1.5; c.setLineDash([5, 4]);
  c.beginPath();
  measured.forEach(([x, y], index) => c[index ? "lineTo" : "moveTo"](X(x), Y(y)));
  c.stroke(); c.setLineDash([]);
  for (const [x, y] of measured) { c.beginPath(); c.arc(X(x), Y(y), 3.5, 0, 7); c.fill(); }
}

function drawScale(c, width, tall) {
  const widest = Math.min(140, width / 3) * metresPerPixel();
  const power = 10 ** Math.floor(Math.log10(widest)), size = [5, 2, 1].map((each) => each * power).find((each) => each <= widest);
  const pixels = size / metresPerPixel();
  c.strokeStyle = c.fillStyle = colour("--ink"); c.lineWidth = 1.5;
  c.beginPath(); c.moveTo(10, tall - 14); c.lineTo(10, tall - 9); c.lineTo(10 + pixels, tall - 9); c.lineTo(10 + pixels, tall - 14); c.stroke();
  c.textAlign = "left"; c.textBaseline = "alphabetic";
  c.fillText(distance(size), 18 + pixels, tall - 9);
  c.textAlign = "center";
  c.fillText("N", width - 18, tall - 30);
  c.beginPath(); c.moveTo(width - 18, tall - 26); c.lineTo(width - 23, tall - 10); c.lineTo(width - 18, tall - 14); c.lineTo(width - 13, tall - 10); c.closePath(); c.fill();
}

// ---- Moving

function setFollow(value) { follow = value; $("map-follow").setAttribute("aria-pressed", String(value)); }

function centre(longitude, latitude, zoom) {
  [view.x, view.y] = [worldX(longitude), worldY(latitude)];
  if (zoom !== undefined) view.zoom = Math.max(0, Math.min(20, zoom));
  hasView = true;
  redraw();
}

function zoomBy(amount, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const before = scale(), [dx, dy] = [x - canvas.clientWidth / 2, y - canvas.clientHeight / 2];
  const [wx, wy] = [view.x + dx / before, view.y + dy / before];
  view.zoom = Math.max(0, Math.min(20, view.zoom + amount));
  if (!follow) [view.x, view.y] = [wx - dx / scale(), wy - dy / scale()];
  redraw();
}

function pan(dx, dy) {
  setFollow(false);
  view.x = ((view.x + dx / scale()) % 1 + 1) % 1;
  view.y = Math.max(0, Math.min(1, view.y + dy / scale()));
  redraw();
}

function fit() {
  const points = track.map((point) => [point.longitude, point.latitude]);
  for (const region of live.regions?.regions ?? []) points.push(...rings(region).flat());
  for (const visit of live.visits?.visits ?? []) points.push([visit.longitude, visit.latitude]);
  const fix = place();
  if (fix) points.push([fix.longitude, fix.latitude]);
  if (!points.length) return;
  const xs = points.map((point) => worldX(point[0])), ys = points.map((point) => worldY(point[1]));
  const extent = (values) => [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const [[left, right], [top, bottom]] = [extent(xs), extent(ys)];
  setFollow(false);
  const zoom = Math.log2(Math.min((canvas.clientWidth - 60) / 256 / Math.max(right - left, 1e-7), (canvas.clientHeight - 90) / 256 / Math.max(bottom - top, 1e-7)));
  [view.x, view.y] = [(left + right) / 2, (top + bottom) / 2];
  view.zoom = Math.max(0, Math.min(17, zoom));
  hasView = true;
  redraw();
}

function note() {
  let total = 0;
  for (let index = 1; index < measured.length; index++) {
    const [a, b] = [measured[index - 1], measured[index]].map(([x, y]) => [longitudeAt(x) * Math.PI / 180, latitudeAt(y) * Math.PI / 180]);
    const value = Math.sin((b[1] - a[1]) / 2) ** 2 + Math.cos(a[1]) * Math.cos(b[1]) * Math.sin((b[0] - a[0]) / 2) ** 2;
    total += 2 * 6371008.8 * Math.asin(Math.sqrt(value));
  }
  setText($("map-note"), measuring ? measured.length > 1 ? `Measured: ${distance(total)}. Tap on.` : "Tap two or more points to measure."
    : live.map?.problem ? `The owner's map: ${live.map.problem}` : live.map?.attribution ? live.map.attribution.replace(/<[^>]*>/g, "") : "");
}

function table() {
  if (!$("map-table").closest("details").open) return;
  const fix = place(), e = live.location?.ellipse;
  const rows = [];
  if (fix) rows.push(["Position", written(fix.latitude, fix.longitude, "degrees").join(", "),
    e ? `68 %: ${number(e.semiMajor, 1)} m by ${number(e.semiMinor, 1)} m, the long way towards ${number(e.orientation)}°` : distance(fix.horizontalAccuracy)]);
  for (const region of live.regions?.regions ?? []) rows.push([named(region.identifier), region.radius !== undefined ? `circle of ${distance(region.radius)} about ${written(region.latitude, region.longitude, "degrees").join(", ")}`
    : `polygon of ${rings(region).length} rings and ${rings(region).flat().length} corners`, region.state ?? "unknown"]);
  for (const visit of live.visits?.visits ?? []) rows.push(["Visit", written(visit.latitude, visit.longitude, "degrees").join(", "),
    [visit.arrival ? clock(visit.arrival, true) : "earlier", " to ", visit.departure ? clock(visit.departure, true) : "now"]]);
  if (track.length) rows.push(["Track", `${number(track.length)} points`, [clock(track[0].time, true), " to ", clock(track.at(-1).time, true)]]);
  replace("map-table", h("table", null, h("thead", null, h("tr", null, ["What", "Where", "State"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, rows.map((row) => h("tr", null, row.map((cell) => h("td", null, cell)))))));
}

export function prepare() {
  load("/coast-110m.bin").then((lines) => { coast = lines; redraw(); }, () => {});
  const pointers = new Map();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, [event.offsetX, event.offsetY]); moved = 0; });
  canvas.addEventListener("pointermove", (event) => {
    const from = pointers.get(event.pointerId);
    if (!from) return;
    const to = [event.offsetX, event.offsetY], other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    moved += Math.abs(to[0] - from[0]) + Math.abs(to[1] - from[1]);
    if (other) zoomBy(Math.log2(Math.hypot(to[0] - other[0], to[1] - other[1]) / Math.max(1, Math.hypot(from[0] - other[0], from[1] - other[1]))), ...other);
    else if (moved > 4) pan(from[0] - to[0], from[1] - to[1]);
    pointers.set(event.pointerId, to);
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => {
    if (name === "pointerup" && moved <= 4 && measuring) {
      measured.push([view.x + (event.offsetX - canvas.clientWidth / 2) / scale(), view.y + (event.offsetY - canvas.clientHeight / 2) / scale()]);
      note(); redraw();
    }
    pointers.delete(event.pointerId);
  });
  canvas.addEventListener("wheel", (event) => { if (event.ctrlKey || event.metaKey || document.activeElement === canvas) { event.preventDefault(); zoomBy(-event.deltaY / 240, event.offsetX, event.offsetY); } }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] }[event.key];
    if (step) pan(...step);
    else if (event.key === "+" || event.key === "=") zoomBy(0.5);
    else if (event.key === "-") zoomBy(-0.5);
    else return;
    event.preventDefault();
  });
  $("map-in").onclick = () => zoomBy(1);
  $("map-out").onclick = () => zoomBy(-1);
  $("map-fit").onclick = fit;
  $("map-follow").onclick = () => { setFollow(!follow); const fix = place(); if (follow && fix) centre(fix.longitude, fix.latitude); };
  $("map-measure").onclick = () => { measuring = !measuring; measured = []; $("map-measure").setAttribute("aria-pressed", String(measuring)); note(); redraw(); };
  $("track-span").onchange = () => { trackSpan = Number($("track-span").value); askTrack(); };
  $("track-colour").onchange = redraw;
  $("map-table").closest("details").addEventListener("toggle", table);
}

let wasOperator = false, lastGrown = 0, lastStanding = "";
export function update(kind) {
  if (kind === "link") {
    const isOperator = live.link.role === "operator" && live.link.state === "connected";
    $("map-track").hidden = !isOperator;
    if (isOperator && !wasOperator) askTrack();
    wasOperator = isOperator;
  }
  const standing = sentence()[0];
  if (standing !== lastStanding) { lastStanding = standing; redraw(); }
  if (!["location", "epoch", "sky", "regions", "visits", "map", "hello", "link"].includes(kind)) return;
  const fix = place();
  if (fix && (follow || !hasView)) {
    [view.x, view.y] = [worldX(fix.longitude), worldY(fix.latitude)];
    if (!hasView) view.zoom = 15;
    hasView = true;
  }
  grow(fix);
  note(); table(); redraw();
}

// The track goes on with what comes while the page is open.
function grow(fix) {
  if (!fix || !track.length || !fix.time || fix.age > 5) return;
  const last = track.at(-1), now = Date.parse(fix.time);
  if (now - Math.max(lastGrown, Date.parse(last.time)) < 2000) return;
  lastGrown = now;
  if (Math.hypot((worldX(fix.longitude) - trackX.at(-1)), (worldY(fix.latitude) - trackY.at(-1))) * 4e7 < 8) return;
  setTrack([...track.slice(-9999), fix]);
}
