// The whole page in one module, so that a cold load asks for one file and not for four: its state and its stream of
// events, the panel that says where the board is and how sure that is, the map, the sky, and the panels beside them.

// The newest of every kind, and when it came by this browser's clock that only runs forwards.
const live = {};
const cameAt = {};
let clockOffset = 0;
let stream = null;
let wantsHeading = false;
let trouble = "";
// Whether this browser has no session, or none any more.
let isLockedOut = false;

const $ = (id) => document.getElementById(id);

// An element with attributes and children; texts are texts, never markup.
function h(tag, attributes, ...children) {
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
const named = (text) =>
  h("bdi", null, String(text ?? "").replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, "\ufffd"));

// A colour of the style, light or dark.
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function replace(id, ...children) { $(id).replaceChildren(...children.flat(Infinity).filter((child) => child != null && child !== false)); }

function setText(element, text) { if (element.textContent !== text) element.textContent = text; }

let announced = "";
function announce(text) { if (text !== announced) { announced = text; setText($("announce"), text); } }

// Seconds since an event was true: since it came to the page's process, and what it was old already.
function age(kind) {
  if (!live[kind]) return Infinity;
  return Math.max(0, (performance.now() - cameAt[kind]) / 1000 + (live[kind].age ?? 0));
}

// ---- Numbers and times as people write them

const language = navigator.language;
const number = (value, digits = 0) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
const some = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;
const american = /-(US|LR|MM)$/.test(language);
// What this browser's user has chosen; it is kept here alone.
const prefer = {};
for (const [name, value] of Object.entries({ units: american ? "imperial" : "metric", format: "degrees", times: "local", figures: "small", night: "off" })) {
  Object.defineProperty(prefer, name, { get: () => localStorage.getItem(name) ?? value });
}

function distance(metres) {
  if (!Number.isFinite(metres)) return "unknown";
  if (prefer.units === "imperial") {
    return metres < 300 ? `${number(metres / 0.3048)} ft` : `${number(metres / 1609.344, metres < 16000 ? 2 : 0)} mi`;
  }
  if (prefer.units === "nautical" && metres >= 1000) return `${number(metres / 1852, metres < 18520 ? 2 : 0)} NM`;
  if (metres < 10) return `${number(metres, metres < 1 ? 1 : 0)} m`;
  return metres < 1000 ? `${number(metres)} m` : `${number(metres / 1000, metres < 10000 ? 1 : 0)} km`;
}
function height(metres) {
  return prefer.units === "imperial" ? `${number(metres / 0.3048)} ft` : `${number(metres)} m`;
}
const speedUnits = { metric: [3.6, "km/h"], nautical: [1.943844, "kn"], imperial: [2.236936, "mph"] };
function speedParts(value) {
  const [factor, unit] = speedUnits[prefer.units] ?? speedUnits.metric;
  return [number(value * factor, 1), unit];
}
const speed = (value) => speedParts(value).join(" ");
function span(seconds) {
  if (!Number.isFinite(seconds)) return "unknown";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172800 ? `${number(seconds / 3600, seconds < 36000 ? 1 : 0)} h` : `${Math.round(seconds / 86400)} days`;
}
function ago(seconds) { return seconds < 1.5 ? "now" : `${span(seconds)} ago`; }

// A time of the day, of this browser's place or of UTC.
function timeText(date, options = {}) {
  const isUTC = prefer.times === "utc";
  return date.toLocaleString(language, { hour: "2-digit", minute: "2-digit", ...options, ...(isUTC ? { timeZone: "UTC" } : {}) }) + (isUTC ? " UTC" : "");
}

// The same with the whole of it in UTC on hover, and with the day where that is not today or is asked for.
function clock(iso, withDate) {
  if (!iso) return h("span", null, "unknown");
  const date = new Date(iso), day = (each) => prefer.times === "utc" ? each.toISOString().slice(0, 10) : each.toDateString();
  return h("time", { datetime: iso, title: `${iso.replace("T", " ").replace(/\.\d+Z/, "Z").replace("Z", " UTC")}` },
    timeText(date, withDate || day(date) !== day(new Date()) ? { day: "numeric", month: "short" } : {}));
}

// Metres over a round Earth.
function metresBetween(from, to) {
  const [a, b] = [from, to].map((each) => [each.longitude * Math.PI / 180, each.latitude * Math.PI / 180]);
  const value = Math.sin((b[1] - a[1]) / 2) ** 2 + Math.cos(a[1]) * Math.cos(b[1]) * Math.sin((b[0] - a[0]) / 2) ** 2;
  return 2 * 6371008.8 * Math.asin(Math.sqrt(value));
}

// ---- Positions as people write them

function dms(value, positive, negative) {
  const tenths = Math.round(Math.abs(value) * 36000);
  const text = (count, width) => String(count).padStart(width, "0");
  return `${Math.floor(tenths / 36000)}° ${text(Math.floor(tenths / 600) % 60, 2)}′ ${text(Math.floor(tenths / 10) % 60, 2)}.${tenths % 10}″ ${value < 0 ? negative : positive}`;
}

// Degrees and minutes to the thousandth, 1.9 m, as charts and radios have them.
function dm(value, positive, negative) {
  const thousandths = Math.round(Math.abs(value) * 60000);
  return `${Math.floor(thousandths / 60000)}° ${(thousandths % 60000 / 1000).toFixed(3).padStart(6, "0")}′ ${value < 0 ? negative : positive}`;
}

