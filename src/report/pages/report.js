// The index of episodes: filters and order, which are in the address, and a table with only its visible rows, so that ten thousand stay
// smooth. It sets text only, never markup.

/**
 * @typedef {{ id: string, suite: string, template: string, task: string, entrant: string, iteration: number, status: string,
 *   steps: number | null, ms: number | null, time: string | null, why: string | null, clause?: [string, string],
 *   must?: boolean, picture?: string, facts: [string, string, string?][], page?: string }} Episode
 */

/** @type {(keyof typeof selects)[]} */
const fields = ['status', 'entrant', 'task', 'suite'];
/** Rows beyond the visible ones, for Tab and arrow keys. */
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
const count = element('count', HTMLSpanElement);
const total = element('total', HTMLSpanElement);
const text = element('filter-text', HTMLInputElement);
const dialog = element('episode', HTMLDialogElement);
const selects = {
  status: element('filter-status', HTMLSelectElement),
  entrant: element('filter-entrant', HTMLSelectElement),
  task: element('filter-task', HTMLSelectElement),
  suite: element('filter-suite', HTMLSelectElement),
};
/** Values for the filters.
 * @type {Record<keyof typeof selects, (episode: Episode) => string>} */
const chosen = {
  status: ({ status }) => status,
  entrant: ({ entrant }) => entrant,
  task: ({ template }) => template,
  suite: ({ suite }) => suite,
};
/** Values for the order.
 * @type {Record<string, (episode: Episode) => string | number>} */
const ordered = {
  task: ({ task }) => task,
  entrant: ({ entrant }) => entrant,
  iteration: ({ iteration }) => iteration,
  status: ({ status }) => status,
  steps: ({ steps }) => steps ?? -1,
  time: ({ ms }) => ms ?? -1,
};
/** The column that orders episodes, with `-` for descending; empty: controls last. */
let order = '';

/** Goals by suite and task.
 * @type {Record<string, string | undefined>} */
const goals = JSON.parse(document.getElementById('goals')?.textContent ?? '{}');

/** @type {Episode[]} */
let episodes = [];
/** Texts to search, in the order of the episodes.
 * @type {string[]} */
let searched = [];
/** Places of the episodes that are shown.
 * @type {number[]} */
let shown = [];
/** Existing rows, by their place among those shown.
 * @type {Map<number, HTMLTableRowElement>} */
const rows = new Map();
/** In px; measured as soon as there is a row. */
let rowHeight = 36;
const [above, below] = [spacer(), spacer()];

/** Takes the episodes of the page, or of a later one; filters stay. @param {string} json */
function take(json) {
  episodes = JSON.parse(json);
  searched = episodes.map((each) =>
    [
      each.template,
      each.task,
      goals[`${each.suite}/${each.task}`],
      each.entrant,
      each.status,
      each.why,
      each.clause,
      ...each.facts,
    ]
      .flat()
      .join('\n')
      .toLowerCase(),
  );
  for (const field of fields) {
    const select = selects[field];
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const value of episodes.map(chosen[field])) counts.set(value, (counts.get(value) ?? 0) + 1);
    const values = [...counts].toSorted(([a], [b]) => a.localeCompare(b));
    const value = select.value;
    select.replaceChildren(new Option('all', ''), ...values.map(([each, of]) => new Option(`${each} (${of})`, each)));
    select.value = value;
  }
  // Hides the choice of a single suite.
  selects.suite.parentElement?.toggleAttribute('hidden', selects.suite.options.length < 3);
}

function spacer() {
  const row = document.createElement('tr');
  row.setAttribute('aria-hidden', 'true');
  row.insertCell();
  return row;
}

/** @param {HTMLTableRowElement} row @param {number} hidden rows that it stands for */
function stretch(row, hidden) {
  row.style.height = `${hidden * rowHeight}px`;
  row.hidden = hidden === 0;
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
    cell.className = column === 'status' ? `status ${colourOf(episode)}` : column;
    cell.textContent = value;
    if (column === 'steps') cell.dataset['unit'] = value === '1' ? ' step' : ' steps';
  }
  return row;
}

/** A link to the page of an episode, or a button that opens its dialog. @param {Episode} episode */
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

/** @param {Episode} episode */
function colourOf({ status, must }) {
  if (status === 'passed') return 'passed';
  return must || status === 'not_applicable' || status === 'unavailable' ? 'absent' : 'lost';
}

/** Makes the rows from one place to another and removes the others. Kept rows keep the focus. */
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
      fields.every((field) => selects[field].value === '' || selects[field].value === chosen[field](each));
    return matches ? [at] : [];
  });
  sort();
  for (const row of rows.values()) row.remove();
  rows.clear();
  frame.scrollTop = 0;
  frame.querySelector('table')?.setAttribute('aria-rowcount', String(shown.length + 1));
  count.textContent = `${shown.length} of ${episodes.length} episodes`;
  total.textContent = `, ${timeText(shown.reduce((sum, at) => sum + (episodes[at]?.ms ?? 0), 0))} in all`;
  draw();
  measure();
}

