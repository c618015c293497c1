// The sky: satellites by direction and height, their signals, and how the fixes scatter.
import { $, age, distance, h, live, number, replace, setText } from "./app.js";

const letters = { gps: "G", glonass: "R", galileo: "E", beidou: "C", qzss: "J", navic: "I", sbas: "S", imes: "M" };
const names = { gps: "GPS", glonass: "GLONASS", galileo: "Galileo", beidou: "BeiDou", qzss: "QZSS", navic: "NavIC", sbas: "SBAS", imes: "IMES" };
const order = Object.keys(letters);
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const paint = (constellation) => colour(`--${(letters[constellation] ?? "S").toLowerCase()}`) || colour("--soft");
const trails = new Map();
const fixes = [];
let scheduled = false, lastTrail = -Infinity, lastTime = "";
export let draws = 0;

export function prepare() {
  for (const id of ["sky-table", "accuracy-table"]) $(id).closest("details").addEventListener("toggle", tables);
  redraw();
}

export function update(kind) {
  if (kind === "sky" || kind === "epoch") collect(live[kind]);
  if (kind === "sky") trail();
  if (kind === "sky" || kind === "epoch" || kind === "link") { redraw(); tables(); }
}

export function redraw() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => { scheduled = false; draws++; drawSky(); drawSignals(); drawScatter(); });
}

// A canvas of the size that it has on the screen; null where it is not shown.
export function sheet(id) {
  const canvas = $(id), ratio = devicePixelRatio || 1, width = canvas.clientWidth, tall = canvas.clientHeight;
  if (!width || !tall) return null;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(tall * ratio)) { canvas.width = Math.round(width * ratio); canvas.height = Math.round(tall * ratio); }
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, tall);
  c.font = "12px system-ui, sans-serif";
  c.lineJoin = c.lineCap = "round";
  return { c, width, tall };
}

// One row a satellite, with its best signal.
function satellites() {
  const found = new Map();
  for (const each of live.sky?.satellites ?? []) {
    const key = `${letters[each.constellation] ?? "?"}${each.number}`, other = found.get(key);
    if (!other) found.set(key, { ...each, key });
    else {
      other.used ||= each.used;
      if ((each.carrierToNoise ?? 0) > (other.carrierToNoise ?? 0)) other.carrierToNoise = each.carrierToNoise;
      other.elevation ??= each.elevation; other.azimuth ??= each.azimuth;
    }
  }
  return [...found.values()].sort((a, b) => order.indexOf(a.constellation) - order.indexOf(b.constellation) || (b.carrierToNoise ?? -1) - (a.carrierToNoise ?? -1));
}

const isFresh = () => live.sky && age("sky") < 30 && live.link?.state === "connected";

function trail() {
  if (performance.now() - lastTrail < 60000) return;
  lastTrail = performance.now();
  for (const each of satellites()) {
    if (each.elevation === undefined) continue;
    const points = trails.get(each.key) ?? [];
    points.push([each.elevation, each.azimuth]);
    if (points.length > 120) points.shift();
    trails.set(each.key, points);
  }
}

