// The index of episodes: filters, and a table of which only the rows in sight exist, so that ten thousand stay smooth.
// Whatever it shows is set as text; nothing here makes markup.

/**
 * @typedef {{ id: string, suite: string, task: string, entrant: string, iteration: number, status: string,
 *   steps: number | null, time: string | null, facts: [string, string][], page?: string }} Episode
 */

/** Rows beyond those in sight, so that the next one by Tab or arrow is there. */
const BEYOND = 12;
/** Most rows that are printed. */
const PRINTED = 1000;

/**
 * @template {Element} E
 * @param {string} id
 * @param {new () => E} kind
 * @returns {E}
 */
function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

const frame = element('index', HTMLDivElement);
const body = element('rows', HTMLTableSectionElement);
const told = element('count', HTMLParagraphElement);
const text = element('filter-text', HTMLInputElement);
const dialog = element('episode', HTMLDialogElement);
const selects = {
  status: element('filter-status', HTMLSelectElement),
  entrant: element('filter-entrant', HTMLSelectElement),
  suite: element('filter-suite', HTMLSelectElement),
};

/** @type {Episode[]} */
const episodes = JSON.parse(document.getElementById('data')?.textContent ?? '[]');
const searched = episodes.map((each) =>
  [each.task, each.entrant, each.status, ...each.facts.flat()].join('\n').toLowerCase(),
);
/** Places of the episodes that are shown. */
let shown = episodes.map((_, at) => at);
/** Rows that exist, by their place among those shown.
 * @type {Map<number, HTMLTableRowElement>} */
const rows = new Map();
/** In px; measured as soon as there is a row. */
let rowHeight = 36;
const [above, below] = [spacer(), spacer()];

function spacer() {
  const row = document.createElement('tr');
  row.setAttribute('aria-hidden', 'true');
  row.insertCell();
  return row;
}

/** @param {HTMLTableRowElement} row @param {number} count of rows that it stands for */
function stretch(row, count) {
  row.style.height = `${count * rowHeight}px`;
  row.hidden = count === 0;
}

/** @param {number} place among those shown */
function rowAt(place) {
  const episode = episodes[shown[place] ?? -1];
  const row = document.createElement('tr');
  if (episode === undefined) return row;
  row.setAttribute('aria-rowindex', String(place + 2));
  const opener = openerOf(episode);
  opener.textContent = episode.task;
  opener.dataset['place'] = String(place);
  const name = row.insertCell();
  name.append(opener);
  name.title = episode.task;
  /** @type {[string, string][]} */
  const cells = [
    ['entrant', episode.entrant],
    ['iteration', String(episode.iteration)],
    ['status', episode.status],
    ['steps', episode.steps === null ? '–' : String(episode.steps)],
    ['time', episode.time ?? '–'],
  ];
  for (const [column, value] of cells) {
    const cell = row.insertCell();
    cell.className = column === 'status' ? `status ${colourOf(value)}` : column;
    cell.textContent = value;
  }
  return row;
}

/** A link to the page of an episode; where it has none, a button that shows what is known of it. @param {Episode} episode */
function openerOf({ page }) {
  if (page === undefined) {
    const button = document.createElement('button');
    button.type = 'button';
    return button;
  }
  const link = document.createElement('a');
  link.href = page;
  return link;
}

/** @param {string} status */
function colourOf(status) {
  if (status === 'passed') return 'passed';
  return status === 'not_applicable' || status === 'unavailable' ? 'absent' : 'lost';
}

/** Makes the rows from one place to another, and lets go of all others. Rows that stay keep the focus. */
function draw(from = firstInSight() - BEYOND, to = firstInSight() + frame.clientHeight / rowHeight + BEYOND) {
  const [first, last] = [Math.max(0, Math.floor(from)), Math.min(shown.length, Math.ceil(to))];
  for (const [place, row] of rows) {
    if (place >= first && place < last) continue;
    row.remove();
    rows.delete(place);
  }
  /** @type {Element} */
  let before = above;
  for (let place = first; place < last; place += 1) {
    const row = rows.get(place) ?? rowAt(place);
    rows.set(place, row);
    if (before.nextElementSibling !== row) before.after(row);
    before = row;
  }
  stretch(above, first);
  stretch(below, shown.length - last);
}