/** @param {number} milliseconds */
function timeText(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Measures a row, which has two lines in a narrow window, and keeps the top row in place. */
function measure() {
  const [[first], place] = [[...rows.values()], frame.scrollTop / rowHeight];
  rowHeight = first?.getBoundingClientRect().height ?? rowHeight;
  stretch(above, Math.floor(place));
  frame.scrollTop = place * rowHeight;
  draw();
}

/** Sorts the shown episodes, and marks the head of the column. */
function sort() {
  const [column, way] = order.startsWith('-') ? [order.slice(1), -1] : [order, 1];
  for (const button of frame.querySelectorAll('[data-sort]')) {
    const is = button.getAttribute('data-sort') === column;
    button.closest('th')?.setAttribute('aria-sort', is ? (way === 1 ? 'ascending' : 'descending') : 'none');
  }
  const valueOf = ordered[column];
  if (valueOf === undefined) return;
  shown.sort((one, other) => way * compared(valueAt(one, valueOf), valueAt(other, valueOf)) || one - other);
}

/** @param {number} at @param {(episode: Episode) => string | number} valueOf */
function valueAt(at, valueOf) {
  const episode = episodes[at];
  return episode === undefined ? '' : valueOf(episode);
}

/** @param {string | number} one @param {string | number} other */
function compared(one, other) {
  return typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other));
}

/** Writes filters, order and the opened episode into the address, so that it can be shared. @param {string} [episode] */
function remember(episode = '') {
  const state = {
    text: text.value,
    ...Object.fromEntries(fields.map((field) => [field, selects[field].value])),
    order,
    episode,
  };
  const kept = new URLSearchParams(Object.entries(state).filter(([, value]) => value !== ''));
  const query = kept.toString();
  history.replaceState(null, '', `#episodes${query === '' ? '' : `?${query}`}`);
}

/** Takes filters, order and the opened episode from the address; a plain anchor changes nothing. */
function recall() {
  const [section = '', query] = location.hash.slice(1).split('?');
  if (section !== 'episodes' || query === undefined) return;
  const state = new URLSearchParams(query);
  text.value = state.get('text') ?? '';
  for (const field of fields) selects[field].value = state.get(field) ?? '';
  order = state.get('order') ?? '';
  filter();
  document.getElementById(section)?.scrollIntoView();
  const episode = episodes.find(({ id }) => id === state.get('episode'));
  if (episode !== undefined && !dialog.open) open(episode);
}

/** Filters again after an input. */
function refilter() {
  filter();
  remember();
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

/** Opens the dialog of an episode. @param {Episode} episode */
function open(episode) {
  remember(episode.id);
  const goal = goals[`${episode.suite}/${episode.task}`] ?? '';
  document.dispatchEvent(new CustomEvent('episode', { detail: { ...episode, goal } }));
}

/** The link or button of a row. @param {HTMLTableRowElement | undefined} row @returns {HTMLElement | null | undefined} */
function placed(row) {
  return row?.querySelector('[data-place]');
}

/** @param {EventTarget | null} target */
function placeOf(target) {
  const opener = target instanceof Element ? target.closest('[data-place]') : null;
  return opener instanceof HTMLElement ? Number(opener.dataset['place']) : null;
}

/** The number of rows that a key moves by. @param {string} key */
function moveBy(key) {
  const page = Math.max(1, Math.floor(frame.clientHeight / rowHeight) - 2);
  /** @type {Record<string, number>} */
  const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
  return moves[key];
}

for (const field of fields) selects[field].addEventListener('change', refilter);
text.addEventListener('input', refilter);
text.form?.addEventListener('submit', (event) => event.preventDefault());
text.form?.addEventListener('reset', () => setTimeout(refilter));
frame.querySelector('thead')?.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-sort]') : null;
  const column = button?.getAttribute('data-sort');
  if (column === null || column === undefined) return;
  order = order === column ? `-${column}` : order === `-${column}` ? '' : column;
  refilter();
});
dialog.addEventListener('close', () => remember());
addEventListener('hashchange', recall);
document.addEventListener('episodes', (event) => {
  if (!(event instanceof CustomEvent)) return;
  const { scrollTop } = frame;
  take(event.detail);
  filter();
  frame.scrollTop = scrollTop;
  draw();
});
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
addEventListener('resize', measure);
body.append(above, below);
take(document.getElementById('data')?.textContent ?? '[]');
filter();
recall();
