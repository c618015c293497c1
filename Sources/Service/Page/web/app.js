// The page's state, its stream of events, and the panel that says where the board is and how sure that is.
import * as panels from "./panels.js";
import * as map from "./map.js";
import * as sky from "./sky.js";

// The newest of every kind, and when it came by this browser's clock that only runs forwards.
export const live = {};
const cameAt = {};
let clockOffset = 0;
let stream = null;
let wantsHeading = false;
let trouble = "";

export const $ = (id) => document.getElementById(id);

// An element with attributes and children; texts are texts, never markup.
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

// A name that a program gave itself: characters that turn or hide text are shown as what they are, a foreign sign.
export const named = (text) =>
  h("bdi", null, String(text ?? "").replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, "\ufffd"));

export function replace(id, ...children) { $(id).replaceChildren(...children.flat(Infinity).filter((child) => child != null && child !== false)); }

export function setText(element, text) { if (element.textContent !== text) element.textContent = text; }

let announced = "";
export function announce(text) { if (text !== announced) { announced = text; setText($("announce"), text); } }

// Seconds since an event was true: since it came to the page's process, and what it was old already.
export function age(kind) {
  if (!live[kind]) return Infinity;
  return Math.max(0, (performance.now() - cameAt[kind]) / 1000 + (live[kind].age ?? 0));
}

// ---- Numbers and times as people write them

const language = navigator.language;
export const number = (value, digits = 0) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
const american = /-(US|LR|MM)$/.test(language);
export const prefer = {
  get units() { return localStorage.getItem("units") ?? (american ? "imperial" : "metric"); },
  get format() { return localStorage.getItem("format") ?? "degrees"; },
};

export function distance(metres) {
  if (!Number.isFinite(metres)) return "unknown";
  if (prefer.units === "imperial") {
    return metres < 300 ? `${number(metres / 0.3048)} ft` : `${number(metres / 1609.344, metres < 16000 ? 2 : 0)} mi`;
  }
  if (prefer.units === "nautical" && metres >= 1000) return `${number(metres / 1852, metres < 18520 ? 2 : 0)} NM`;
  if (metres < 10) return `${number(metres, metres < 1 ? 1 : 0)} m`;
  return metres < 1000 ? `${number(metres)} m` : `${number(metres / 1000, metres < 10000 ? 1 : 0)} km`;
}
export function height(metres) {
  return prefer.units === "imperial" ? `${number(metres / 0.3048)} ft` : `${number(metres)} m`;
}
export function speed(value) {
  if (prefer.units === "imperial") return `${number(value * 2.236936, 1)} mph`;
  if (prefer.units === "nautical") return `${number(value * 1.943844, 1)} kn`;
  return `${number(value * 3.6, 1)} km/h`;
}
export function span(seconds) {
  if (!Number.isFinite(seconds)) return "unknown";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172800 ? `${number(seconds / 3600, seconds < 36000 ? 1 : 0)} h` : `${Math.round(seconds / 86400)} days`;
}
export function ago(seconds) { return seconds < 1.5 ? "now" : `${span(seconds)} ago`; }

// A time of the day here, with the whole of it in UTC on hover.
export function clock(iso, withDate) {
  if (!iso) return h("span", null, "unknown");
  const date = new Date(iso);
  const isToday = date.toDateString() === new Date().toDateString();
  const options = { hour: "2-digit", minute: "2-digit" };
  if (withDate || !isToday) Object.assign(options, { day: "numeric", month: "short" });
  return h("time", { datetime: iso, title: `${iso.replace("T", " ").replace(/\.\d+Z/, "Z").replace("Z", " UTC")}` },
    date.toLocaleString(language, options));
}

// ---- Positions as people write them

function dms(value, positive, negative) {
  const tenths = Math.round(Math.abs(value) * 36000);
  const text = (count, width) => String(count).padStart(width, "0");
  return `${Math.floor(tenths / 36000)}° ${text(Math.floor(tenths / 600) % 60, 2)}′ ${text(Math.floor(tenths / 10) % 60, 2)}.${tenths % 10}″ ${value < 0 ? negative : positive}`;
}

