// The panels beside map and sky: questions of programs, power, regions and visits, compass, clients, health.
import { $, age, ago, announce, clock, confirmed, distance, get, h, listenToHeading, live, named, number, post, replace, setText, span } from "./app.js";
import { sheet } from "./sky.js";
import { askTrack } from "./map.js";

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isOperator = () => live.link?.state === "connected" && live.link.role === "operator";

export function prepare() {
  $("power-window").onchange = askPower;
  $("power-table").closest("details").addEventListener("toggle", powerTable);
  $("compass-open").onclick = () => openCompass($("compass-box").hidden);
  document.addEventListener("visibilitychange", () => { if (document.hidden) openCompass(false); });
}

export function update(kind) {
  switch (kind) {
    case "link": drawRole(); drawPrompts(); drawClients(); drawPlaces(); drawPower(); drawHealth(); break;
    case "prompts": drawPrompts(); break;
    case "energy": drawPower(); drawClients(); break;
    case "clients": case "services": drawClients(); break;
    case "regions": case "visits": drawPlaces(); break;
    case "heading": drawCompass(); break;
    case "status": drawHealth(); break;
    case "hello": drawRole(); break;
  }
}

let seconds = 0;
// Once a second: ages, and once a minute what is asked for rather than sent.
export function tick() {
  seconds++;
  drawHealth();
  if (seconds % 60 === 0 && live.link?.state === "connected") { askPower(); if (seconds % 300 === 0) askTrack(); }
}

export function redraw() { drawBars(); drawCompass(); }

function drawRole() {
  setText($("role"), live.link?.state !== "connected" ? "" : isOperator() ? "operator’s page" : "may look only");
}

// ---- Questions of programs

const kinds = { whenInUse: "wants to know where this board is while it is in use", always: "wants to know where this board is at all times", fullAccuracy: "wants the exact position once", services: "started while location services are off" };
const answers = { allow: "Allow", once: "Allow once", keep: "Leave as it is", deny: "Deny", always: "Always", on: "Switch services on", off: "Leave off", reset: "Forget" };

function drawPrompts() {
  const prompts = isOperator() ? live.prompts?.prompts ?? [] : [];
  const wasHidden = $("prompts").hidden;
  $("prompts").hidden = !prompts.length;
  if (prompts.length && wasHidden) announce(`${named(prompts[0].client).textContent} asks to know where this board is`);
  replace("prompts-list", prompts.map((prompt) => h("div", { class: "item" },
    h("h3", null, named(prompt.client)),
    h("p", null, `${kinds[prompt.kind] ?? prompt.kind}${prompt.accuracyAuthorization === "reduced" ? ", to some kilometres only" : ""}.`),
    prompt.purpose && h("p", { class: "note" }, "Its manifest says: ", named(prompt.purpose)),
    prompt.statedPurpose && h("p", { class: "note" }, "It says itself: ", named(prompt.statedPurpose)),
    h("p", { class: "buttons" }, [...(prompt.answers ?? ["allow", "deny"]).map((each) => [answers[each] ?? each, { answer: each }]),
      (prompt.answers ?? []).includes("allow") && prompt.kind !== "fullAccuracy" ? ["Allow to some kilometres", { answer: "allow", accuracy: "reduced" }] : null]
      .filter(Boolean).map(([text, body]) => h("button", { type: "button", class: body.answer === "allow" && !body.accuracy ? "strong" : null, onclick: () => decide(prompt, text, body) }, text))))));
}

async function decide(prompt, text, body) {
  const name = named(prompt.client);
  if (["allow", "always", "once"].includes(body.answer) && !await confirmed(`${text}?`, `“${name.textContent}” ${kinds[prompt.kind] ?? ""}. Its purpose: ${named(prompt.statedPurpose ?? prompt.purpose ?? "not said").textContent}`, text)) return;
  await change("/answer", { client: prompt.client, ...body }, `${name.textContent}: ${text.toLowerCase()}`);
}

async function change(path, body, done) {
  const answer = await post(path, body);
  announce(answer.ok ? done : answer.text);
  if (!answer.ok) setText($("footer").firstChild ?? $("footer"), answer.text);
}