function drawSky() {
  const made = sheet("sky-canvas");
  if (!made) return;
  const { c, width, tall } = made, r = Math.min(width, tall) / 2 - 18, x0 = width / 2, y0 = tall / 2;
  const at = (elevation, azimuth) => {
    const d = r * (90 - Math.max(0, elevation)) / 90, angle = azimuth * Math.PI / 180;
    return [x0 + d * Math.sin(angle), y0 - d * Math.cos(angle)];
  };
  c.strokeStyle = colour("--line"); c.fillStyle = colour("--soft"); c.lineWidth = 1;
  c.textAlign = "center"; c.textBaseline = "middle";
  for (const elevation of [0, 30, 60]) {
    c.beginPath(); c.arc(x0, y0, r * (90 - elevation) / 90, 0, 7); c.stroke();
    if (elevation) c.fillText(`${elevation}°`, x0 + r * (90 - elevation) / 90 * 0.707 + 2, y0 + r * (90 - elevation) / 90 * 0.707);
  }
  c.beginPath(); c.moveTo(x0 - r, y0); c.lineTo(x0 + r, y0); c.moveTo(x0, y0 - r); c.lineTo(x0, y0 + r); c.stroke();
  for (const [name, angle] of [["N", 0], ["E", 90], ["S", 180], ["W", 270]]) c.fillText(name, x0 + (r + 10) * Math.sin(angle * Math.PI / 180), y0 - (r + 10) * Math.cos(angle * Math.PI / 180));
  if (!isFresh()) { c.fillText("no sky data", x0, y0 - 10); return; }
  for (const each of satellites()) {
    if (each.elevation === undefined || each.azimuth === undefined) continue;
    const ink = paint(each.constellation), [x, y] = at(each.elevation, each.azimuth);
    const points = trails.get(each.key) ?? [];
    c.strokeStyle = ink; c.globalAlpha = 0.35; c.lineWidth = 1.5;
    c.beginPath(); points.forEach((point, index) => c[index ? "lineTo" : "moveTo"](...at(...point))); c.lineTo(x, y); c.stroke();
    c.globalAlpha = 1;
    c.beginPath(); c.arc(x, y, 10.5, 0, 7); c.fillStyle = each.used ? ink : colour("--card"); c.fill(); c.stroke();
    c.fillStyle = each.used ? colour("--card") : ink;
    c.font = `600 ${each.key.length > 3 ? 8 : 10}px system-ui, sans-serif`;
    c.fillText(each.key, x, y + 0.5);
  }
}

function drawSignals() {
  const made = sheet("signal-canvas");
  if (!made) return;
  const { c, width, tall } = made, left = 26, bottom = tall - 34, top = 18, value = (signal) => bottom - (bottom - top) * Math.min(55, signal) / 55;
  c.strokeStyle = colour("--line"); c.fillStyle = colour("--soft"); c.textAlign = "right"; c.textBaseline = "middle"; c.lineWidth = 1;
  for (const signal of [0, 10, 20, 30, 40, 50]) {
    const y = Math.round(value(signal)) + 0.5;
    c.beginPath(); c.moveTo(left, y); c.lineTo(width, y); c.stroke();
    c.fillText(String(signal), left - 5, y);
  }
  c.textAlign = "left"; c.fillText("dB-Hz", 0, 6);
  if (!isFresh()) return;
  const all = satellites().filter((each) => each.carrierToNoise), groups = new Set(all.map((each) => each.constellation)).size;
  const gap = 10, step = Math.min(26, (width - left - 6 - gap * (groups - 1)) / Math.max(1, all.length));
  let x = left + 4, previous = null;
  for (const each of all) {
    if (previous && previous !== each.constellation) x += gap;
    const ink = paint(each.constellation), y = value(each.carrierToNoise), wide = Math.max(2, step - 3);
    if (previous !== each.constellation) { c.fillStyle = ink; c.textAlign = "left"; c.fillText(width / groups > 90 ? names[each.constellation] ?? "" : letters[each.constellation] ?? "?", x, tall - 8); }
    c.fillStyle = c.strokeStyle = ink; c.lineWidth = 1.5;
    if (each.used) c.fillRect(x, y, wide, bottom - y);
    else c.strokeRect(x + 0.75, y + 0.75, wide - 1.5, bottom - y - 0.75);
    if (step >= 14) { c.font = "10px system-ui, sans-serif"; c.textAlign = "center"; c.fillStyle = colour("--soft"); c.fillText(String(each.number), x + wide / 2, bottom + 9); c.font = "12px system-ui, sans-serif"; }
    previous = each.constellation;
    x += step;
  }
}

// ---- Scatter

function collect(epoch) {
  if (epoch?.latitude === undefined || epoch.fixType === "noFix" || epoch.time === lastTime) return;
  lastTime = epoch.time;
  fixes.push({ latitude: epoch.latitude, longitude: epoch.longitude, claimed: epoch.horizontalAccuracy, speed: epoch.speed ?? 0 });
  if (fixes.length > 1000) fixes.shift();
}