// UTM on WGS 84 by the series of Krüger to the third order of n (good to millimetres within a zone), then the letters of
// MGRS (NGA.STND.0037, appendix B). Beyond 84 N and 80 S it has another form, which is not written.
function mgrs(latitude, longitude) {
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

const decimal = (value, positive, negative, digits = 6) => `${Math.abs(value).toFixed(digits)}° ${value < 0 ? negative : positive}`;

function written(latitude, longitude, digits = 6) {
  const write = { dm, dms }[prefer.format];
  if (write) return [write(latitude, "N", "S"), write(longitude, "E", "W")];
  if (prefer.format === "mgrs") return [mgrs(latitude, longitude) ?? "no MGRS near the poles"];
  return [decimal(latitude, "N", "S", digits), decimal(longitude, "E", "W", digits)];
}

// ---- Names of places, from the tables of the board; without one there are none

// The words for a point, by its place to 500 m: undefined until they came, null where nothing is known.
const nearNames = new Map();
let nearWanted = new Set(), hasNames = true;

// "near Oerlikon, Zürich", once it is known; what is not is asked for with the next tick.
function near(each) {
  if (!hasNames || each?.latitude === undefined) return "";
  const key = [each.latitude, each.longitude].map((value) => (Math.round(value * 200) / 200).toFixed(3)).join();
  if (!nearNames.has(key)) nearWanted.add(key);
  return nearNames.get(key) ?? "";
}

async function askNames() {
  if (!nearWanted.size || !hasNames || live.link?.state !== "connected") return;
  const points = [...nearWanted].slice(0, 64);
  nearWanted = new Set();
  try {
    const { near: names, attribution } = await get(`/near?at=${points.join(";")}`);
    hasNames = names.length > 0;
    setText($("sources"), hasNames ? attribution : "");
    if (nearNames.size > 1000) nearNames.clear();
    points.forEach((point, index) => nearNames.set(point, names[index] ?? null));
    drawNow(); drawPlaces();
  } catch { /* they are wanted again with the next drawing */ }
}

// ---- What is true now, in a sentence

const mayShow = () => ["authorizedAlways", "authorizedWhenInUse"].includes((live.authorization ?? live.hello)?.status);

// The newest position: a location, or an epoch that has one.
function place() {
  const found = ["location", "sky", "epoch"].filter((kind) => live[kind]?.latitude !== undefined);
  found.sort((left, right) => age(left) - age(right));
  return found[0] ? { ...live[found[0]], age: age(found[0]) } : live.hello?.location ? { ...live.hello.location, age: live.hello.location.age ?? Infinity } : null;
}

// When the last three positions were true, the newest first, in seconds of this page.
const positionsAt = [];
function notePosition() {
  const at = performance.now() / 1000 - (place()?.age ?? Infinity);
  if (at > -Infinity && !(at - positionsAt[0] < 0.5)) positionsAt.splice(0, positionsAt.length, at, ...positionsAt.slice(0, 2));
}

// Seconds between positions; undefined until there were three. Of the two gaps the shorter counts: the other may have been an outage.
const stride = () => positionsAt.length < 3 ? undefined : Math.min(positionsAt[0] - positionsAt[1], positionsAt[1] - positionsAt[2]);

// Whether the next position after this one is not overdue.
const isCurrent = (fix) => fix?.age <= (stride() ? Math.max(3, Math.min(180, 3 * stride())) : 15);

const plans = {
  noDemand: "no program asks for a position",
  accuracyHolds: "the last position is still good enough for every program that asks",
  interval: "the next position is due then",
  searchesFail: "the last search found no satellites; the next one waits, to spare the battery",
};

// The board's own sleep that was last announced, kept while the board does not answer.
let boardSleep = null;
function noteBoardSleep() {
  const plan = live.status?.host?.plan;
  boardSleep = plan ? { until: Date.now() + (plan.seconds - age("status")) * 1000, byMotion: plan.byMotion } : null;
}
const asleepText = () => `${timeText(new Date(boardSleep.until))}${boardSleep.byMotion ? ", wakes when moved" : ""}`;

// [kind, sentence, because]; the kind chooses mark and colour.
function sentence() {
  if (boardSleep && (trouble || live.link && live.link.state !== "connected")) {
    return Date.now() < boardSleep.until + 120_000
      ? ["rest", `Asleep until ${asleepText()}`, "The board has switched itself off. This page goes on when it is back."]
      : ["bad", `No word from the board, which was to wake at ${timeText(new Date(boardSleep.until))}`, ""];
  }
  if (trouble) return ["bad", trouble, isLockedOut ? "An address opens the page once, and within 10 minutes; sudo sextant page --share prints another." : ""];
  const link = live.link;
  if (!link) return ["wait", "Connecting", ""];
  if (link.state === "none") return ["bad", "Sextant is not running", link.message];
  if (link.state === "old") return ["bad", "An old Sextant is running", link.message];
  if ((live.authorization ?? live.hello)?.servicesEnabled === false) return ["wait", "Location services are off", "An operator switches them on: sextant services on."];
  const receiver = live.status?.receiver ?? {}, power = live.status?.power ?? {}, plan = live.status?.plan ?? power.plan;
  if (receiver.state === "absent") return ["bad", "Receiver unplugged", receiver.detail ?? "Nothing answers at its port."];
  if (live.hello && !mayShow()) return ["wait", "This page may not see where the board is", `An operator allows it: sextant clients allow ${live.hello.client ?? "sextant-page"}; sudo sextant page --share does so too.`];
  if (link.message) return ["warn", "Positions are not shown", link.message];
  if (boardSleep) return ["rest", `Going to sleep until ${asleepText()}`, "The board switches itself off in less than a minute."];
  const fix = place(), outage = power.outage, silent = receiver.secondsSinceEpoch;
  if (receiver.detail && !plan && !isCurrent(fix)) return ["warn", "Positions are withheld", `The receiver is heard, but ${receiver.detail}`];
  if (outage && outage.endedSecondsAgo === undefined) {
    const since = span((outage.beganSecondsAgo ?? 0) + age("status"));
    if (outage.reason === "noSky") return ["warn", `No sky for ${since}`, outage.message ?? "The receiver searches and finds no satellites."];
    return ["bad", `The receiver does not answer, for ${since}`, outage.message ?? ""];
  }
  if (plan) {
    const left = plan.seconds, until = plan.restingUntil ?? (left !== undefined ? new Date(Date.now() + left * 1000).toISOString() : null);
    const time = until ? timeText(new Date(until)) : null;
    const why = plans[plan.why] ?? "this is meant to be";
    return ["rest", time ? `Asleep until ${time}, by plan` : "Asleep, by plan", `${why[0].toUpperCase()}${why.slice(1)}.`];
  }
  if (receiver.state === "resting") return ["rest", "Asleep, by plan", "No program asks for a position."];
  const epoch = age("sky") < age("epoch") ? live.sky : live.epoch;
  if (receiver.state === "silent" || silent > 10) return ["bad", `The receiver has been silent for ${span(silent ?? 0)}`, "It is connected, but sends nothing. Check its supply and its wiring."];
  if (["starting", "detecting", "configuring"].includes(power.state)) return ["wait", "The receiver starts", ""];
  const isBlind = epoch && (epoch.latitude === undefined || epoch.fixType === "noFix");
  if (isCurrent(fix) && !(isBlind && Math.min(age("sky"), age("epoch")) < 15)) {
    return ["good", `Tracking, ${distance(fix.horizontalAccuracy)}`, stride() > 3 ? `A position comes every ${span(stride())}.` : ""];
  }
  // Without a position so far a search is nothing to worry about, until the daemon calls it an outage.
  if (power.state === "searching" && !fix) return ["wait", "Searching for satellites", "The first position takes about half a minute under an open sky, and some minutes where the sky is half hidden."];
  if (isBlind) return ["warn", `No sky${fix && fix.age < 1e6 ? ` for ${span(fix.age)}` : ""}`, "The receiver works, but finds too few satellites. Can its antenna see the sky?"];
  if (fix && (live.location || epoch)) return ["warn", `No new position for ${span(fix.age)}`, "The next one comes when the receiver has it and a program asks for it."];
  return ["wait", "Waiting for the first position", "It comes once a program asks for one. Looking at this page does not wake the receiver."];
}

const marks = { good: "●", rest: "◐", wait: "○", warn: "▲", bad: "■" };
const fixNames = {
  noFix: "none", deadReckoningOnly: "dead reckoning", twoD: "2D", threeD: "3D",
  gnssPlusDeadReckoning: "satellites and dead reckoning", timeOnly: "time only",
};

let lastSentence = "";
function drawNow() {
  const [kind, text, because] = sentence();
  setText($("mark"), marks[kind]);
  $("mark").className = kind;
  setText($("sentence-text"), text);
  // The name of a program keeps its small letter.
  setText($("because"), /^sextant/.test(because) ? because : because ? because[0].toUpperCase() + because.slice(1) : "");
  if (text !== lastSentence) announce(text.replace(/ \d+ s$/, " some seconds"));
  lastSentence = text;
  // Nothing is known then, and empty panels would say otherwise.
  document.body.classList.toggle("locked-out", isLockedOut && !live.hello);
  document.title = `${alarmText() || text} – Sextant`;
  drawLocate();
  drawAnchor();
  const fix = place();
  $("position-box").hidden = !fix;
  if (!fix) return;
  const isOld = kind === "bad" || kind === "warn" || kind === "wait" && !isCurrent(fix);
  for (const id of ["position", "facts", "figures-large"]) $(id).classList.toggle("old", isOld);
  const lines = written(fix.latitude, fix.longitude);
  if ($("position").textContent !== lines.join("")) replace("position", lines.map((line) => h("span", null, line)));
  const words = near(fix);
  setText($("age"), (fix.age < Infinity ? `${isOld ? "Last known, " : "Measured "}${ago(fix.age)}` : "Last known") + (words && ` · ${words}`));
  const epoch = live.sky ?? live.epoch ?? {};
  const isLarge = prefer.figures === "large";
  $("figures-large").hidden = !isLarge;
  if (isLarge) {
    const [value, unit] = fix.speed !== undefined ? speedParts(fix.speed) : ["–", ""];
    replace("figures-large", [["Speed", value, unit], ["Course", fix.course !== undefined ? `${number(fix.course)}°` : "–", fix.course !== undefined ? "true" : ""]]
      .map(([name, figure, of]) => h("div", null, h("dt", null, name), h("dd", null, figure, " ", h("small", null, of)))));
  }
  const facts = [
    ["Accuracy (68 %)", distance(fix.horizontalAccuracy)],
    !isLarge && ["Speed", fix.speed !== undefined ? speed(fix.speed) : "unknown"],
    !isLarge && ["Course", fix.course !== undefined ? `${number(fix.course)}° true` : fix.speed < 0.5 ? "standing" : "unknown"],
    fix.altitudeAboveMeanSeaLevel !== undefined ? ["Above sea level", height(fix.altitudeAboveMeanSeaLevel)]
      : ["Above the ellipsoid", fix.heightAboveEllipsoid !== undefined ? height(fix.heightAboveEllipsoid) : "unknown"],
    ["Fix", fixNames[fix.fixType ?? epoch.fixType] ?? "unknown"],
    ["Satellites used", epoch.satellitesUsed !== undefined ? String(epoch.satellitesUsed) : "unknown"],
  ].filter(Boolean);
  const old = $("facts").children;
  if (old.length !== facts.length) replace("facts", facts.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
  else facts.forEach(([name, value], index) => { setText(old[index].firstChild, name); setText(old[index].lastChild, value); });
}

// ---- The stream

const kinds = ["link", "hello", "authorization", "status", "location", "epoch", "sky", "prompts", "services", "regions", "visits", "clients", "energy", "heading", "compass", "map", "uplink"];

function connect() {
  stream?.close();
  if (document.hidden && !anchor) return;
  // The track went on meanwhile.
  wasOperator = false;
  stream = new EventSource(`/events${wantsHeading ? "?heading=1" : ""}`);
  stream.addEventListener("clock", (event) => { clockOffset = performance.now() - JSON.parse(event.data).now; });
  for (const kind of kinds) {
    stream.addEventListener(kind, (event) => {
      [trouble, isLockedOut] = ["", false];
      live[kind] = JSON.parse(event.data);
      cameAt[kind] = Math.min(performance.now(), Number(event.lastEventId) + clockOffset);
      notePosition();
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
    isLockedOut = answer.status === 403;
    trouble = isLockedOut ? "Open this page by the address that “sextant page” prints on the board"
      : answer.status === 503 ? "Eight viewers look already; close one of the other tabs" : `The board refuses (${answer.status})`;
    if (isLockedOut && await openSession()) return connect();
  } catch { trouble = "The board does not answer; the page tries again"; }
  drawNow();
  setTimeout(connect, 5000);
}

// Trades the code or the secret behind # for the session's cookie. It leaves the address at once, since a change of the address later
// has the browser ask for the icon again; where the trade fails it is put back, so that a reload tries again.
async function openSession() {
  const hash = location.hash, parts = new URLSearchParams(hash.slice(1));
  const body = parts.has("c") ? { code: parts.get("c") } : parts.has("s") ? { secret: parts.get("s") } : null;
  if (!body) return false;
  history.replaceState(null, "", location.pathname);
  const answer = await post("/session", body);
  if (answer.ok) return true;
  history.replaceState(null, "", location.pathname + hash);
  trouble = answer.text;
  return false;
}

async function post(path, body) {
  try {
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const value = await answer.json().catch(() => ({}));
    return { ok: answer.ok, text: value.error ?? "", value };
  } catch { return { ok: false, text: "The board does not answer.", value: {} }; }
}

async function get(path) {
  const answer = await fetch(path);
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(value.error ?? `The board refuses (${answer.status}).`);
  return value;
}

function listenToHeading(wants) {
  wantsHeading = wants;
  if (!wants) delete live.heading;
  connect();
}

function update(kind) {
  drawNow();
  updateMap(kind);
  updateSky(kind);
  updatePanels(kind);
}

// Asks before a change; the question holds who and what.
function confirmed(title, text, yes) {
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

// ======== The map: a canvas of its own in Web Mercator. Coast, the owner's tiles where there are any, track, regions,
// visits, the accuracy's ellipse and the position. It is drawn when something changed, and never in a loop.

const view = { x: 0.5, y: 0.5, zoom: 2 };
let follow = true, hasView = false, measuring = false, measured = [], isMapDue = false;
// The lines of the coast by scale, asked for when first drawn; null until they came.
const coasts = {};
// The track, its points in the world, where each line of it begins, and how much of what was recorded it is.
let track = [], trackX = new Float64Array(0), trackY = new Float64Array(0), trackBegins = new Uint8Array(0), trackSpan = "86400", trackOf = 0, trackWithin = 0;
// How many points the daemon keeps in all, and how many a day there were in the time asked for; null while that is not known.
let trackKept = 0, trackPace = null;
const tiles = new Map();
const canvas = document.getElementById("map-canvas");

// How often the map was drawn; tests read it, and what it draws.
let mapDraws = 0;
globalThis.sextantMap = { get draws() { return mapDraws; }, get track() { return track; }, get begins() { return [...trackBegins]; }, gpx, geoJSON, setTrack, draw: drawMap, view, outline, roundLength };

// The world is drawn to a kilometre from the poles; Web Mercator's tiles end where their square does, at 85 degrees.
const lastLatitude = 89.99, lastTiled = 85.0511;
const worldX = (longitude) => longitude / 360 + 0.5;
const worldY = (latitude) => {
  const sine = Math.sin(Math.max(-lastLatitude, Math.min(lastLatitude, latitude)) * Math.PI / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};
// The world repeats to the east and west: the copy of a place that is nearest to another.
const beside = (x, other) => x + Math.round(other - x);
const latitudeAt = (y) => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;
const longitudeAt = (x) => (x - 0.5) * 360;
const scale = () => 256 * 2 ** view.zoom;
// A zoom that shows as many metres at this latitude as the given one does at the equator, or up to twice as many.
const zoomAt = (latitude, zoom) => zoom + Math.ceil(Math.log2(Math.cos(Math.min(lastLatitude, Math.abs(latitude)) * Math.PI / 180)));
const metresPerPixel = () => 40075016.686 * Math.cos(latitudeAt(view.y) * Math.PI / 180) / scale();

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
    line.box = [Infinity, Infinity, -Infinity, -Infinity];
    for (let index = 0; index < count; index++) {
      longitude += signed(); latitude += signed();
      const x = line[2 * index] = worldX(longitude / 100), y = line[2 * index + 1] = worldY(latitude / 100), [west, north, east, south] = line.box;
      line.box = [Math.min(west, x), Math.min(north, y), Math.max(east, x), Math.max(south, y)];
    }
    lines.push(line);
  }
  return lines;
}

// The shores of land and lakes, each a ring. Some lines of a coast are pieces of one, end to end; Antarctica's goes about the pole.
function shores(lines) {
  const open = [], rings = [];
  const isEnd = (x, y, line, at) => Math.abs(line[at] - x) + Math.abs(line[at + 1] - y) < 1e-6;
  for (const line of lines) (isEnd(line[0], line[1], line, line.length - 2) ? rings : open).push(line);
  while (open.length) {
    let ring = [...open.pop()];
    for (let next; (next = open.findIndex((line) => isEnd(ring.at(-2), ring.at(-1), line, 0))) >= 0;) ring = [...ring, ...open.splice(next, 1)[0]];
    for (let last; (last = open.findIndex((line) => isEnd(ring[0], ring[1], line, line.length - 2))) >= 0;) ring = [...open.splice(last, 1)[0], ...ring];
    if (Math.abs(ring.at(-2) - ring[0]) > 0.9) ring.push(ring.at(-2), worldY(-90), ring[0], worldY(-90));
    ring.box = [0, 1].map((axis) => ring.filter((_, index) => index % 2 === axis)).flatMap((each) => [each.reduce((a, b) => Math.min(a, b)), each.reduce((a, b) => Math.max(a, b))]);
    ring.box = [ring.box[0], ring.box[2], ring.box[1], ring.box[3]];
    rings.push(ring);
  }
  return rings;
}

async function loadCoast(name) {
  const lines = decode(await (await fetch(name)).arrayBuffer());
  lines.shores = shores(lines);
  return lines;
}

// Of more points every second is drawn, or third: they would cost frames.
const longestTrack = 5000;
function setTrack(points) {
  const step = Math.ceil(points.length / longestTrack);
  track = step > 1 ? points.filter((_, index) => index % step === 0 || index === points.length - 1) : points;
  let last = 0.5;
  trackX = Float64Array.from(track, (point) => last = beside(worldX(point.longitude), last));
  trackY = Float64Array.from(track, (point) => worldY(point.latitude));
  // A line ends at a gap, and where a leg by the pole would be a streak across the map.
  trackBegins = Uint8Array.from(track, (_, index) => Number(index === 0 || Boolean(track[index - 1].gap) || Math.abs(trackX[index] - trackX[index - 1]) > 0.25));
  redrawMap();
}

const trackPoint = ([seconds, latitude, longitude, speed, altitude, gap]) => ({ time: new Date(seconds * 1000).toISOString(), latitude, longitude, speed, altitude, gap });

let trackAsked = 0;
async function askTrack(pause = 2000) {
  if (live.link?.role !== "operator" || !trackSpan) { trackOf = 0; setTrack([]); mapNote(); mapTable(); return; }
  const asked = ++trackAsked;
  try {
    // The span ends with the newest point. What is asked for at first is a small part, for a quick load.
    const { points, of, kept, within } = await get(`/track?points=${asked > 1 ? 2000 : 1000}${trackSpan === "all" ? "" : `&span=${trackSpan}`}`);
    if (asked !== trackAsked) return;
    [trackOf, trackWithin, trackKept] = [of, within, kept];
    trackPace = of > 1 ? (of - 1) / (points.at(-1)[0] - points[0][0]) * 86400 : null;
    setTrack(points.map(trackPoint));
    mapNote(); mapTable(); drawHealth();
  } catch {
    // The sentence above says what is wrong with the daemon. One that is there may have refused, as where too much was asked.
    setTimeout(() => { if (asked === trackAsked && wasOperator) askTrack(Math.min(2 * pause, 60000)); }, pause);
  }
}

// ---- Saving

// Every point of the time chosen, the oldest first: the newest 4000, then those before them, until there are no more.
async function wholeTrack() {
  const limit = 4000, pieces = [];
  let part = trackSpan === "all" ? "" : `&span=${trackSpan}`;
  for (;;) {
    const { points, of } = await get(`/track?whole=1&points=${limit}${part}`);
    if (points.length) pieces.unshift(points.map(trackPoint));
    if (of < limit) return pieces.flat();
    const oldest = points[0][0], newest = Date.parse(pieces.at(-1).at(-1).time) / 1000;
    part = `&to=${oldest - 0.001}` + (trackSpan === "all" ? "" : `&from=${newest - Number(trackSpan)}`);
    setText($("track-note"), `Reading the track: ${some(pieces.flat().length, "point")}.`);
  }
}

// Its lines: a gap ends one.
function trackLines(points) {
  const lines = [];
  points.forEach((point, index) => index === 0 || points[index - 1].gap ? lines.push([point]) : lines.at(-1).push(point));
  return lines;
}

// The visits that were not over before the track begins.
const visitsSince = (time) => (live.visits?.visits ?? []).filter((visit) => trackSpan === "all" || !time || !visit.departure || visit.departure >= time);

// A text in XML: signs that have a meaning there are written by their names, and those that may not be there as a foreign sign.
const xml = (text) => named(text).textContent.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

// GPX 1.1, of which the members have an order, and longitudes end below 180.
function gpx(points, visits, name) {
  const at = (each) => `lat="${each.latitude}" lon="${each.longitude === 180 ? -180 : each.longitude}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Sextant" xmlns="http://www.topografix.com/GPX/1/1">
<metadata><name>${xml(name)}</name></metadata>
${visits.map((visit) => `<wpt ${at(visit)}>${visit.arrival ? `<time>${xml(visit.arrival)}</time>` : ""}<name>Visit</name><desc>${xml(`${visit.arrival ?? "earlier"} to ${visit.departure ?? "now"}, within ${visit.horizontalAccuracy ?? "?"} m`)}</desc></wpt>`).join("\n")}
<trk><name>${xml(name)}</name>
${trackLines(points).map((line) => `<trkseg>
${line.map((point) => `<trkpt ${at(point)}>${point.altitude != null ? `<ele>${point.altitude}</ele>` : ""}<time>${point.time}</time></trkpt>`).join("\n")}
</trkseg>`).join("\n")}
</trk></gpx>
`;
}

// A line as lines that do not cross 180 degrees, as RFC 7946 wants it (3.1.9); the cut is a point of both.
function cutAt180(line) {
  const pieces = [[]];
  line.forEach((point, index) => {
    const last = line[index - 1], east = last && Math.sign(last.longitude);
    if (last && Math.abs(point.longitude - last.longitude) > 180) {
      const span = 360 - Math.abs(point.longitude - last.longitude), share = span ? (180 - Math.abs(last.longitude)) / span : 0;
      const at = (from, to) => from == null || to == null ? null : from + share * (to - from);
      const cut = { latitude: at(last.latitude, point.latitude), altitude: at(last.altitude, point.altitude), speed: at(last.speed, point.speed),
        time: new Date(at(Date.parse(last.time), Date.parse(point.time))).toISOString() };
      pieces.at(-1).push({ ...cut, longitude: 180 * east });
      pieces.push([{ ...cut, longitude: -180 * east }]);
    }
    pieces.at(-1).push(point);
  });
  return pieces;
}

function geoJSON(points, visits, name) {
  const position = ({ longitude, latitude, altitude }) => altitude != null ? [longitude, latitude, altitude] : [longitude, latitude];
  const feature = (type, coordinates, properties) => ({ type: "Feature", geometry: { type, coordinates }, properties });
  return JSON.stringify({ type: "FeatureCollection", features: [
    ...trackLines(points).flatMap(cutAt180).map((line) => line.length > 1
      ? feature("LineString", line.map(position), { kind: "track", name, times: line.map((point) => point.time), speeds: line.map((point) => point.speed) })
      : feature("Point", position(line[0]), { kind: "track", name, times: [line[0].time], speeds: [line[0].speed] })),
    ...visits.map((visit) => feature("Point", position(visit), { kind: "visit", arrival: visit.arrival, departure: visit.departure, radius: visit.horizontalAccuracy })),
  ] });
}

async function save(write, ending, type) {
  let said = "";
  try {
    const points = await wholeTrack(), visits = visitsSince(points[0]?.time);
    if (!points.length && !visits.length) throw new Error("There is neither a track nor a visit to save.");
    const url = URL.createObjectURL(new Blob([write(points, visits, `Track of ${location.hostname}`)], { type }));
    h("a", { href: url, download: `sextant-${(points.at(-1)?.time ?? new Date().toISOString()).slice(0, 10)}.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
    said = `Saved: ${some(points.length, "point")} and ${some(visits.length, "visit")}.`;
  } catch (error) { said = error.message; }
  announce(said);
  setText($("track-note"), said);
}

// ---- Drawing

function redrawMap() {
  if (isMapDue) return;
  isMapDue = true;
  requestAnimationFrame(() => { isMapDue = false; mapNote(); drawMap(); });
}

function drawMap() {
  mapDraws++;
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth, tall = canvas.clientHeight;
  if (!width) return;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(tall * ratio)) {
    canvas.width = Math.round(width * ratio); canvas.height = Math.round(tall * ratio);
  }
  const c = canvas.getContext("2d"), k = scale();
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.fillStyle = paper();
  c.fillRect(0, 0, width, tall);
  c.lineJoin = c.lineCap = "round";
  c.font = "12px system-ui, sans-serif";
  const X = (x) => (x - view.x) * k + width / 2, Y = (y) => (y - view.y) * k + tall / 2;
  const hasTiles = drawTiles(c, X, Y, width, tall);
  if (!hasTiles) drawCoast(c, X, Y, width, tall);
  // Beyond the last latitude, and beyond that of tiles where there are any, there is neither land nor sea.
  const [top, bottom] = hasTiles ? [0, 1] : [worldY(90), worldY(-90)];
  c.fillStyle = colour("--card");
  if (Y(top) > 0) c.fillRect(0, 0, width, Y(top));
  if (Y(bottom) < tall) c.fillRect(0, Y(bottom), width, tall - Y(bottom));
  if (!hasTiles) drawGrid(c, X, Y, width, tall);
  drawRegions(c, X, Y);
  drawTrack(c, X, Y, k, width, tall);
  drawVisits(c, X, Y);
  drawRegionNames(c, X, Y, width, tall);
  drawPlace(c, X, Y);
  drawMeasure(c, X, Y, width, tall);
  drawScale(c, width, tall);
}

function drawGrid(c, X, Y, width, tall) {
  const degrees = longitudeAt(view.x + width / 2 / scale()) - longitudeAt(view.x - width / 2 / scale());
  // Below a degree in its tenths, or in minutes where positions are written in those.
  const inMinutes = prefer.format === "dm" || prefer.format === "dms", parts = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001];
  const steps = [60, 30, 10, 5, 2, 1, ...(inMinutes ? [30, 10, 5, 2, 1, ...parts.slice(0, 9)].map((each) => each / 60) : parts)];
  const step = steps.findLast((each) => degrees / each < width / (inMinutes ? 110 : 90)) ?? steps[0];
  const digits = Math.max(0, Math.ceil(-Math.log10(inMinutes ? step * 60 : step) - 1e-9));
  const label = (value) => {
    if (!inMinutes || step >= 1) return `${value.toFixed(digits)}°`;
    const minutes = Number((value * 60).toFixed(digits));
    return `${Math.floor(minutes / 60)}° ${(minutes % 60).toFixed(digits)}′`;
  };
  c.strokeStyle = colour("--grid"); c.fillStyle = colour("--soft"); c.lineWidth = 1;
  c.textBaseline = "alphabetic"; c.textAlign = "left";
  c.beginPath();
  const names = [];
  const west = longitudeAt(view.x - width / 2 / scale()), south = latitudeAt(view.y + tall / 2 / scale()), north = latitudeAt(view.y - tall / 2 / scale());
  for (let index = Math.ceil(west / step); index * step < west + degrees; index++) {
    const x = Math.round(X(worldX(index * step))) + 0.5, longitude = ((index * step + 540) % 360) - 180;
    c.moveTo(x, 0); c.lineTo(x, tall);
    // Neither the first meridian nor the one opposite is east or west.
    const side = Math.abs(longitude % 180) < step / 2 ? "" : longitude < 0 ? " W" : " E";
    if (x > 60 && x < width - 90) names.push([`${label(Math.abs(longitude))}${side}`, x + 4, tall - 30]);
  }
  for (let index = Math.ceil(south / step); index * step < north; index++) {
    const y = Math.round(Y(worldY(index * step))) + 0.5;
    c.moveTo(0, y); c.lineTo(width, y);
    if (y > 60 && y < tall - 50) names.push([`${label(Math.abs(index * step))}${index ? index < 0 ? " S" : " N" : ""}`, 6, y - 4]);
  }
  c.stroke();
  // With an edge, so that no line strikes a name through.
  c.strokeStyle = paper(); c.lineWidth = 4;
  for (const name of names) { c.strokeText(...name); c.fillText(...name); }
}

// From here on the coast is not drawn: its points are a kilometre apart, and from close by they say nothing.
const closeZoom = 12;
// The paint below all else: where neither land nor sea is known nothing looks like water.
const paper = () => colour(isCloserThanCoast() ? "--card" : "--sea");
const isCloserThanCoast = () => view.zoom >= closeZoom && (!live.map || live.map.problem);

// The coast for this zoom, or a coarser one until it came. Before it is known where the board is, nothing is asked for
// that would not be shown then.
function coastLines() {
  const isSettled = hasView || live.hello || live.link && live.link.state !== "connected";
  if (!isSettled || view.zoom >= closeZoom) return null;
  const name = view.zoom > 4 ? "50m" : "110m";
  if (coasts[name] === undefined) {
    coasts[name] = null;
    loadCoast(`/coast-${name}.bin`).then((lines) => { coasts[name] = lines; redrawMap(); }, () => { delete coasts[name]; });
  }
  return coasts[name] ?? coasts["110m"];
}

// Of the points outside the map those are left out that lie on the same side of it as the one drawn before and the one after.
function drawLand(c, rings, X, Y, width, tall) {
  const k = scale(), left = view.x - width / 2 / k, right = view.x + width / 2 / k;
  c.fillStyle = colour("--land");
  c.beginPath();
  for (let turn = Math.floor(left); turn <= Math.floor(right); turn++) {
    for (const ring of rings) {
      const [west, north, east, south] = ring.box;
      if (X(east + turn) < 0 || X(west + turn) > width || Y(south) < 0 || Y(north) > tall) continue;
      let drawn = null, side = 0, x = 0, y = 0;
      for (let index = 0; index <= ring.length; index += 2) {
        const nextX = index < ring.length ? X(ring[index] + turn) : x, nextY = index < ring.length ? Y(ring[index + 1]) : y;
        const nextSide = (nextX < -4) | (nextX > width + 4) << 1 | (nextY < -4) << 2 | (nextY > tall + 4) << 3;
        if (index && (drawn === null || !(drawn & side & nextSide))) { c[drawn === null ? "moveTo" : "lineTo"](x, y); drawn = side; }
        [x, y, side] = [nextX, nextY, nextSide];
      }
      c.closePath();
    }
  }
  c.fill("evenodd");
}

function drawCoast(c, X, Y, width, tall) {
  const lines = coastLines();
  if (!lines) return;
  drawLand(c, lines.shores, X, Y, width, tall);
  c.strokeStyle = colour("--coast"); c.lineWidth = 1.2;
  const k = scale(), left = view.x - width / 2 / k, right = view.x + width / 2 / k;
  c.beginPath();
  // The world repeats to the east and west.
  for (let turn = Math.floor(left); turn <= Math.floor(right); turn++) {
    for (const line of lines) {
      const [west, north, east, south] = line.box;
      if (X(east + turn) < 0 || X(west + turn) > width || Y(south) < 0 || Y(north) > tall) continue;
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
      image.onload = redrawMap;
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
  if (prefer.night === "on") {
    c.globalCompositeOperation = "multiply"; c.fillStyle = "#a00000"; c.fillRect(0, 0, width, tall);
    c.globalCompositeOperation = "source-over";
  }
  return drawn > 0;
}

function drawTrack(c, X, Y, k, width, tall) {
  const count = track.length;
  if (count < 2) return;
  const bySpeed = $("track-colour").value === "speed", ramp = 8, fastest = bySpeed ? Math.max(1, ...track.map((point) => point.speed ?? 0)) : 1;
  const turn = beside(trackX[count - 1], view.x) - trackX[count - 1], dx = width / 2 + (turn - view.x) * k, dy = tall / 2 - view.y * k;
  // Round corners cost three times as much, and do not show at this width.
  c.strokeStyle = colour("--track"); c.lineWidth = 2; c.lineJoin = "bevel"; c.lineCap = "butt";
  let strokes = 0, level = -1, lastX = NaN, lastY = NaN;
  for (let index = 1; index < count; index++) {
    const here = Math.min(ramp - 1, Math.floor(ramp * (bySpeed ? (track[index].speed ?? 0) / fastest : index / count)));
    // One line of all points costs twice as much as many short ones.
    if (trackBegins[index]) {
      if (level >= 0) c.stroke();
      // A line of one point is a dot.
      if (trackBegins[index + 1] ?? 1) { c.fillStyle = c.strokeStyle; c.fillRect(trackX[index] * k + dx - 1.5, trackY[index] * k + dy - 1.5, 3, 3); }
      level = -1;
      continue;
    }
    if (here !== level || ++strokes % 64 === 0) {
      if (level >= 0) c.stroke();
      level = here;
      c.globalAlpha = 0.3 + 0.7 * (level + 1) / ramp;
      c.beginPath();
      c.moveTo(trackX[index - 1] * k + dx, trackY[index - 1] * k + dy);
    }
    // The line is two pixels wide: points nearer to the last one do not show.
    const x = trackX[index] * k + dx, y = trackY[index] * k + dy;
    if (Math.abs(x - lastX) + Math.abs(y - lastY) < 2 && !(trackBegins[index + 1] ?? 1)) continue;
    c.lineTo(x, y);
    lastX = x; lastY = y;
  }
  if (level >= 0) c.stroke();
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

function rings(region) {
  return region.latitude !== undefined && region.radius !== undefined ? [circle(region.latitude, region.longitude, region.radius)]
    : region.polygon ?? region.multiPolygon?.flat() ?? [];
}

// The same as points of the world, of which each is beside the one before, also over 180 degrees.
function outline(region, about = view.x) {
  let last = about;
  return rings(region).map((ring) => {
    const points = ring.map(([longitude, latitude]) => [last = beside(worldX(longitude), last), worldY(latitude)]);
    // A ring about a pole ends a turn from where it began: what it holds reaches to the edge of the map.
    const [[x, y] = []] = points, end = beside(x, last), pole = worldY(y < 0.5 ? 90 : -90);
    if (Math.abs(end - x) > 0.5) points.push([end, y], [end, pole], [x, pole]);
    return points;
  });
}

function drawRegions(c, X, Y) {
  c.strokeStyle = c.fillStyle = colour("--region"); c.lineWidth = 1.5;
  for (const region of live.regions?.regions ?? []) {
    const all = outline(region);
    if (!all.length) continue;
    c.beginPath();
    for (const ring of all) {
      ring.forEach(([x, y], index) => c[index ? "lineTo" : "moveTo"](X(x), Y(y)));
      c.closePath();
    }
    c.setLineDash(region.state === "unknown" ? [4, 4] : []);
    if (region.state === "inside") { c.globalAlpha = 0.18; c.fill("evenodd"); c.globalAlpha = 1; }
    c.stroke();
  }
  c.setLineDash([]);
}

// Above what is drawn, with an edge of the map's paper: a track would strike the names through.
function drawRegionNames(c, X, Y, width, tall) {
  c.fillStyle = colour("--region"); c.strokeStyle = paper();
  c.textAlign = "center"; c.textBaseline = "middle"; c.lineWidth = 4;
  const written = [], { offsetLeft, offsetTop, offsetHeight } = $("map-in").parentElement, below = offsetTop + offsetHeight + 9;
  for (const region of live.regions?.regions ?? []) {
    const [ring] = outline(region);
    if (!ring) continue;
    const northern = ring.reduce((best, point) => point[1] < best[1] ? point : best);
    const name = named(region.identifier).textContent, text = name.length > 24 ? `${name.slice(0, 23)}…` : name;
    const x = X(northern[0]), above = Math.max(9, Y(northern[1]) - 9), half = c.measureText(text).width / 2 + 4;
    if (x < 0 || x > width || Y(northern[1]) < 0 || above > tall) continue;
    // The buttons at the top would hide it.
    const inside = Math.max(half, Math.min(width - half, x)), y = inside + half > offsetLeft ? Math.max(above, below) : above;
    // From afar the names would lie on each other: the first one stays.
    if (written.some((other) => Math.abs(other.x - inside) < half + other.half && Math.abs(other.y - y) < 14)) continue;
    written.push({ x: inside, y, half });
    c.strokeText(text, inside, y);
    c.fillText(text, inside, y);
  }
}

function drawVisits(c, X, Y) {
  c.fillStyle = c.strokeStyle = colour("--visit"); c.lineWidth = 1.5;
  for (const visit of live.visits?.visits ?? []) {
    const x = X(beside(worldX(visit.longitude), view.x)), y = Y(worldY(visit.latitude)), r = Math.max(5, (visit.horizontalAccuracy ?? 0) / metresPerPixel());
    c.beginPath(); c.arc(x, y, r, 0, 7); c.globalAlpha = 0.15; c.fill(); c.globalAlpha = 1; c.stroke();
    // A square in the middle tells a visit from a position without its colour.
    c.fillRect(x - 3, y - 3, 6, 6);
  }
}

function drawPlace(c, X, Y) {
  const fix = place();
  if (!fix) return;
  const x = X(beside(worldX(fix.longitude), view.x)), y = Y(worldY(fix.latitude)), isOld = sentence()[0] !== "good", paint = isOld ? colour("--soft") : colour("--accent");
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

function drawMeasure(c, X, Y, width, tall) {
  if (!measuring) return;
  // The cross at which keys and buttons set a point.
  c.strokeStyle = colour("--ink"); c.lineWidth = 1;
  c.beginPath(); c.moveTo(width / 2 - 9, tall / 2); c.lineTo(width / 2 + 9, tall / 2); c.moveTo(width / 2, tall / 2 - 9); c.lineTo(width / 2, tall / 2 + 9); c.stroke();
  if (!measured.length) return;
  c.strokeStyle = c.fillStyle = colour("--ink"); c.lineWidth = 1.5; c.setLineDash([5, 4]);
  c.beginPath();
  const points = measured.map(([x, y]) => [beside(x, view.x), y]);
  points.forEach(([x, y], index) => c[index ? "lineTo" : "moveTo"](X(x), Y(y)));
  c.stroke(); c.setLineDash([]);
  for (const [x, y] of points) { c.beginPath(); c.arc(X(x), Y(y), 3.5, 0, 7); c.fill(); }
}

// The longest length of a round number, in the chosen unit, of at most so many metres: its metres, and how it is written.
function roundLength(widest) {
  const [unit, metres] = prefer.units === "nautical" && widest >= 185.2 ? ["NM", 1852]
    : prefer.units === "imperial" ? widest < 804.672 ? ["ft", 0.3048] : ["mi", 1609.344]
    : prefer.units === "metric" && widest >= 1000 ? ["km", 1000] : ["m", 1];
  const power = 10 ** Math.floor(Math.log10(widest / metres)), count = [5, 2, 1].map((each) => each * power).find((each) => each <= widest / metres);
  return [count * metres, `${number(count, count < 1 ? 1 : 0)} ${unit}`];
}

function drawScale(c, width, tall) {
  const [size, name] = roundLength(Math.min(140, width / 3) * metresPerPixel()), pixels = size / metresPerPixel();
  c.strokeStyle = c.fillStyle = colour("--ink"); c.lineWidth = 1.5;
  c.beginPath(); c.moveTo(10, tall - 14); c.lineTo(10, tall - 9); c.lineTo(10 + pixels, tall - 9); c.lineTo(10 + pixels, tall - 14); c.stroke();
  c.textAlign = "left"; c.textBaseline = "alphabetic";
  c.fillText(name, 18 + pixels, tall - 9);
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
  redrawMap();
}

function zoomBy(amount, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const before = scale(), [dx, dy] = [x - canvas.clientWidth / 2, y - canvas.clientHeight / 2];
  const [wx, wy] = [view.x + dx / before, view.y + dy / before];
  view.zoom = Math.max(0, Math.min(20, view.zoom + amount));
  if (!follow) [view.x, view.y] = [wx - dx / scale(), wy - dy / scale()];
  redrawMap();
}

function pan(dx, dy) {
  setFollow(false);
  view.x = ((view.x + dx / scale()) % 1 + 1) % 1;
  view.y = Math.max(worldY(90), Math.min(worldY(-90), view.y + dy / scale()));
  redrawMap();
}

function fit() {
  const fix = place(), about = fix ? worldX(fix.longitude) : trackX.at(-1) ?? view.x, turn = track.length ? beside(trackX.at(-1), about) - trackX.at(-1) : 0;
  const points = track.map((_, index) => [trackX[index] + turn, trackY[index]]);
  for (const region of live.regions?.regions ?? []) points.push(...outline(region, about).flat());
  for (const each of [...(live.visits?.visits ?? []), fix]) if (each) points.push([beside(worldX(each.longitude), about), worldY(each.latitude)]);
  if (!points.length) return;
  const xs = points.map((point) => point[0]), ys = points.map((point) => point[1]);
  const extent = (values) => [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const [[left, right], [top, bottom]] = [extent(xs), extent(ys)];
  setFollow(false);
  const zoom = Math.log2(Math.min((canvas.clientWidth - 60) / 256 / Math.max(right - left, 1e-7), (canvas.clientHeight - 90) / 256 / Math.max(bottom - top, 1e-7)));
  [view.x, view.y] = [(((left + right) / 2) % 1 + 1) % 1, (top + bottom) / 2];
  view.zoom = Math.max(0, Math.min(zoomAt(latitudeAt(view.y), 17), zoom));
  hasView = true;
  redrawMap();
}

function mapNote() {
  let total = 0;
  for (let index = 1; index < measured.length; index++) {
    total += metresBetween(...[measured[index - 1], measured[index]].map(([x, y]) => ({ longitude: longitudeAt(x), latitude: latitudeAt(y) })));
  }
  $("own-map").hidden = Boolean(live.map && !live.map.problem);
  setText($("track-note"), track.length && trackOf > track.length ? `Track: ${trackWords()}.` : "");
  setText($("map-note"), measuring ? measured.length > 1 ? `Measured: ${distance(total)} over ${measured.length} points.` : "Tap two or more points; or move the map and press “Point at the cross”."
    : Math.abs(place()?.latitude ?? 0) > lastLatitude ? "This map ends a kilometre from the pole: the position is drawn at its edge. The table has it."
    : Math.abs(latitudeAt(view.y)) > lastTiled && live.map && !live.map.problem ? "The owner's map ends at 85° of latitude."
    : live.map?.problem ? `The owner's map: ${live.map.problem}` : live.map?.attribution ? live.map.attribution.replace(/<[^>]*>/g, "")
    : isCloserThanCoast() ? "So close no coast is drawn: the free one that is built in has points some kilometres apart. A map of your own shows harbours."
    : !live.map && view.zoom > 7 ? "This coast is drawn from points some kilometres apart: it is no chart." : "");
}

// What of the recorded track is drawn.
const trackWords = () => trackOf <= track.length ? some(track.length, "point") : `${number(track.length)} of ${number(trackOf)} points; all others lie within ${distance(Math.max(1, trackWithin))} of the line`;

function mapTable() {
  if (!$("map-table").closest("details").open) return;
  const fix = place(), e = live.location?.ellipse;
  const rows = [];
  if (fix) rows.push(["Position", written(fix.latitude, fix.longitude).join(", "),
    e ? `68 %: ${number(e.semiMajor, 1)} m by ${number(e.semiMinor, 1)} m, the long way towards ${number(e.orientation)}°` : distance(fix.horizontalAccuracy)]);
  for (const region of live.regions?.regions ?? []) rows.push([named(region.identifier), region.radius !== undefined ? `circle of ${distance(region.radius)} about ${written(region.latitude, region.longitude).join(", ")}`
    : `polygon of ${rings(region).length} rings and ${rings(region).flat().length} corners`, region.state ?? "unknown"]);
  for (const visit of live.visits?.visits ?? []) rows.push(["Visit", written(visit.latitude, visit.longitude).join(", "),
    [visit.arrival ? clock(visit.arrival, true) : "earlier", " to ", visit.departure ? clock(visit.departure, true) : "now"]]);
  if (track.length) rows.push(["Track", trackWords(), [clock(track[0].time, true), " to ", clock(track.at(-1).time, true)]]);
  replace("map-table", h("table", null, h("thead", null, h("tr", null, ["What", "Where", "State"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, rows.map((row) => h("tr", null, row.map((cell) => h("td", null, cell)))))));
}

const ways = { north: [0, -60], west: [-60, 0], east: [60, 0], south: [0, 60] };

// Sets a point to measure, so many pixels from the middle of the map.
function measureAt(dx, dy) {
  if (!measuring) return;
  measured.push([view.x + dx / scale(), view.y + dy / scale()]);
  mapNote(); redrawMap();
  announce($("map-note").textContent);
}

function prepareMap() {
  const pointers = new Map();
  let moved = 0;
  // One finger up or down scrolls the page, as everywhere on it; two are the map's.
  for (const name of ["touchstart", "touchmove"]) canvas.addEventListener(name, (event) => { if (event.touches.length > 1) event.preventDefault(); }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, [event.offsetX, event.offsetY]); moved = 0; });
  canvas.addEventListener("pointermove", (event) => {
    const from = pointers.get(event.pointerId);
    if (!from) return;
    const to = [event.offsetX, event.offsetY], other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    moved += Math.abs(to[0] - from[0]) + Math.abs(to[1] - from[1]);
    if (other) {
      // Two fingers zoom about the one that stays, and move the map by half of what each moves.
      zoomBy(Math.log2(Math.hypot(to[0] - other[0], to[1] - other[1]) / Math.max(1, Math.hypot(from[0] - other[0], from[1] - other[1]))), ...other);
      pan((from[0] - to[0]) / 2, (from[1] - to[1]) / 2);
    }
    else if (moved > 4) pan(from[0] - to[0], from[1] - to[1]);
    pointers.set(event.pointerId, to);
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => {
    if (name === "pointerup" && moved <= 4) measureAt(event.offsetX - canvas.clientWidth / 2, event.offsetY - canvas.clientHeight / 2);
    pointers.delete(event.pointerId);
  });
  canvas.addEventListener("wheel", (event) => { if (event.ctrlKey || event.metaKey || document.activeElement === canvas) { event.preventDefault(); zoomBy(-event.deltaY / 240, event.offsetX, event.offsetY); } }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: ways.west, ArrowRight: ways.east, ArrowUp: ways.north, ArrowDown: ways.south }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) pan(...step);
    else if (event.key === "f") fit();
    else if (event.key === "Enter" && measuring) measureAt(0, 0);
    else if (event.key === "+" || event.key === "=") zoomBy(0.5);
    else if (event.key === "-") zoomBy(-0.5);
    else return;
    event.preventDefault();
  });
  $("map-in").onclick = () => zoomBy(1);
  $("map-out").onclick = () => zoomBy(-1);
  $("map-fit").onclick = fit;
  $("map-follow").onclick = () => { setFollow(!follow); const fix = place(); if (follow && fix) centre(fix.longitude, fix.latitude); };
  for (const [name, step] of Object.entries(ways)) $(`map-${name}`).onclick = () => pan(...step);
  $("map-measure").onclick = () => {
    [measuring, measured] = [!measuring, []];
    $("map-measure").setAttribute("aria-pressed", String(measuring));
    $("measure-box").hidden = !measuring;
    mapNote(); redrawMap();
  };
  $("measure-point").onclick = () => measureAt(0, 0);
  $("measure-clear").onclick = () => { measured = []; mapNote(); redrawMap(); };
  $("track-span").onchange = () => { trackSpan = $("track-span").value; askTrack(); };
  $("track-colour").onchange = redrawMap;
  $("save-gpx").onclick = () => save(gpx, "gpx", "application/gpx+xml");
  $("save-geojson").onclick = () => save(geoJSON, "geojson", "application/geo+json");
  $("map-table").closest("details").addEventListener("toggle", mapTable);
}

let wasOperator = false, lastGrown = 0, lastStanding = "";
function updateMap(kind) {
  if (kind === "link") {
    const isOperator = live.link.role === "operator" && live.link.state === "connected";
    $("map-track").hidden = !isOperator;
    if (isOperator && !wasOperator) askTrack();
    wasOperator = isOperator;
  }
  const standing = sentence()[0];
  if (standing !== lastStanding) { lastStanding = standing; redrawMap(); }
  if (!["location", "epoch", "sky", "regions", "visits", "map", "hello", "link"].includes(kind)) return;
  const fix = place();
  if (fix && (follow || !hasView)) {
    [view.x, view.y] = [worldX(fix.longitude), worldY(fix.latitude)];
    if (!hasView) view.zoom = zoomAt(fix.latitude, 15);
    hasView = true;
  }
  grow(fix);
  mapNote(); mapTable(); redrawMap();
}

// The track goes on with what comes while the page is open.
function grow(fix) {
  if (!fix?.time || fix.age > 5 || !wasOperator || !trackSpan) return;
  const last = track.at(-1), now = Date.parse(fix.time);
  if (now - Math.max(lastGrown, last ? Date.parse(last.time) : 0) < 2000) return;
  lastGrown = now;
  if (last && Math.hypot((beside(worldX(fix.longitude), trackX.at(-1)) - trackX.at(-1)), (worldY(fix.latitude) - trackY.at(-1))) * 4e7 < 8) return;
  // After some hours the whole is thinned anew, by its shape.
  if (track.length > 3000) return askTrack();
  if (last && now - Date.parse(last.time) > 900000) last.gap = 1;
  trackOf++;
  setTrack([...track, fix]);
}

// ======== The sky: satellites by direction and height, their signals, and how the fixes scatter.

const letters = { gps: "G", glonass: "R", galileo: "E", beidou: "C", qzss: "J", navic: "I", sbas: "S", imes: "M" };
const constellationNames = { gps: "GPS", glonass: "GLONASS", galileo: "Galileo", beidou: "BeiDou", qzss: "QZSS", navic: "NavIC", sbas: "SBAS", imes: "IMES" };
const constellationOrder = Object.keys(letters);
const paint = (constellation) => colour(`--${(letters[constellation] ?? "S").toLowerCase()}`) || colour("--soft");
const trails = new Map();
const fixes = [];
// The satellites of the sky plot with the middles of their markers and how far these reach; tests read them.
let skyMarkers = [];
globalThis.sextantPower = { get causes() { return causes; }, energyTicks };
globalThis.sextantSky = { get markers() { return skyMarkers; } };
let isSkyDue = false, lastTrail = -Infinity, lastTime = "";

function prepareSky() {
  for (const id of ["sky-table", "accuracy-table"]) $(id).closest("details").addEventListener("toggle", skyTables);
  redrawSky();
}

function updateSky(kind) {
  if (kind === "sky" || kind === "epoch") collect(live[kind]);
  if (kind === "sky") trail();
  if (kind === "sky" || kind === "epoch" || kind === "link") { redrawSky(); skyTables(); }
}

function redrawSky() {
  if (isSkyDue) return;
  isSkyDue = true;
  requestAnimationFrame(() => { isSkyDue = false; hidePlots(); drawSky(); drawSignals(); drawScatter(); });
}

// A canvas of the size that it has on the screen; null where it is not shown.
function sheet(id) {
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
  return [...found.values()].sort((a, b) => constellationOrder.indexOf(a.constellation) - constellationOrder.indexOf(b.constellation) || (b.carrierToNoise ?? -1) - (a.carrierToNoise ?? -1));
}

const isFresh = () => Boolean(live.sky) && age("sky") < 30 && live.link?.state === "connected";

// A sky that is no longer true is not shown: the note says why, and empty plots say nothing.
function hidePlots() {
  const hasScatter = fixes.length >= 10;
  $("sky-canvas").parentElement.hidden = $("sky-table").parentElement.hidden = !isFresh();
  $("accuracy-canvas").hidden = $("accuracy-table").parentElement.hidden = !hasScatter;
  if (!isFresh()) skyMarkers = [];
}

// Once a second: a sky grows old without an event.
function tickSky() {
  if (isFresh() === $("sky-canvas").parentElement.hidden) { redrawSky(); skyTables(); }
}

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
  const { c, width, tall } = made, r = Math.min(width, tall) / 2 - 30, x0 = width / 2, y0 = tall / 2;
  const at = (elevation, azimuth) => {
    const d = r * (90 - Math.max(0, elevation)) / 90, angle = azimuth * Math.PI / 180;
    return [x0 + d * Math.sin(angle), y0 - d * Math.cos(angle)];
  };
  c.strokeStyle = colour("--line"); c.fillStyle = colour("--soft"); c.lineWidth = 1;
  c.textAlign = "center"; c.textBaseline = "middle";
  for (const elevation of [0, 30, 60]) {
    c.beginPath(); c.arc(x0, y0, r * (90 - elevation) / 90, 0, 7); c.stroke();
  }
  c.beginPath(); c.moveTo(x0 - r, y0); c.lineTo(x0 + r, y0); c.moveTo(x0, y0 - r); c.lineTo(x0, y0 + r); c.stroke();
  for (const [name, angle] of [["N", 0], ["E", 90], ["S", 180], ["W", 270]]) c.fillText(name, x0 + (r + 23) * Math.sin(angle * Math.PI / 180), y0 - (r + 23) * Math.cos(angle * Math.PI / 180));
  skyMarkers = [];
  c.font = "600 10px system-ui, sans-serif";
  for (const each of satellites()) {
    if (each.elevation === undefined || each.azimuth === undefined) continue;
    const [x, y] = at(each.elevation, each.azimuth);
    skyMarkers.push({ ...each, x, y, placeX: x, placeY: y, reach: Math.max(10.5, c.measureText(each.key).width / 2 + 4) });
  }
  moveApart(skyMarkers, x0, y0, r);
  // A ring's height stands in the first diagonal where no marker is.
  c.font = "12px system-ui, sans-serif";
  for (const elevation of [30, 60]) {
    const free = [135, 45, 225, 315].map((azimuth) => at(elevation, azimuth)).find(([x, y]) => skyMarkers.every((each) => Math.hypot(each.x - x, each.y - y) > each.reach + 12));
    if (free) c.fillText(`${elevation}°`, ...free);
  }
  c.font = "600 10px system-ui, sans-serif";
  for (const each of skyMarkers) {
    const ink = paint(each.constellation), points = trails.get(each.key) ?? [];
    c.strokeStyle = c.fillStyle = ink; c.globalAlpha = 0.35; c.lineWidth = 1.5;
    c.beginPath(); points.forEach((point, index) => c[index ? "lineTo" : "moveTo"](...at(...point))); c.lineTo(each.placeX, each.placeY); c.stroke();
    c.globalAlpha = 1;
    // A marker that had to give way is tied to its satellite's place.
    if (Math.hypot(each.x - each.placeX, each.y - each.placeY) > 2) {
      c.lineWidth = 1;
      c.beginPath(); c.moveTo(each.placeX, each.placeY); c.lineTo(each.x, each.y); c.stroke();
      c.beginPath(); c.arc(each.placeX, each.placeY, 2, 0, 7); c.fill();
    }
  }
  for (const { key, used, constellation, x, y, reach } of skyMarkers) {
    const ink = paint(constellation);
    c.strokeStyle = ink; c.lineWidth = 1.5; c.fillStyle = used ? ink : colour("--card");
    c.beginPath(); c.roundRect(x - reach, y - 10.5, 2 * reach, 21, 10.5); c.fill(); c.stroke();
    c.fillStyle = used ? colour("--card") : ink;
    c.fillText(key, x, y + 0.5);
  }
}

// Moves markers that would hide each other apart, each half of the way, and keeps them in the sky's circle.
function moveApart(markers, x0, y0, r) {
  for (let round = 0, isDone = false; round < 100 && !isDone; round++) {
    isDone = true;
    markers.forEach((a, index) => {
      for (const b of markers.slice(index + 1)) {
        const wanted = a.reach + b.reach + 2, gap = Math.hypot(b.x - a.x, b.y - a.y);
        if (gap >= wanted - 0.5) continue;
        // Two in the same place go to the left and to the right.
        const [dx, dy] = gap > 0.1 ? [(b.x - a.x) / gap, (b.y - a.y) / gap] : [1, 0], step = (wanted - gap) / 2;
        a.x -= dx * step; a.y -= dy * step; b.x += dx * step; b.y += dy * step;
        isDone = false;
      }
    });
    for (const each of markers) {
      const d = Math.hypot(each.x - x0, each.y - y0);
      if (d > r) { each.x = x0 + (each.x - x0) * r / d; each.y = y0 + (each.y - y0) * r / d; }
    }
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
  const all = satellites().filter((each) => each.carrierToNoise);
  const { groups, step } = signalGroups(all, width - left - 6, (text) => c.measureText(text).width);
  let x = left + 4;
  for (const { constellation, bars, label, slot, wide } of groups) {
    const ink = paint(constellation), bar = Math.max(2, step - 3);
    c.font = "12px system-ui, sans-serif"; c.fillStyle = ink; c.textAlign = "left";
    c.fillText(label, x, tall - 8);
    c.font = "9px system-ui, sans-serif"; c.textAlign = "center"; c.lineWidth = 1.5;
    bars.forEach((each, index) => {
      const middle = x + (index + 0.5) * slot, y = value(each.carrierToNoise);
      c.fillStyle = c.strokeStyle = ink;
      if (each.used) c.fillRect(middle - bar / 2, y, bar, bottom - y);
      else c.strokeRect(middle - bar / 2 + 0.75, y + 0.75, bar - 1.5, bottom - y - 0.75);
      if (step >= 12) { c.fillStyle = colour("--soft"); c.fillText(String(each.number), middle, bottom + 9); }
    });
    x += wide + 10;
  }
}

// The bars of each constellation, as wide as there is room for: with whole names where that leaves the bars some width,
// else with letters. A group is as wide as its bars, their numbers (at 12 pixels a bar or more) and its name want.
function signalGroups(all, room, widthOf) {
  const groups = [];
  for (const each of all) {
    if (groups.at(-1)?.constellation !== each.constellation) groups.push({ constellation: each.constellation, bars: [] });
    groups.at(-1).bars.push(each);
  }
  const set = (step, labels) => {
    let total = 10 * (groups.length - 1);
    for (const group of groups) {
      group.label = labels[group.constellation] ?? "?";
      const number = Math.max(...group.bars.map((each) => widthOf(String(each.number))));
      group.slot = step >= 12 ? Math.max(step, number) : step;
      group.wide = Math.max(group.bars.length * group.slot, widthOf(group.label));
      total += group.wide;
    }
    return total <= room;
  };
  for (const labels of [constellationNames, letters]) {
    for (let step = 26; step >= 6; step--) if (set(step, labels)) return { groups, step };
  }
  const step = Math.max(1, (room - 10 * groups.length) / Math.max(1, all.length));
  set(step, letters);
  return { groups, step };
}

// ---- Scatter

function collect(epoch) {
  if (epoch?.latitude === undefined || epoch.fixType === "noFix" || epoch.time === lastTime) return;
  lastTime = epoch.time;
  fixes.push({ latitude: epoch.latitude, longitude: epoch.longitude, claimed: epoch.horizontalAccuracy, speed: epoch.speed ?? 0 });
  if (fixes.length > 1000) fixes.shift();
}

const middle = (values, share = 0.5) => { const sorted = Float64Array.from(values).sort(); return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]; };

function scatter() {
  if (fixes.length < 10) return null;
  const latitude = middle(fixes.map((fix) => fix.latitude)), longitude = middle(fixes.map((fix) => fix.longitude));
  const points = fixes.map((fix) => [(fix.longitude - longitude) * 111320 * Math.cos(latitude * Math.PI / 180), (fix.latitude - latitude) * 110574]);
  const radii = points.map(([x, y]) => Math.hypot(x, y)), claims = fixes.map((fix) => fix.claimed).filter(Number.isFinite);
  return { points, r50: middle(radii), r68: middle(radii, 0.68), r95: middle(radii, 0.95), claimed: claims.length ? middle(claims) : null, count: fixes.length, moves: middle(fixes.map((fix) => fix.speed)) > 0.5 };
}

function drawScatter() {
  const found = scatter();
  setText($("accuracy-note"), !found ? "While this page is open it collects fixes. After ten of them it shows how far apart they lie."
    : found.moves ? "The board is moving: the points are its way, and not the error of its fixes."
    : `Half of ${number(found.count)} fixes lie within ${distance(found.r50)} of their median, 95 % within ${distance(found.r95)}.` + (found.claimed ? ` The receiver says that 68 % lie within ${distance(found.claimed)}; in fact they lie within ${distance(found.r68)}.` : ""));
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

function skyTables() {
  const all = isFresh() ? satellites() : [], used = all.filter((each) => each.used).length;
  setText($("sky-note"), isFresh() ? `${some(all.length, "satellite")} in view, ${used} used. Filled: used for the position.` : live.sky ? "No satellites to show: the receiver is asleep or silent." : "No satellites to show yet.");
  if ($("sky-table").closest("details").open) replace("sky-table", grid(["Satellite", "Height", "Direction", "Signal (dB-Hz)", "Used"], all.map((each) => [`${constellationNames[each.constellation] ?? each.constellation} ${each.number}`,
    each.elevation === undefined ? "unknown" : `${each.elevation}°`, each.azimuth === undefined ? "unknown" : `${each.azimuth}°`, each.carrierToNoise === undefined ? "none" : String(each.carrierToNoise), each.used ? "yes" : "no"])));
  if ($("accuracy-table").closest("details").open) {
    const found = scatter();
    replace("accuracy-table", found ? grid(["What", "Radius"], [["50 % of the fixes", distance(found.r50)], ["68 % of the fixes", distance(found.r68)], ["95 % of the fixes", distance(found.r95)], ["Claimed for 68 %", found.claimed ? distance(found.claimed) : "unknown"]]) : "Too few fixes yet.");
  }
}

// ======== The panels beside map and sky: questions of programs, power, regions and visits, compass, clients, health.

const isOperator = () => live.link?.state === "connected" && live.link.role === "operator";

function preparePanels() {
  $("power-window").onchange = askPower;
  $("power-table").closest("details").addEventListener("toggle", powerTable);
  $("compass-open").onclick = () => openCompass($("compass-box").hidden);
  document.addEventListener("visibilitychange", () => { if (document.hidden) openCompass(false); });
}

function updatePanels(kind) {
  switch (kind) {
    case "link": drawRole(); drawPrompts(); drawClients(); drawPlaces(); drawPower(); drawHealth(); break;
    case "prompts": drawPrompts(); break;
    case "energy": drawPower(); drawClients(); break;
    case "clients": case "services": drawClients(); break;
    case "regions": anchor = ownAnchor(); drawPlaces(); drawAnchor(); break;
    case "visits": drawPlaces(); break;
    case "heading": drawCompass(); break;
    case "status": noteBoardSleep(); countEpochs(); drawHealth(); break;
    case "uplink": drawHealth(); break;
    case "hello": boardSleep = null; drawRole(); break;
  }
}

let seconds = 0;
// Once a second: ages, and once a minute what is asked for rather than sent.
function tick() {
  seconds++;
  drawHealth(); tickSky();
  // Not with the first load, which is to be quick.
  if (seconds > 4) askNames();
  if (alarmText() && !isSilenced) beep();
  if (seconds % 60 === 0 && live.link?.state === "connected") askPower();
}

function redrawPanels() { drawBars(); drawCompass(); }

function drawRole() {
  setText($("role"), live.link?.state !== "connected" ? "" : isOperator() ? "operator" : "view only");
}

// ---- Questions of programs

const wishes = { whenInUse: "wants to know where this board is while it is in use", always: "wants to know where this board is at all times", fullAccuracy: "wants the exact position once", services: "started while location services are off" };
const answers = { allow: "Allow", once: "Allow once", keep: "Leave as it is", deny: "Deny", always: "Always", on: "Switch services on", off: "Leave off", reset: "Forget" };

function drawPrompts() {
  const prompts = isOperator() ? live.prompts?.prompts ?? [] : [];
  const wasHidden = $("prompts").hidden;
  $("prompts").hidden = !prompts.length;
  if (prompts.length && wasHidden) announce(`${named(prompts[0].client).textContent} asks to know where this board is`);
  replace("prompts-list", prompts.map((prompt) => h("div", { class: "item" },
    h("h3", null, named(prompt.client)),
    h("p", null, `${wishes[prompt.kind] ?? prompt.kind}${prompt.accuracyAuthorization === "reduced" ? ", to some kilometres only" : ""}.`),
    prompt.purpose && h("p", { class: "note" }, "Its manifest says: ", named(prompt.purpose)),
    prompt.statedPurpose && h("p", { class: "note" }, "It says itself: ", named(prompt.statedPurpose)),
    h("p", { class: "buttons" }, [...(prompt.answers ?? ["allow", "deny"]).map((each) => [answers[each] ?? each, { answer: each }]),
      (prompt.answers ?? []).includes("allow") && prompt.kind !== "fullAccuracy" ? ["Allow, to some kilometres only", { answer: "allow", accuracy: "reduced" }] : null]
      .filter(Boolean).map(([text, body]) => h("button", { type: "button", class: body.answer === "allow" && !body.accuracy ? "strong" : null, onclick: () => decide(prompt, text, body) }, text))))));
}

async function decide(prompt, text, body) {
  const name = named(prompt.client);
  if (["allow", "always", "once"].includes(body.answer) && !await confirmed(`${text}?`, `“${name.textContent}” ${wishes[prompt.kind] ?? ""}. Its purpose: ${named(prompt.statedPurpose ?? prompt.purpose ?? "not said").textContent}`, text)) return;
  await change("/answer", { client: prompt.client, ...body }, `${name.textContent}: ${text.toLowerCase()}`);
}

async function change(path, body, done) {
  const answer = await post(path, body);
  announce(answer.ok ? done : answer.text);
  if (!answer.ok) setText($("footer").firstChild ?? $("footer"), answer.text);
}

// ---- Power

// Each cause has a colour of eight that the colour-blind tell apart (after Okabe and Ito, Color Universal Design, 2008), plain or
// striped; a state of the receiver is the darker, the more it is at work.
const causes = {
  accuracyRequest: ["positions that programs asked for", "--p1"], regionMonitoring: ["watching regions", "--p2"], gpsd: ["programs at gpsd’s port", "--p3"],
  failedSearch: ["searches that found nothing", "--p4"], visitMonitoring: ["noticing visits", "--p5"], significantChange: ["watching for large moves", "--p6"],
  idleSleep: ["sleep", "--p7"], singleLocation: ["single positions", "--p8"], coldStart: ["starts without satellites’ orbits", "--p4", true], alwaysOn: ["a receiver that is always on", "--p1", true],
  ephemerisRefresh: ["renewing satellites’ orbits", "--p6", true], heartbeat: ["checks that the receiver still answers", "--p7", true], motionStart: ["starts because the board moved", "--p5", true],
  configuration: ["setting the receiver up", "--p2", true], aiding: ["telling the receiver time and place", "--p3", true], timeService: ["the time for the host’s clock", "--p8", true],
};
// A cause or state of a newer daemon is shown by its name.
const look = (table, name) => table[name] ?? [name, "--soft", true];
const states = { acquiring: ["searching", "--ink", true], tracking: ["tracking", "--ink"], cyclic: ["tracking in cycles", "--soft"], softwareSleep: ["asleep", "--coast", true], hardwareSleep: ["off", "--line"] };
let rows = [], isAsked = false, powerProblem = "";

async function askPower() {
  isAsked = true;
  try { rows = (await get(`/energyHistory?window=${$("power-window").value}`)).rows; powerProblem = ""; } catch (error) { rows = []; powerProblem = error.message; }
  drawBars(); powerTable();
}

// At least three digits of what is small.
const joules = (value) => value > 0 && value < 0.01 ? `${number(value * 1000, 1)} mJ` : value >= 1000 ? `${number(value / 1000, 1)} kJ` : `${number(value, value < 10 ? 2 : 0)} J`;

function drawPower() {
  const energy = live.energy, isThere = live.link?.state === "connected" && energy && !energy.problem;
  const spent = energy?.lastDay?.hours > 1.1 ? energy.lastDay : energy?.lastHour;
  for (const id of ["power-facts", "power-choice", "power-canvas", "power-legend", "power-clients"]) $(id).hidden = !isThere;
  $("power-table").closest("details").hidden = !isThere;
  if (!isThere) return setText($("power-note"), energy?.problem ? `${energy.problem}` : "The board has not told the power yet.");
  if (!isAsked) askPower();
  const battery = spent.batteryHours;
  setText($("power-note"), `The last ${span(spent.hours * 3600)}, calculated and not measured: what the parts draw by their data sheets, times how long they were on.`);
  replace("power-facts", [
    ["Whole device draws", `${number(spent.deviceMilliwatts, spent.deviceMilliwatts < 100 ? 1 : 0)} mW`],
    ["Of that, the receiver", `${number((spent.receiverShare ?? 0) * 100, 1)} %`],
    ["The computer, idle", `${number(idleShare(spent) * 100, 1)} %`],
    ["A full battery lasts", battery ? life(battery) : "no battery known"],
    battery && ["Left, if full at the start", batteryLeft(battery, spent)],
  ].filter(Boolean).map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
  replace("power-clients", h("table", null, h("thead", null, h("tr", null, h("th", { scope: "col" }, "Spent by"), h("th", { scope: "col", class: "n" }, "Joules"))),
    h("tbody", null, (spent.byClient ?? []).filter((each) => each.joules >= 0.005).slice(0, 8).map((each) => h("tr", null, h("td", null, spender(each)), h("td", { class: "n" }, joules(each.joules)))))));
}

// A battery's hours; days with a tenth.
const life = (hours) => hours < 48 ? span(hours * 3600) : `${number(hours / 24, 1)} days`;

// What is left of a battery that was full when the daemon started, at the draw of late: no part measures the battery.
function batteryLeft(hours, { deviceMilliwatts }) {
  const since = live.energy.sinceBoot, left = hours - since.hours * since.deviceMilliwatts / deviceMilliwatts;
  return left > 0 ? life(left) : "nothing";
}

const idleShare = ({ hostIdleJoules = 0, deviceMilliwatts, hours }) => hostIdleJoules / Math.max(1e-9, deviceMilliwatts * hours * 3.6);

const sum = (object) => Object.values(object ?? {}).reduce((total, value) => total + value, 0);

// The paint of a cause or state: a colour, or stripes of it.
function paintOf(c, [, ink, isStriped]) {
  if (!isStriped) return colour(ink);
  const tile = new OffscreenCanvas(6, 6), t = tile.getContext("2d");
  t.fillStyle = colour("--card"); t.fillRect(0, 0, 6, 6);
  t.strokeStyle = colour(ink); t.lineWidth = 2.5;
  for (const x of [-6, 0, 6]) { t.beginPath(); t.moveTo(x, 6); t.lineTo(x + 6, 0); t.stroke(); }
  return c.createPattern(tile, "repeat");
}

// Round numbers of joules from 0 to at least so many, and how they are written.
function energyTicks(most) {
  const [unit, joulesEach] = most >= 2000 ? ["kJ", 1000] : most < 0.1 ? ["mJ", 0.001] : ["J", 1], top = most / joulesEach, power = 10 ** Math.floor(Math.log10(top / 3));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each * 3 >= top * 0.999), digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  return Array.from({ length: Math.ceil(top / step - 1e-9) + 1 }, (_, index) => [index * step * joulesEach, `${number(index * step, digits)} ${unit}`]);
}

function drawBars() {
  if ($("power-canvas").hidden) return;
  const made = sheet("power-canvas");
  if (!made) return;
  const { c, width, tall } = made, left = 52, bottom = tall - 40, top = 12;
  c.fillStyle = colour("--soft"); c.textBaseline = "middle"; c.textAlign = "left";
  if (!rows.length) { c.fillText(powerProblem || "Nothing yet.", left, tall / 2); replace("power-legend"); return; }
  const isHour = $("power-window").value === "hour", count = isHour ? 60 : 96, shown = rows.slice(-count), wide = (width - left) / count;
  const ticks = energyTicks(Math.max(1e-6, ...shown.map((row) => sum(row.byCause)))), most = ticks.at(-1)[0];
  c.textAlign = "right"; c.strokeStyle = colour("--line"); c.lineWidth = 1;
  for (const [value, name] of ticks) {
    const y = Math.round(bottom - (bottom - top) * value / most) + 0.5;
    c.beginPath(); c.moveTo(left, y); c.lineTo(width, y); c.stroke();
    c.fillText(name, left - 5, y);
  }
  const totals = new Map(), paints = new Map(), isKnown = new Set(Object.keys(causes)), used = new Set();
  const fill = (kind, x, y, tall) => {
    if (!paints.has(kind)) paints.set(kind, paintOf(c, kind));
    c.fillStyle = paints.get(kind); c.fillRect(x, y, Math.max(1, wide - 1), tall);
  };
  shown.forEach((row, index) => {
    const x = width - (shown.length - index) * wide;
    let y = bottom;
    for (const name of [...isKnown, ...Object.keys(row.byCause ?? {}).filter((each) => !isKnown.has(each))]) {
      const value = row.byCause?.[name];
      if (!value) continue;
      // What is too little for a pixel has one.
      const size = Math.max(1, (bottom - top) * value / most);
      fill(look(causes, name), x, y - size, size);
      y -= size;
      totals.set(name, (totals.get(name) ?? 0) + value);
    }
    // The ribbon: the state in which the receiver spent most.
    const state = Object.entries(row.byState ?? {}).sort((a, b) => b[1] - a[1])[0]?.[0];
    if (state) { used.add(state); fill(look(states, state), x, bottom + 6, 8); }
  });
  timeTicks(c, shown, isHour, (index) => width - (shown.length - index) * wide, bottom, tall, left, width);
  replace("power-legend", [...totals].sort((a, b) => b[1] - a[1]).map(([name, value]) => key(look(causes, name), `: ${joules(value)}`)), used.size ? h("span", { class: "line" }, "Ribbon, what the receiver spent most on:") : null, [...used].map((name) => key(look(states, name))));
}

// Every quarter of the hour, or six hours of the day, by the clock; without a clock only where it begins.
function timeTicks(c, shown, isHour, xOf, bottom, tall, left, width) {
  c.fillStyle = colour("--soft"); c.strokeStyle = colour("--soft"); c.textAlign = "right"; c.fillText("now", width, tall - 12);
  c.textAlign = "center";
  let isDated = false;
  shown.forEach((row, index) => {
    const date = row.from && new Date(row.from), utc = prefer.times === "utc";
    if (!date) return;
    const minute = utc ? date.getUTCMinutes() : date.getMinutes(), hour = utc ? date.getUTCHours() : date.getHours(), x = Math.round(xOf(index)) + 0.5;
    if (minute % 15 || !isHour && (minute || hour % 6) || x < left || x > width - 58) return;
    c.beginPath(); c.moveTo(x, bottom + 15); c.lineTo(x, bottom + 19); c.stroke();
    c.fillText(timeText(date).replace(" UTC", ""), Math.max(x, left + 18), tall - 12);
    isDated = true;
  });
  c.textAlign = "left";
  if (!isDated) c.fillText(isHour ? "an hour ago" : "a day ago", left, tall - 12);
  else if (prefer.times === "utc") c.fillText("UTC", 0, tall - 12);
}

function key([text, ink, isStriped], more = "") {
  const patch = h("i", { "aria-hidden": "true" });
  patch.style.setProperty("background", isStriped ? `repeating-linear-gradient(135deg, var(${ink}) 0 2.5px, var(--card) 2.5px 4.25px)` : `var(${ink})`);
  return h("span", null, patch, text, more);
}

// Who spends, in words: what is monitored for a client has an account of its own, and some have no name.
function spender({ client, number: account, connected }) {
  if (client === "sextantd" && account === undefined) return "the daemon itself";
  if (client === "others" && account === undefined) return isOperator() ? "others: beyond the 64 clients that are told apart, or gone for more than a day" : "others: every program but this page, which may not name them";
  return [named(client), account >= 2147483648 ? ": regions, visits and large moves" : "", connected === false ? " (gone)" : ""];
}

function powerTable() {
  if (!$("power-table").closest("details").open) return;
  replace("power-table", h("table", null, h("thead", null, h("tr", null, ["Began", "Joules", "By cause", "By state of the receiver"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, rows.map((row) => h("tr", null, h("td", null, row.from ? clock(row.from) : ago(row.beganSecondsAgo)), h("td", null, number(sum(row.byCause), 3)),
      h("td", null, Object.entries(row.byCause ?? {}).map(([name, value]) => `${look(causes, name)[0]} ${number(value, 3)}`).join(", ")),
      h("td", null, Object.entries(row.byState ?? {}).map(([name, value]) => `${look(states, name)[0]} ${number(value, 3)}`).join(", ")))))));
}

// ---- Regions and visits

const inside = { inside: ["●", "inside"], outside: ["○", "outside"], unknown: ["?", "not known yet"] };

function drawPlaces() {
  // Of many, those that the board is in stand first.
  const regions = [...live.regions?.regions ?? []].sort((a, b) => (b.state === "inside") - (a.state === "inside"));
  const visits = [...live.visits?.visits ?? []].reverse();
  $("regions").hidden = !isOperator();
  replace("regions-list", regions.length ? regions.map((region) => h("div", { class: "item" }, h("h3", null, named(region.identifier)),
    h("p", null, `${(inside[region.state] ?? inside.unknown).join(" ")}`, region.date ? [", since ", clock(region.date, true)] : "", region.client ? [" · asked for by ", named(region.client)] : "", near(region) && ` · ${near(region)}`))) : h("p", { class: "note" }, live.regions?.problem ? "The daemon is older than this page and cannot list the regions. Update sextant." : "No program watches a region."));
  replace("visits-list", h("h3", null, "Visits"), visits.length ? h("table", null, h("thead", null, h("tr", null, ["Arrival", "Departure", "Where", "Radius"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, visits.slice(0, 12).map((visit) => h("tr", null, h("td", null, visit.arrival ? clock(visit.arrival, true) : "earlier"), h("td", null, visit.departure ? clock(visit.departure, true) : "still there"),
      h("td", null, written(visit.latitude, visit.longitude, 4).join(", "), near(visit) && h("span", { class: "near" }, near(visit))), h("td", null, distance(visit.horizontalAccuracy)))))) : h("p", { class: "note" }, "No visit yet: a visit is a stay of some minutes."));
}

// ---- One position, and its price

let located = "", locatedUntil = 0;

// What it costs to ask now: nothing more while the receiver is on, else what its starts cost so far.
function priceOfLocating() {
  const power = live.status?.power, working = ["searching", "tracking", "cyclicTracking"];
  if (live.status?.receiver?.state === "absent") return "No receiver is connected.";
  if (!power) return "Costs nothing more: this receiver is always on.";
  if (working.includes(power.state)) return "Costs nothing more: the receiver is at work.";
  const starts = (live.status.counters?.starts ?? []).reduce((sum, each) => sum + each.fix + each.failed + each.ended, 0), spent = live.energy?.sinceBoot?.byState?.acquiring;
  return starts && spent ? `Wakes the receiver for about ${joules(spent / starts)}, the mean of ${some(starts, "start")} so far.` : "Wakes the receiver; what that costs is known after its first start.";
}

function drawLocate() {
  $("locate-box").hidden = !isOperator() || !live.status;
  setText($("price"), performance.now() < locatedUntil ? located : $("locate").disabled ? "The receiver looks for the position, for a minute at most." : priceOfLocating());
}

async function locate() {
  $("locate").disabled = true;
  drawLocate();
  const answer = await post("/locate", {});
  $("locate").disabled = false;
  [located, locatedUntil] = [answer.ok ? "Found." : answer.text, performance.now() + 10000];
  announce(located);
  drawLocate();
}

// ---- Anchor watch: a region of the page's own client, which the daemon watches; the alarm is the page's.

let anchor = null, isSilenced = false, wasAlarm = "", blindSince = null, sound = null, anchorSaid = "", anchorSaidUntil = 0;

const isAlways = () => (live.authorization ?? live.hello)?.status === "authorizedAlways";
const ownAnchor = () => (live.regions?.regions ?? []).find((region) => region.identifier === "anchor" && region.client === live.hello?.client && region.radius !== undefined) ?? null;

// Why the alarm is on; empty while all is well. A watch that sees nothing for half a minute is no watch.
function alarmText() {
  if (!anchor) return "";
  if (anchor.state === "outside") return "The anchor drags";
  const isBlind = ["bad", "warn"].includes(sentence()[0]) || anchor.active === false;
  blindSince = isBlind ? blindSince ?? performance.now() : null;
  return isBlind && performance.now() - blindSince > 30000 ? "The anchor watch sees nothing" : "";
}

function drawAnchor() {
  const fix = place(), text = alarmText(), away = anchor && fix ? metresBetween(anchor, fix) : NaN;
  // The daemon calls the board outside some positions later, once it is sure.
  const isDoubtful = anchor?.state === "inside" && away - fix?.horizontalAccuracy > anchor.radius;
  $("anchor").hidden = !isOperator() && !anchor;
  setText($("anchor-unit"), prefer.units === "imperial" ? "feet" : "metres");
  for (const id of ["anchor-choice", "anchor-drop"]) $(id).hidden = Boolean(anchor);
  $("anchor-weigh").hidden = !anchor;
  const from = `${distance(away)} from where it was dropped, ${distance(anchor?.radius)} allowed`;
  setText($("anchor-state"), performance.now() < anchorSaidUntil ? anchorSaid : !anchor ? "Nobody watches. Say how far the boat may swing, and begin where the anchor lies."
    : anchor.active === false ? "The board does not watch now: this page may see the position only while it is in use. An operator allows more: sextant clients always sextant-page."
    : anchor.state === "outside" ? `Outside: ${from}.` : isDoubtful ? `Perhaps dragging: ${from}. The alarm sounds once the board is sure.` : anchor.state === "inside" ? `Holding: ${from}.` : "Waiting for a position that is good enough.");
  // Silence is for the alarm that sounds: one of blindness that was silenced must not hide that the anchor drags.
  if (text !== wasAlarm) isSilenced = false;
  if (text && text !== wasAlarm) announce(`Anchor alarm: ${text}`);
  wasAlarm = text;
  $("alarm").hidden = !text;
  setText($("alarm-text"), `${text}.${text && anchor.state === "outside" ? ` ${from[0].toUpperCase()}${from.slice(1)}.` : text ? ` ${sentence()[1]}.` : ""}`);
  setText($("alarm-sound"), text && !mayBeep() && !isSilenced ? "Tap the page once: this browser lets nothing sound before." : "");
  $("alarm-silence").hidden = isSilenced;
}

// A browser lets a page sound only after it was touched.
const mayBeep = () => Boolean(navigator.userActivation?.hasBeenActive);

// Two tones, half a second.
function beep() {
  if (!mayBeep()) return;
  sound ??= new AudioContext();
  sound.resume();
  const tone = sound.createOscillator(), volume = sound.createGain(), now = sound.currentTime;
  tone.type = "square";
  tone.frequency.setValueAtTime(880, now);
  tone.frequency.setValueAtTime(660, now + 0.25);
  volume.gain.value = 0.5;
  tone.connect(volume).connect(sound.destination);
  tone.start(now);
  tone.stop(now + 0.5);
  navigator.vibrate?.(400);
}

// What was wrong with the last press of a button stands for ten seconds.
function sayOfAnchor(text) {
  [anchorSaid, anchorSaidUntil] = [text, text ? performance.now() + 10000 : 0];
  if (text) announce(text);
  drawAnchor();
}

async function dropAnchor() {
  const fix = place(), radius = Number($("anchor-radius").value) * (prefer.units === "imperial" ? 0.3048 : 1);
  if (!fix || fix.age > 60) return sayOfAnchor("There is no position of the last minute: press Locate now first.");
  if (!(radius >= 5 && radius <= 5000)) return sayOfAnchor(`A radius is ${distance(5)} to ${distance(5000)}.`);
  if (!await confirmed("Watch the anchor here?", `The alarm sounds when the board is farther than ${distance(radius)} from ${written(fix.latitude, fix.longitude).join(" ")}. So near its border the receiver stays at work, on this page’s account, ${isAlways() ? "until you end the watch, also with the page closed" : "while this page is open"}.`, "Watch")) return;
  const answer = await post("/anchor", { latitude: fix.latitude, longitude: fix.longitude, radius });
  localStorage.setItem("radius", $("anchor-radius").value);
  sayOfAnchor(answer.ok ? "" : answer.text);
}

async function weighAnchor() {
  const answer = await post("/anchor", {});
  if (answer.ok) anchor = null;
  sayOfAnchor(answer.ok ? "" : answer.text);
}

function prepareAnchor() {
  $("locate").onclick = locate;
  $("anchor-radius").value = localStorage.getItem("radius") ?? (prefer.units === "imperial" ? 150 : 50);
  $("anchor-drop").onclick = dropAnchor;
  $("anchor-weigh").onclick = weighAnchor;
  $("anchor-try").onclick = beep;
  $("alarm-silence").onclick = () => { isSilenced = true; drawAnchor(); };
}

// ---- Compass

function openCompass(wants) {
  if ($("compass-box").hidden === !wants) return;
  $("compass-box").hidden = !wants;
  $("compass-open").setAttribute("aria-expanded", String(wants));
  setText($("compass-open"), wants ? "Close the compass" : "Open the compass");
  listenToHeading(wants);
  drawCompass();
}

const winds = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

function drawCompass() {
  if ($("compass-box").hidden) return;
  const heading = live.heading, magnetic = heading?.magneticHeading ?? -1, isGood = heading?.headingAccuracy >= 0 && magnetic >= 0;
  const shown = heading?.trueHeading >= 0 ? heading.trueHeading : magnetic;
  setText($("compass-note"), !heading ? "No heading yet." : magnetic < 0 ? "The compass gives no heading; see Health."
    : `${number(shown)}° ${heading.trueHeading >= 0 ? "true" : "magnetic"}, ${winds[Math.round(shown / 45) % 8]}. ` + (isGood ? `Good to ${number(heading.headingAccuracy)}° (68 %).` : "The compass is disturbed or not calibrated: turn the board slowly in all directions."));
  const made = sheet("compass-canvas");
  if (!made) return;
  const { c, width, tall } = made, r = Math.min(width, tall) / 2 - 20, x0 = width / 2, y0 = tall / 2, turn = (angle, radius) => [x0 + radius * Math.sin(angle * Math.PI / 180), y0 - radius * Math.cos(angle * Math.PI / 180)];
  c.strokeStyle = c.fillStyle = colour("--soft"); c.textAlign = "center"; c.textBaseline = "middle"; c.lineWidth = 1;
  c.beginPath(); c.arc(x0, y0, r, 0, 7); c.stroke();
  for (let angle = 0; angle < 360; angle += 10) { c.beginPath(); c.moveTo(...turn(angle, r)); c.lineTo(...turn(angle, r - (angle % 30 ? 5 : 10))); c.stroke(); }
  for (const [name, angle] of [["N", 0], ["E", 90], ["S", 180], ["W", 270]]) c.fillText(name, ...turn(angle, r + 11));
  if (magnetic < 0) return;
  if (isGood) { c.fillStyle = colour("--accent"); c.globalAlpha = 0.2; c.beginPath(); c.moveTo(x0, y0); c.arc(x0, y0, r, (shown - heading.headingAccuracy - 90) * Math.PI / 180, (shown + heading.headingAccuracy - 90) * Math.PI / 180); c.fill(); c.globalAlpha = 1; }
  c.strokeStyle = colour("--accent"); c.lineWidth = 4; c.beginPath(); c.moveTo(x0, y0); c.lineTo(...turn(shown, r - 14)); c.stroke();
  if (heading.trueHeading >= 0) { c.strokeStyle = colour("--soft"); c.lineWidth = 1.5; c.setLineDash([4, 4]); c.beginPath(); c.moveTo(x0, y0); c.lineTo(...turn(magnetic, r - 14)); c.stroke(); c.setLineDash([]); }
}

// ---- Clients

const standings = { notDetermined: "not decided yet", restricted: "restricted by the policy", denied: "denied", authorizedAlways: "may see it always", authorizedWhenInUse: "may see it while in use" };

function drawClients() {
  $("clients").hidden = !isOperator();
  if (!isOperator()) return;
  const isOn = live.services?.enabled ?? live.hello?.servicesEnabled;
  if ($("services-box").dataset.state !== String(isOn)) {
    $("services-box").dataset.state = String(isOn);
    replace("services-box", h("span", null, `Location services are ${isOn === false ? "off" : "on"}.`), h("button", { type: "button", onclick: async () => {
      if (await confirmed(isOn === false ? "Switch location services on?" : "Switch location services off?", isOn === false ? "Programs may then know again what was allowed to them." : "No program is then told where the board is, and the receiver rests.", isOn === false ? "Switch on" : "Switch off")) change("/services", { enabled: isOn === false }, "Done");
    } }, isOn === false ? "Switch on" : "Switch off"));
  }
  const spent = new Map();
  for (const each of live.energy?.lastDay?.byClient ?? []) spent.set(each.client, (spent.get(each.client) ?? 0) + each.joules);
  const focused = document.activeElement?.dataset?.key;
  replace("clients-list", (live.clients?.clients ?? []).map((client) => h("div", { class: "item" }, h("h3", null, named(client.name)),
    h("p", null, `${standings[client.status] ?? client.status}${client.accuracyAuthorization === "reduced" ? ", to some kilometres" : ""}${client.inUse ? " · in use now" : client.connections ? " · connected" : ""}`, spent.get(client.name) ? ` · ${joules(spent.get(client.name))} in the last day` : ""),
    client.problem && h("p", { class: "warn" }, named(client.problem)),
    h("p", { class: "buttons" }, [["Allow", { answer: "allow" }], ["Allow roughly", { accuracy: "reduced" }], ["Deny", { answer: "deny" }]].map(([text, body]) => h("button", { type: "button", "data-key": `${client.name}/${text}`, "aria-label": `${text}: ${named(client.name).textContent}`,
      onclick: async () => { if (await confirmed(`${text} “${named(client.name).textContent}”?`, text === "Allow" ? "It is then told the exact position whenever it asks, as its manifest permits." : text === "Allow roughly" ? "It is then told the place to some kilometres only." : "It is then told nothing of where the board is.", text)) change("/answer", { client: client.name, ...body, ...(text === "Allow" ? { accuracy: "full" } : {}) }, `${text}: done`); } }, text))))));
  if (focused) document.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

// ---- Health

const startNames = { first: "after power-up", hot: "hot", warm: "warm", cold: "cold", regained: "lost and found again" };
let epochsBefore = null, fixRate = null;

// How often the receiver solves, by the last two words of the daemon about it; null while it does not.
function countEpochs() {
  const epochs = live.status?.receiver?.epochs, at = cameAt.status;
  if (epochs === undefined || epochsBefore?.at === at) return;
  const seconds = epochsBefore ? (at - epochsBefore.at) / 1000 : 0;
  if (seconds > 0 && epochs >= epochsBefore.epochs) fixRate = epochs > epochsBefore.epochs ? (epochs - epochsBefore.epochs) / seconds : null;
  epochsBefore = { epochs, at };
}

// The daemon keeps so many points of its track, of so many days on which it was recorded; the oldest give way to the newest.
const mostPoints = 500000, mostDays = 30;

// How long the board can go on before new points take the place of old ones, in words.
function storageLeft() {
  const days = Math.min(mostDays, mostPoints / trackPace) - trackKept / trackPace;
  return days > 0.5 ? `about ${span(days * 86400)} at this pace` : "none: new points take the place of the oldest";
}

const receiverStates = { absent: "unplugged", searchingRate: "looking for its bit rate", waiting: "connected, nothing heard yet", receiving: "sending", silent: "silent", resting: "asleep", open: "connected" };

// Whether the broker is reached, what waits for it, and whether that outlives a reboot.
function uplinkWords(uplink) {
  const when = (time) => timeText(new Date(time), { day: "numeric", month: "short" });
  const waiting = [uplink.queuedFixes && some(uplink.queuedFixes, "position"), uplink.queuedEvents && some(uplink.queuedEvents, "event")].filter(Boolean).join(" and ");
  return [named(uplink.message), waiting ? `; ${waiting} waiting${uplink.oldest ? `, the oldest of ${when(uplink.oldest)}` : ""}; a reboot loses none of it` : "; nothing waits",
    uplink.lastSuccess && !uplink.connected ? `; last success ${when(uplink.lastSuccess)}` : "", uplink.queueProblem ? ["; ", named(uplink.queueProblem)] : ""];
}

function drawHealth() {
  const status = live.status, receiver = status?.receiver ?? {}, power = status?.power ?? {};
  $("compass").hidden = !status?.compass && !live.compass;
  if (!status) return setText($("health-list"), live.link?.message || "The board has not told how it is yet.");
  const lines = [["Receiver", [receiverStates[receiver.state] ?? receiver.state ?? "unknown", power.receiver ? [", ", named(power.receiver)] : "", receiver.device ? ` at ${receiver.device}` : ""]],
    receiver.secondsSinceEpoch !== undefined && ["Last heard", ago(Math.round(receiver.secondsSinceEpoch + age("status")))],
    receiver.sentences !== undefined && ["Messages", `${number((receiver.sentences ?? 0) + (receiver.frames ?? 0))}, damaged ${number(receiver.checksumFailures ?? 0)}`],
    fixRate && ["Solutions a second", `about ${number(fixRate, fixRate < 0.95 ? 1 : 0)}`],
    ...(status.counters?.starts ?? []).filter((each) => each.fix).map((each) => [`Time to a fix, ${startNames[each.kind] ?? each.kind}`, `${span(each.seconds / each.fix)}, mean of ${number(each.fix)}${each.failed ? `; ${number(each.failed)} searches found none` : ""}`]),
    power.backup && ["Backup supply", { suspect: "may not hold", failed: "does not hold" }[power.backup] ?? power.backup],
    status.store && ["Storage", named(status.store.detail)],
    trackKept > 0 && ["Track kept", `${some(trackKept, "point")}; at most ${number(mostPoints)}, of ${mostDays} days`],
    trackKept > 0 && trackPace && ["Room left for the track", storageLeft()],
    status.compass && ["Compass", `${status.compass.state}${status.compass.calibration ? ", calibrated" : ", not calibrated"}`],
    status.host && ["Board", boardSleep ? `going to sleep until ${asleepText()}` : status.host.reasons?.length ? `stays on (${status.host.reasons.join(", ")}); ask: sextant host` : "may sleep"],
    status.time && ["Time service", named(status.time.source ?? status.time.state ?? "on")],
    live.uplink && ["Uplink", uplinkWords(live.uplink)],
    ["Daemon", `version ${status.version ?? "unknown"}, ${some(status.clients ?? 0, "client")}`]].filter(Boolean);
  const troubles = (power.troubles ?? []).filter((each) => !each.over);
  const text = JSON.stringify([lines.map(([name, value]) => [name, typeof value === "string" ? value : [value].flat(3).map((each) => each?.textContent ?? each).join("")]), troubles.map((each) => each.message)]);
  if ($("health-list").dataset.text === text) return;
  $("health-list").dataset.text = text;
  replace("health-list", h("dl", { class: "facts" }, lines.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))),
    troubles.map((each) => h("p", { class: "warn" }, "▲ ", named(each.message), ` (${some(each.count ?? 1, "time")}, last ${ago(each.secondsAgo ?? 0)})`)));
}

// ======== The beginning

function prepare() {
  const redraw = () => { for (const kind of ["link", ...kinds]) if (live[kind]) update(kind); drawNow(); redrawMap(); redrawSky(); redrawPanels(); };
  for (const id of ["units", "format", "times", "figures"]) {
    $(id).value = prefer[id];
    $(id).onchange = () => { localStorage.setItem(id, $(id).value); redraw(); };
  }
  const showNight = () => {
    document.documentElement.toggleAttribute("data-night", prefer.night === "on");
    $("night").setAttribute("aria-pressed", String(prefer.night === "on"));
  };
  $("night").onclick = () => { localStorage.setItem("night", prefer.night === "on" ? "off" : "on"); showNight(); redraw(); };
  showNight();
  $("settings-open").onclick = () => $("settings").showModal();
  $("settings-done").onclick = () => $("settings").close();
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
  prepareMap(); prepareSky(); preparePanels(); prepareAnchor();
  document.addEventListener("visibilitychange", () => { document.hidden ? anchor || (stream?.close(), stream = null) : connect(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { redrawMap(); redrawSky(); redrawPanels(); });
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; redrawMap(); redrawSky(); redrawPanels(); } });
  // Ages are texts; no canvas is drawn for them.
  setInterval(() => { if (!document.hidden || anchor) { drawNow(); tick(); } }, 1000);
}

prepare();
if (/^#[cs]=/.test(location.hash)) await openSession();
connect();
drawNow();