// UTM on WGS 84 by the series of Krüger to the third order of n (good to millimetres within a zone), then the letters of
// MGRS (NGA.STND.0037, appendix B). Beyond 84 N and 80 S it has another form, which is not written.
export function mgrs(latitude, longitude) {
  if (latitude >= 84 || latitude < -80) return null;
  let zone = Math.floor((longitude + 180) / 6) % 60 + 1;
  if (latitude >= 56 && latitude < 64 && longitude >= 3 && longitude < 12) zone = 32;
  if (latitude >= 72 && longitude >= 0 && longitude < 42) zone = longitude < 9 ? 31 : longitude < 21 ? 33 : longitude < 33 ? 35 : 37;
  const n = 1 / (2 * 298.257223563 - 1), a = 6378137 / (1 + n) * (1 + n * n / 4 + n ** 4 / 64);
  const alpha = [n / 2 - 2 / 3 * n * n + 5 / 16 * n ** 3, 13 / 48 * n * n - 3 / 5 * n ** 3, 61 / 240 * n ** 3];
  const phi = latitude * Math.PI / 180, lambda = (longitude - (zone * 6 - 183)) * Math.PI / 180, c = 2 * Math.sqrt(n) / (1 + n);
  const t = Math.sinh(Math.atanh(Math.sin(phi)) - c * Math.atanh(c * Math.sin(phi)));
  const xi = Math.atan2(t, Math.cos(lambda)), eta = Math.atanh(Math.sin(lambda) / Math.hypot(1, t));
  let x = eta, y = xi;
  alpha.forEach((value, index) => {
    const j = 2 * (index + 1);
    x += value * Math.cos(j * xi) * Math.sinh(j * eta);
    y += value * Math.sin(j * xi) * Math.cosh(j * eta);
  });
  const easting = 500000 + 0.9996 * a * x, northing = 0.9996 * a * y + (latitude < 0 ? 1e7 : 0);
  const band = "CDEFGHJKLMNPQRSTUVWX"[Math.min(19, Math.floor((latitude + 80) / 8))];
  const column = ["STUVWXYZ", "ABCDEFGH", "JKLMNPQR"][zone % 3][Math.floor(easting / 1e5) - 1];
  const row = "ABCDEFGHJKLMNPQRSTUV"[(Math.floor(northing / 1e5) + (zone % 2 ? 0 : 5)) % 20];
  const five = (value) => String(Math.floor(value % 1e5)).padStart(5, "0");
  return `${zone}${band} ${column}${row} ${five(easting)} ${five(northing)}`;
}

export function written(latitude, longitude, format = prefer.format) {
  if (format === "dms") return [dms(latitude, "N", "S"), dms(longitude, "E", "W")];
  if (format === "mgrs") return [mgrs(latitude, longitude) ?? "no MGRS near the poles"];
  return [`${latitude.toFixed(6)}°`, `${longitude.toFixed(6)}°`];
}

// ---- What is true now, in a sentence

const mayShow = () => ["authorizedAlways", "authorizedWhenInUse"].includes((live.authorization ?? live.hello)?.status);

// The newest position: a location, or an epoch that has one.
export function place() {
  const found = ["location", "sky", "epoch"].filter((kind) => live[kind]?.latitude !== undefined);
  found.sort((left, right) => age(left) - age(right));
  return found[0] ? { ...live[found[0]], age: age(found[0]) } : live.hello?.location ? { ...live.hello.location, age: live.hello.location.age ?? Infinity } : null;
}

const plans = {
  noDemand: "no program wants a position, so the receiver rests",
  accuracyHolds: "the last position is still good enough for what is asked",
  interval: "the next position is due then",
  searchesFail: "the sky was not seen, and searching again too soon would spend the battery",
};

