"""What a program can see of a page that is well set: scripts for the browser, each of which returns what is broken.

RULES: the rules of WCAG 2.2 that a program can look at: names, roles, order of headings, tables, sizes and contrast.
Source: WCAG 2.2, 1.1.1, 1.3.1, 1.4.3, 1.4.11, 2.4.6, 2.5.8, 3.1.1, 4.1.2; contrast as its definition of relative
luminance has it.

UNTIDY: rows that should be one line, and markers of the sky plot that lie on each other.
"""

RULES = r"""
const broken = [];
const shown = (element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !element.closest('.unseen');
const name = (element) => (element.getAttribute('aria-label') || (element.getAttribute('aria-labelledby') || '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
    || [...(element.labels ?? [])].map((label) => label.textContent).join(' ') || element.textContent || element.title || '').trim();
if (!document.documentElement.lang) broken.push('no language');
if (!document.title) broken.push('no title');
if (document.querySelectorAll('h1').length !== 1) broken.push('not one h1');
if (document.querySelectorAll('main').length !== 1) broken.push('not one main');
let level = 0;
for (const heading of [...document.querySelectorAll('h1,h2,h3')].filter((each) => each.checkVisibility())) {
  const own = Number(heading.tagName[1]);
  if (own > level + 1) broken.push(`heading skips a level: ${heading.textContent}`);
  if (!heading.textContent.trim()) broken.push('an empty heading');
  level = own;
}
const ids = [...document.querySelectorAll('[id]')].map((each) => each.id);
for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) broken.push(`id twice: ${id}`);
for (const element of document.querySelectorAll('button,select,input,a[href],summary,canvas,[role=img],section')) {
  if (shown(element) && !name(element)) broken.push(`no name: ${element.outerHTML.slice(0, 80)}`);
}
for (const canvas of document.querySelectorAll('canvas')) {
  if (canvas.getAttribute('role') !== 'img') broken.push(`a canvas without a role: ${canvas.id}`);
  const section = canvas.closest('section');
  if (!section.querySelector('details table, details div, p[id$=note]')) broken.push(`a canvas without a table or sentence: ${canvas.id}`);
}
for (const table of document.querySelectorAll('table')) if (!table.querySelector('th[scope]')) broken.push('a table without heads');
for (const element of document.querySelectorAll('button,select,summary')) {
  if (!shown(element)) continue;
  const box = element.getBoundingClientRect();
  if (box.width < 24 || box.height < 24) broken.push(`too small to hit: ${name(element).slice(0, 30)} ${box.width}x${box.height}`);
}
for (const element of document.querySelectorAll('[aria-live]')) if (element.getAttribute('aria-live') !== 'polite') broken.push('a live region that interrupts');
const rgb = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
const luminance = ([r, g, b]) => [r, g, b].map((each) => each / 255).map((each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4).reduce((sum, each, i) => sum + each * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (element) => { for (let each = element; each; each = each.parentElement) { const colour = rgb(getComputedStyle(each).backgroundColor); if (colour.length === 3 || colour[3] > 0.99) return colour; } return [255, 255, 255]; };
const seen = new Set();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || seen.has(element) || !shown(element) || ['SCRIPT', 'NOSCRIPT', 'OPTION'].includes(element.tagName)) continue;
  seen.add(element);
  const style = getComputedStyle(element), [a, b] = [luminance(rgb(style.color)), luminance(behind(element))].sort((x, y) => y - x), contrast = (a + 0.05) / (b + 0.05);
  const isLarge = parseFloat(style.fontSize) >= 24 || parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700;
  if (contrast < (isLarge ? 3 : 4.5)) broken.push(`contrast ${contrast.toFixed(2)}: ${walker.currentNode.data.trim().slice(0, 40)}`);
}
return [...new Set(broken)].slice(0, 20);
"""

UNTIDY = r"""
const untidy = [];
for (const row of ['header', '.tools']) {
  const boxes = [...document.querySelector(row).children].map((each) => each.getBoundingClientRect()).filter((box) => box.height);
  if (Math.max(...boxes.map((box) => box.top)) >= Math.min(...boxes.map((box) => box.bottom))) untidy.push(`${row} has two rows`);
}
for (const element of document.querySelectorAll('h1, .tools button')) {
  const lines = document.createRange();
  lines.selectNodeContents(element);
  if (new Set([...lines.getClientRects()].map((box) => Math.round(box.top))).size > 1) untidy.push(`wraps: ${element.textContent}`);
}
const markers = sextantSky.markers;
if (markers.length < 4) untidy.push('hardly a satellite in the sky plot');
markers.forEach((a, index) => markers.slice(index + 1).forEach((b) => {
  if (Math.hypot(a.x - b.x, a.y - b.y) < a.reach + b.reach - 1) untidy.push(`on each other: ${a.key}, ${b.key}`);
}));
return untidy;
"""