// ---- Power

const causes = {
  accuracyRequest: ["positions that were asked for", "--g"], singleLocation: ["one position", "--i"], regionMonitoring: ["regions", "--j"],
  significantChange: ["large moves", "--e"], visitMonitoring: ["visits", "--c"], gpsd: ["gpsd’s clients", "--r"], failedSearch: ["searches that found nothing", "--bad"],
  coldStart: ["cold starts", "--warn"], ephemerisRefresh: ["renewing orbits", "--good"], idleSleep: ["asleep", "--coast"], alwaysOn: ["always on", "--soft"],
  heartbeat: ["looking whether it still answers", "--s"], motionStart: ["movement", "--visit"], configuration: ["configuring", "--s"], aiding: ["aiding", "--s"], bench: ["trials", "--s"],
};
const states = { acquiring: ["searching", "--warn"], tracking: ["tracking", "--good"], cyclic: ["tracking in cycles", "--e"], softwareSleep: ["asleep", "--coast"], hardwareSleep: ["off", "--line"] };
let rows = [], isAsked = false, powerProblem = "";

async function askPower() {
  isAsked = true;
  try { rows = (await get(`/energyHistory?window=${$("power-window").value}`)).rows; powerProblem = ""; } catch (error) { rows = []; powerProblem = error.message; }
  drawBars(); powerTable();
}

// At least three digits of what is small.
const joules = (value) => value >= 1000 ? `${number(value / 1000, 1)} kJ` : `${number(value, value < 10 ? 2 : 0)} J`;