// [kind, sentence, because]; the kind chooses mark and colour.
export function sentence() {
  if (trouble) return ["bad", trouble, ""];
  const link = live.link;
  if (!link) return ["wait", "Connecting", ""];
  if (link.state === "none") return ["bad", "No daemon", link.message];
  if (link.state === "old") return ["bad", "An old daemon", link.message];
  if ((live.authorization ?? live.hello)?.servicesEnabled === false) return ["wait", "Location services are off", "An operator switches them on: sextant services on."];
  const receiver = live.status?.receiver ?? {}, power = live.status?.power ?? {}, plan = live.status?.plan ?? power.plan;
  if (receiver.state === "absent") return ["bad", "Receiver unplugged", receiver.detail ?? "Nothing answers at its port."];
  if (live.hello && !mayShow()) return ["wait", "This page may not see where the board is", `An operator allows it: sextant clients allow ${live.hello.client ?? "sextant-page"}.`];
  if (link.message) return ["warn", "Positions are not shown", link.message];
  const fix = place(), outage = power.outage, silent = receiver.secondsSinceEpoch;
  if (outage && outage.endedSecondsAgo === undefined) {
    const since = span((outage.beganSecondsAgo ?? 0) + age("status"));
    if (outage.reason === "noSky") return ["warn", `No sky for ${since}`, outage.message ?? "The receiver searches and finds no satellites."];
    return ["bad", `The receiver does not answer, for ${since}`, outage.message ?? ""];
  }
  if (plan) {
    const left = plan.seconds, until = plan.restingUntil ?? (left !== undefined ? new Date(Date.now() + left * 1000).toISOString() : null);
    const time = until ? new Date(until).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" }) : null;
    const why = plans[plan.why] ?? "this is meant to be";
    return ["rest", time ? `Asleep until ${time}, by plan` : "Asleep, by plan", `${why[0].toUpperCase()}${why.slice(1)}.`];
  }
  if (receiver.state === "resting") return ["rest", "Asleep, by plan", "No program wants a position, so the receiver rests."];
  const epoch = age("sky") < age("epoch") ? live.sky : live.epoch;
  if (receiver.state === "silent" || silent > 10) return ["bad", `The receiver has been silent for ${span(silent ?? 0)}`, "It is there and sends nothing; look at its supply and wiring."];
  if (["starting", "detecting", "configuring"].includes(power.state)) return ["wait", "The receiver starts", ""];
  const isLost = epoch && (epoch.latitude === undefined || epoch.fixType === "noFix") && Math.min(age("sky"), age("epoch")) < 15;
  if (fix && fix.age < 15 && !isLost) return ["good", `Tracking, ${distance(fix.horizontalAccuracy)}`, ""];
  if (epoch) return ["warn", `No sky${fix && fix.age < 1e6 ? ` for ${span(fix.age)}` : ""}`, "The receiver works and finds too few satellites. Does its aerial see the sky?"];
  return ["wait", "Waiting for the first position", "The page itself never wakes the receiver; a program has to want a position."];
}

const marks = { good: "●", rest: "◐", wait: "○", warn: "▲", bad: "■" };
const fixNames = {
  noFix: "none", deadReckoningOnly: "dead reckoning", twoD: "2D", threeD: "3D",
  gnssPlusDeadReckoning: "satellites and dead reckoning", timeOnly: "time only",
};