const middle = (values, share = 0.5) => { const sorted = Float64Array.from(values).sort(); return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]; };

export function scatter() {
  if (fixes.length < 10) return null;
  const latitude = middle(fixes.map((fix) => fix.latitude)), longitude = middle(fixes.map((fix) => fix.longitude));
  const points = fixes.map((fix) => [(fix.longitude - longitude) * 111320 * Math.cos(latitude * Math.PI / 180), (fix.latitude - latitude) * 110574]);
  const radii = points.map(([x, y]) => Math.hypot(x, y)), claims = fixes.map((fix) => fix.claimed).filter(Number.isFinite);
  return { points, r50: middle(radii), r68: middle(radii, 0.68), r95: middle(radii, 0.95), claimed: claims.length ? middle(claims) : null, count: fixes.length, moves: middle(fixes.map((fix) => fix.speed)) > 0.5 };
}

function drawScatter() {
  const found = scatter();
  setText($("accuracy-note"), !found ? "Ten fixes are wanted before their scatter says anything; it begins when this page is opened."
    : found.moves ? "The board moves, so this is its way and not the error of its fixes."
    : `Half of ${number(found.count)} fixes lie within ${distance(found.r50)} of their median, 95 % within ${distance(found.r95)}.` + (found.claimed ? ` The receiver claims ${distance(found.claimed)} for 68 %; ${distance(found.r68)} would be true of the scatter.` : ""));
  $("accuracy-canvas").hidden = !found;
  const made = found && sheet("accuracy-canvas");
  if (!made) return;
  const { c, width, tall } = made, x0 = width / 2, y0 = tall / 2, reach = Math.max(1, found.r95 * 1.6), k = (Math.min(width, tall) / 2 - 8) / reach;
  c.fillStyle = colour("--accent"); c.globalAlpha = 0.45;
  for (const [x, y] of found.points) { c.beginPath(); c.arc(x0 + x * k, y0 - y * k, 2, 0, 7); c.fill(); }
  c.globalAlpha = 1; c.strokeStyle = colour("--ink"); c.fillStyle = colour("--ink"); c.textAlign = "center"; c.textBaseline = "bottom";
  for (const [radius, name, dash] of [[found.r50, "50 %", []], [found.r95, "95 %", [5, 4]]]) {
    c.setLineDash(dash); c.beginPath(); c.arc(x0, y0, radius * k, 0, 7); c.stroke();
    c.fillText(`${name} ${distance(radius)}`, x0, y0 - radius * k - 2);
  }
  c.setLineDash([]);
}

function grid(heads, rows) {
  return h("table", null, h("thead", null, h("tr", null, heads.map((name) => h("th", { scope: "col" }, name)))), h("tbody", null, rows.map((row) => h("tr", null, row.map((cell) => h("td", null, cell))))));
}

function tables() {
  const all = isFresh() ? satellites() : [], used = all.filter((each) => each.used).length;
  setText($("sky-note"), isFresh() ? `${all.length} satellites in view, ${used} used. Filled: used for the position.` : live.sky ? "No sky data: the receiver sleeps or is silent." : "No sky data yet.");
  if ($("sky-table").closest("details").open) replace("sky-table", grid(["Satellite", "Height", "Direction", "Signal (dB-Hz)", "Used"], all.map((each) => [`${names[each.constellation] ?? each.constellation} ${each.number}`,
    each.elevation === undefined ? "unknown" : `${each.elevation}°`, each.azimuth === undefined ? "unknown" : `${each.azimuth}°`, each.carrierToNoise === undefined ? "none" : String(each.carrierToNoise), each.used ? "yes" : "no"])));
  if ($("accuracy-table").closest("details").open) {
    const found = scatter();
    replace("accuracy-table", found ? grid(["What", "Radius"], [["50 % of the fixes", distance(found.r50)], ["68 % of the fixes", distance(found.r68)], ["95 % of the fixes", distance(found.r95)], ["Claimed for 68 %", found.claimed ? distance(found.claimed) : "unknown"]]) : "Too few fixes yet.");
  }
}