function drawPower() {
  const energy = live.energy, isThere = live.link?.state === "connected" && energy && !energy.problem;
  const spent = energy?.lastDay?.hours > 1.1 ? energy.lastDay : energy?.lastHour;
  for (const id of ["power-facts", "power-choice", "power-canvas", "power-legend", "power-clients"]) $(id).hidden = !isThere;
  $("power-table").closest("details").hidden = !isThere;
  if (!isThere) return setText($("power-note"), energy?.problem ? `${energy.problem}` : "No word from the daemon about power.");
  if (!isAsked) askPower();
  const battery = spent.batteryHours;
  setText($("power-note"), `Of the last ${span(spent.hours * 3600)}. What the board is stated to draw times the time in each state, not a measurement.`);
  replace("power-facts", [
    ["The whole device draws", `${number(spent.deviceMilliwatts, spent.deviceMilliwatts < 100 ? 1 : 0)} mW`],
    ["Of it the receiver", `${number((spent.receiverShare ?? 0) * 100, 1)} %`],
    ["The host’s idling", joules(spent.hostIdleJoules ?? 0)],
    ["A full battery lasts", battery ? span(battery * 3600) : "no battery known"],
  ].map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
  replace("power-clients", h("table", null, h("thead", null, h("tr", null, h("th", { scope: "col" }, "Who spends"), h("th", { scope: "col", class: "n" }, "Joules"))),
    h("tbody", null, (spent.byClient ?? []).filter((each) => each.joules >= 0.005).slice(0, 8).map((each) => h("tr", null, h("td", null, named(each.client), each.connected === false ? " (gone)" : ""), h("td", { class: "n" }, joules(each.joules)))))));
}

const sum = (object) => Object.values(object ?? {}).reduce((total, value) => total + value, 0);

function drawBars() {
  if ($("power-canvas").hidden) return;
  const made = sheet("power-canvas");
  if (!made) return;
  const { c, width, tall } = made, left = 46, bottom = tall - 40, top = 12;
  c.fillStyle = colour("--soft"); c.textBaseline = "middle"; c.textAlign = "left";
  if (!rows.length) { c.fillText(powerProblem || "Nothing yet.", left, tall / 2); replace("power-legend"); return; }
  const count = $("power-window").value === "hour" ? 60 : 96, shown = rows.slice(-count), most = Math.max(1e-9, ...shown.map((row) => sum(row.byCause))), wide = (width - left) / count;
  c.textAlign = "right"; c.strokeStyle = colour("--line"); c.lineWidth = 1;
  for (const share of [0, 0.5, 1]) {
    const y = Math.round(bottom - (bottom - top) * share) + 0.5;
    c.beginPath(); c.moveTo(left, y); c.lineTo(width, y); c.stroke();
    c.fillText(joules(most * share), left - 5, y);
  }
  const seen = new Set();
  shown.forEach((row, index) => {
    const x = width - (shown.length - index) * wide;
    let y = bottom;
    for (const name of Object.keys(causes)) {
      const value = row.byCause?.[name];
      if (!value) continue;
      const size = (bottom - top) * value / most;
      c.fillStyle = colour(causes[name][1]); c.fillRect(x, y - size, Math.max(1, wide - 1), size);
      y -= size;
      // What no pixel shows needs no key.
      if (size >= 1) seen.add(name);
    }
    // The ribbon: the state in which the receiver spent most.
    const state = Object.entries(row.byState ?? {}).sort((a, b) => b[1] - a[1])[0]?.[0];
    c.fillStyle = colour(states[state]?.[1] ?? "--line"); c.fillRect(x, bottom + 6, Math.max(1, wide - 1), 8);
  });
  c.fillStyle = colour("--soft"); c.textAlign = "left"; c.fillText($("power-window").value === "hour" ? "an hour ago" : "a day ago", left, tall - 12);
  c.textAlign = "right"; c.fillText("now", width, tall - 12);
  const used = new Set(shown.map((row) => Object.entries(row.byState ?? {}).sort((a, b) => b[1] - a[1])[0]?.[0]).filter(Boolean));
  replace("power-legend", [...seen].map((name) => key(causes[name])), used.size ? h("span", null, "Ribbon, most spent while:") : null, [...used].map((name) => key(states[name] ?? [name, "--line"])));
}

function key([text, ink]) {
  const patch = h("i", { "aria-hidden": "true" });
  patch.style.setProperty("background", `var(${ink})`);
  return h("span", null, patch, text);
}

function powerTable() {
  if (!$("power-table").closest("details").open) return;
  replace("power-table", h("table", null, h("thead", null, h("tr", null, ["Began", "Joules", "By cause", "By state of the receiver"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, rows.map((row) => h("tr", null, h("td", null, row.from ? clock(row.from) : ago(row.beganSecondsAgo)), h("td", null, number(sum(row.byCause), 3)),
      h("td", null, Object.entries(row.byCause ?? {}).map(([name, value]) => `${causes[name]?.[0] ?? name} ${number(value, 3)}`).join(", ")),
      h("td", null, Object.entries(row.byState ?? {}).map(([name, value]) => `${states[name]?.[0] ?? name} ${number(value, 3)}`).join(", ")))))));
}

// ---- Regions and visits

const inside = { inside: ["●", "inside"], outside: ["○", "outside"], unknown: ["?", "not known yet"] };

function drawPlaces() {
  const regions = live.regions?.regions ?? [], visits = [...live.visits?.visits ?? []].reverse();
  $("regions").hidden = !isOperator();
  replace("regions-list", regions.length ? regions.map((region) => h("div", { class: "item" }, h("h3", null, named(region.identifier)),
    h("p", null, `${(inside[region.state] ?? inside.unknown).join(" ")}`, region.date ? [", since ", clock(region.date, true)] : "", region.client ? [" · asked for by ", named(region.client)] : ""))) : h("p", { class: "note" }, live.regions?.problem ? "This daemon does not tell the regions: it is older than the page." : "No program watches a region."));
  replace("visits-list", h("h3", null, "Visits"), visits.length ? h("table", null, h("thead", null, h("tr", null, ["Arrival", "Departure", "Place", "Radius"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, visits.slice(0, 12).map((visit) => h("tr", null, h("td", null, visit.arrival ? clock(visit.arrival, true) : "earlier"), h("td", null, visit.departure ? clock(visit.departure, true) : "still there"),
      h("td", null, `${visit.latitude.toFixed(4)}°, ${visit.longitude.toFixed(4)}°`), h("td", null, distance(visit.horizontalAccuracy)))))) : h("p", { class: "note" }, "No visit yet: a visit is a stay of some minutes."));
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
    : `${number(shown)}° ${heading.trueHeading >= 0 ? "true" : "magnetic"}, ${winds[Math.round(shown / 45) % 8]}. ` + (isGood ? `Good to ${number(heading.headingAccuracy)}° (68 %).` : "Turn the board about all its sides: the compass is uncalibrated or disturbed."));
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

const standings = { notDetermined: "not asked yet", restricted: "restricted by the policy", denied: "denied", authorizedAlways: "may know always", authorizedWhenInUse: "may know while in use" };

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
  const spent = new Map((live.energy?.lastDay?.byClient ?? []).map((each) => [each.client, each.joules]));
  const focused = document.activeElement?.dataset?.key;
  replace("clients-list", (live.clients?.clients ?? []).map((client) => h("div", { class: "item" }, h("h3", null, named(client.name)),
    h("p", null, `${standings[client.status] ?? client.status}${client.accuracyAuthorization === "reduced" ? ", to some kilometres" : ""}${client.inUse ? " · in use now" : client.connections ? " · connected" : ""}`, spent.get(client.name) ? ` · ${joules(spent.get(client.name))} in the last day` : ""),
    client.problem && h("p", { class: "warn" }, named(client.problem)),
    h("p", { class: "buttons" }, [["Allow", { answer: "allow" }], ["Reduce", { accuracy: "reduced" }], ["Deny", { answer: "deny" }]].map(([text, body]) => h("button", { type: "button", "data-key": `${client.name}/${text}`, "aria-label": `${text}: ${named(client.name).textContent}`,
      onclick: async () => { if (await confirmed(`${text} “${named(client.name).textContent}”?`, text === "Allow" ? "It is then told the exact position whenever it asks, as its manifest permits." : text === "Reduce" ? "It is then told the place to some kilometres only." : "It is then told nothing of where the board is.", text)) change("/answer", { client: client.name, ...body, ...(text === "Allow" ? { accuracy: "full" } : {}) }, `${text}: done`); } }, text))))));
  if (focused) document.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

// ---- Health

const receiverStates = { absent: "unplugged", searchingRate: "looking for its bit rate", waiting: "connected, nothing heard yet", receiving: "sending", silent: "silent", resting: "asleep", open: "connected" };

function drawHealth() {
  const status = live.status, receiver = status?.receiver ?? {}, power = status?.power ?? {};
  $("compass").hidden = !status?.compass && !live.compass;
  if (!status) return setText($("health-list"), live.link?.message || "No word from the daemon.");
  const lines = [["Receiver", [receiverStates[receiver.state] ?? receiver.state ?? "unknown", power.receiver ? [", ", named(power.receiver)] : "", receiver.device ? ` at ${receiver.device}` : ""]],
    receiver.secondsSinceEpoch !== undefined && ["Last heard", ago(Math.round(receiver.secondsSinceEpoch + age("status")))],
    receiver.sentences !== undefined && ["Messages", `${number((receiver.sentences ?? 0) + (receiver.frames ?? 0))}, damaged ${number(receiver.checksumFailures ?? 0)}`],
    power.backup && ["Backup supply", power.backup],
    status.store && ["Storage", named(status.store.detail)],
    status.compass && ["Compass", `${status.compass.state}${status.compass.calibration ? ", calibrated" : ", not calibrated"}`],
    status.time && ["Time service", named(status.time.source ?? status.time.state ?? "on")],
    ["Daemon", `version ${status.version ?? "unknown"}, ${number(status.clients ?? 0)} clients`]].filter(Boolean);
  const troubles = (power.troubles ?? []).filter((each) => !each.over);
  const text = JSON.stringify([lines.map(([name, value]) => [name, typeof value === "string" ? value : [value].flat(3).map((each) => each?.textContent ?? each).join("")]), troubles.map((each) => each.message)]);
  if ($("health-list").dataset.text === text) return;
  $("health-list").dataset.text = text;
  replace("health-list", h("dl", { class: "facts" }, lines.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))),
    troubles.map((each) => h("p", { class: "warn" }, "▲ ", named(each.message), ` (${number(each.count ?? 1)} times, last ${ago(each.secondsAgo ?? 0)})`)));
}