function drawNow() {
  const [kind, text, because] = sentence();
  setText($("mark"), marks[kind]);
  $("mark").className = kind;
  setText($("sentence-text"), text);
  setText($("because"), because ? because[0].toUpperCase() + because.slice(1) : "");
  announce(text.replace(/ \d+ s$/, " some seconds"));
  document.title = `${text} – Sextant`;
  const fix = place();
  $("position-box").hidden = !fix;
  if (!fix) return;
  const interval = kind === "good" ? 1 : kind === "rest" ? Infinity : 1;
  const isOld = fix.age > Math.max(3 * interval, 3) || kind === "bad" || kind === "warn";
  for (const id of ["position", "facts"]) $(id).classList.toggle("old", isOld);
  const lines = written(fix.latitude, fix.longitude);
  if ($("position").textContent !== lines.join("")) replace("position", lines.map((line) => h("span", null, line)));
  setText($("age"), fix.age < Infinity ? `${isOld ? "Last known, " : "Measured "}${ago(fix.age)}` : "Last known");
  const epoch = live.sky ?? live.epoch ?? {};
  const facts = [
    ["Accuracy (68 %)", distance(fix.horizontalAccuracy)],
    ["Speed", fix.speed !== undefined ? speed(fix.speed) : "unknown"],
    ["Course", fix.course !== undefined ? `${number(fix.course)}° true` : fix.speed < 0.5 ? "standing" : "unknown"],
    fix.altitudeAboveMeanSeaLevel !== undefined ? ["Above mean sea level", height(fix.altitudeAboveMeanSeaLevel)]
      : ["Above the ellipsoid", fix.heightAboveEllipsoid !== undefined ? height(fix.heightAboveEllipsoid) : "unknown"],
    ["Fix", fixNames[fix.fixType ?? epoch.fixType] ?? "unknown"],
    ["Satellites used", epoch.satellitesUsed !== undefined ? String(epoch.satellitesUsed) : "unknown"],
  ];
  const old = $("facts").children;
  if (old.length !== facts.length) replace("facts", facts.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
  else facts.forEach(([name, value], index) => { setText(old[index].firstChild, name); setText(old[index].lastChild, value); });
}

// ---- The stream

const kinds = ["link", "hello", "authorization", "status", "location", "epoch", "sky", "prompts", "services", "regions", "visits", "clients", "energy", "heading", "compass", "map"];

function connect() {
  stream?.close();
  if (document.hidden) return;
  stream = new EventSource(`/events${wantsHeading ? "?heading=1" : ""}`);
  stream.addEventListener("clock", (event) => { clockOffset = performance.now() - JSON.parse(event.data).now; });
  for (const kind of kinds) {
    stream.addEventListener(kind, (event) => {
      trouble = "";
      live[kind] = JSON.parse(event.data);
      cameAt[kind] = Math.min(performance.now(), Number(event.lastEventId) + clockOffset);
      if (kind === "link" && live.link.state !== "connected") for (const other of kinds) if (other !== "link" && other !== "map" && other !== "location" && other !== "epoch") delete live[other];
      update(kind);
    });
  }
  stream.onerror = () => { stream.readyState === EventSource.CLOSED ? refused() : unreachable(); };
}

function unreachable() {
  trouble = "The board does not answer; the page tries again";
  drawNow();
}

// The browser does not tell why a stream was refused, so a request asks.
async function refused() {
  try {
    const answer = await fetch("/events", { method: "HEAD" });
    trouble = answer.status === 403 ? "Open this page by the address that “sextant page” prints on the board"
      : answer.status === 503 ? "Eight viewers look already; close one of the other tabs" : `The board refuses (${answer.status})`;
    if (answer.status === 403 && await openSession()) return connect();
  } catch { trouble = "The board does not answer; the page tries again"; }
  drawNow();
  setTimeout(connect, 5000);
}

async function openSession() {
  const secret = new URLSearchParams(location.hash.slice(1)).get("s");
  if (!secret) return false;
  const answer = await post("/session", { secret });
  if (answer.ok) history.replaceState(null, "", location.pathname);
  else trouble = answer.text;
  return answer.ok;
}

export async function post(path, body) {
  try {
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const value = await answer.json().catch(() => ({}));
    return { ok: answer.ok, text: value.error ?? "", value };
  } catch { return { ok: false, text: "The board does not answer.", value: {} }; }
}

export async function get(path) {
  const answer = await fetch(path);
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(value.error ?? `The board refuses (${answer.status}).`);
  return value;
}

export function listenToHeading(wants) {
  wantsHeading = wants;
  if (!wants) delete live.heading;
  connect();
}

function update(kind) {
  drawNow();
  map.update(kind);
  sky.update(kind);
  panels.update(kind);
}

// Asks before a change; the question holds who and what.
export function confirmed(title, text, yes) {
  return new Promise((resolve) => {
    const dialog = $("ask");
    replace("ask-title", title); replace("ask-text", text); replace("ask-yes", yes);
    const end = (value) => { dialog.close(); resolve(value); };
    $("ask-yes").onclick = () => end(true);
    $("ask-no").onclick = () => end(false);
    dialog.oncancel = () => resolve(false);
    dialog.showModal();
  });
}

function prepare() {
  $("units").value = prefer.units;
  $("format").value = prefer.format;
  for (const id of ["units", "format"]) $(id).onchange = () => { localStorage.setItem(id, $(id).value); for (const kind of ["link", ...kinds]) if (live[kind]) update(kind); };
  $("position").onclick = async () => {
    const fix = place();
    const text = written(fix.latitude, fix.longitude).join(" ");
    try { await navigator.clipboard.writeText(text); announce(`Copied ${text}`); }
    catch {
      // Without https the clipboard is closed: the text is selected instead.
      getSelection().selectAllChildren($("position"));
      announce("Selected; copy it with the keyboard");
    }
  };
  map.prepare(); sky.prepare(); panels.prepare();
  document.addEventListener("visibilitychange", () => { document.hidden ? (stream?.close(), stream = null) : connect(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { map.redraw(); sky.redraw(); panels.redraw(); });
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; map.redraw(); sky.redraw(); panels.redraw(); } });
  // Ages are texts; no canvas is drawn for them.
  setInterval(() => { if (!document.hidden) { drawNow(); panels.tick(); } }, 1000);
}

prepare();
if (location.hash.startsWith("#s=")) await openSession();
connect();
drawNow();