function firstInSight() {
  return Math.floor(frame.scrollTop / rowHeight);
}

function filter() {
  const words = text.value
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  shown = episodes.flatMap((each, at) => {
    const matches =
      words.every((word) => searched[at]?.includes(word)) &&
      (selects.status.value === '' || selects.status.value === each.status) &&
      (selects.entrant.value === '' || selects.entrant.value === each.entrant) &&
      (selects.suite.value === '' || selects.suite.value === each.suite);
    return matches ? [at] : [];
  });
  for (const row of rows.values()) row.remove();
  rows.clear();
  frame.scrollTop = 0;
  frame.querySelector('table')?.setAttribute('aria-rowcount', String(shown.length + 1));
  told.textContent = `${shown.length} of ${episodes.length} episodes`;
  draw();
  rowHeight = rows.get(0)?.getBoundingClientRect().height ?? rowHeight;
  draw();
}

/** @param {number} place */
function focusAt(place) {
  const wanted = Math.max(0, Math.min(shown.length - 1, place));
  const [top, head] = [wanted * rowHeight, 2 * rowHeight];
  if (top < frame.scrollTop) frame.scrollTop = top;
  else if (top + head > frame.scrollTop + frame.clientHeight) frame.scrollTop = top + head - frame.clientHeight;
  draw();
  placed(rows.get(wanted))?.focus({ preventScroll: true });
}

/** @param {Episode} episode */
function open(episode) {
  element('episode-name', HTMLHeadingElement).textContent = `${episode.task} #${episode.iteration}: ${episode.status}`;
  const facts = element('episode-facts', HTMLDListElement);
  facts.replaceChildren();
  for (const [name, value] of [['entrant', episode.entrant], ...episode.facts]) {
    const [term, detail] = [document.createElement('dt'), document.createElement('dd')];
    term.textContent = name ?? '';
    detail.textContent = value ?? '';
    facts.append(term, detail);
  }
  dialog.showModal();
}

/** What opens the episode of a row. @param {HTMLTableRowElement | undefined} row @returns {HTMLElement | null | undefined} */
function placed(row) {
  return row?.querySelector('[data-place]');
}

/** @param {EventTarget | null} target */
function placeOf(target) {
  const opener = target instanceof Element ? target.closest('[data-place]') : null;
  return opener instanceof HTMLElement ? Number(opener.dataset['place']) : null;
}

/** By how many rows a key moves. @param {string} key */
function moveBy(key) {
  const page = Math.max(1, Math.floor(frame.clientHeight / rowHeight) - 2);
  /** @type {Record<string, number>} */
  const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
  return moves[key];
}

for (const [field, select] of Object.entries(selects)) {
  const values = new Set(
    episodes.map((each) => ({ status: each.status, entrant: each.entrant, suite: each.suite })[field]),
  );
  for (const value of [...values].toSorted((a, b) => String(a).localeCompare(String(b))))
    select.append(new Option(value, value));
  select.addEventListener('change', filter);
}
text.addEventListener('input', filter);
text.form?.addEventListener('submit', (event) => event.preventDefault());
text.form?.addEventListener('reset', () => setTimeout(filter));
let waits = false;
frame.addEventListener('scroll', () => {
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    draw();
  });
});
frame.addEventListener('keydown', (event) => {
  const move = moveBy(event.key);
  if (move === undefined) return;
  const place = placeOf(event.target);
  event.preventDefault();
  focusAt((place ?? (move === 1 ? -1 : 0)) + move);
});
body.addEventListener('click', (event) => {
  const episode = episodes[shown[placeOf(event.target) ?? -1] ?? -1];
  if (episode !== undefined && episode.page === undefined) open(episode);
});
addEventListener('beforeprint', () => draw(0, PRINTED));
addEventListener('afterprint', () => draw());
addEventListener('resize', () => draw());
body.append(above, below);
filter();
