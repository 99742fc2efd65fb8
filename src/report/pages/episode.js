// The page of an episode: fetches long texts when they are opened, and shows one scene of the film at a time. It sets text only, never
// markup.

/** @param {HTMLDetailsElement} details */
async function load(details) {
  const [from, text] = [details.dataset['from'], details.querySelector('pre')];
  if (!details.open || from === undefined || text === null) return;
  text.hidden = false;
  text.textContent = '…';
  text.textContent = await fetched(from);
}

/** @param {string} from */
async function fetched(from) {
  try {
    return await (await fetch(from)).text();
  } catch {
    return 'It could not be fetched. Has the program ended that serves this page?';
  }
}

for (const details of document.querySelectorAll('details')) {
  details.addEventListener('toggle', () => {
    void load(details);
  });
}

/** @type {HTMLElement[]} */
const scenes = [...document.querySelectorAll('.scene')].filter((each) => each instanceof HTMLElement);
/** @type {HTMLAnchorElement[]} */
const entries = [...document.querySelectorAll('.reel .list a')].filter((each) => each instanceof HTMLAnchorElement);
let current = 0;

/** Shows one scene. @param {number} place */
function show(place) {
  current = Math.max(0, Math.min(scenes.length - 1, place));
  for (const [at, scene] of scenes.entries()) scene.hidden = at !== current;
  for (const [at, entry] of entries.entries()) {
    if (at === current) entry.setAttribute('aria-current', 'step');
    else entry.removeAttribute('aria-current');
  }
  entries[current]?.scrollIntoView({ block: 'nearest' });
}

/** The scene that the address names, or else the last step, or the end. */
function wanted() {
  const named = scenes.findIndex(({ id }) => `#${id}` === location.hash);
  const last = scenes.length > 2 ? scenes.length - 2 : scenes.length - 1;
  return named === -1 ? last : named;
}

/** Shows a scene and names it in the address. @param {number} place */
function turnTo(place) {
  show(place);
  history.replaceState(null, '', `#${scenes[current]?.id ?? ''}`);
}

addEventListener('hashchange', () => {
  show(wanted());
  // A link of the list keeps the focus, so that its keys go on from there.
  entries[current]?.focus({ preventScroll: true });
});
document.querySelector('.reel .list')?.addEventListener('keydown', (event) => {
  if (!(event instanceof KeyboardEvent) || event.altKey || event.ctrlKey || event.metaKey) return;
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const place = entries.findIndex((each) => each === event.target);
  if (by === undefined || place === -1) return;
  event.preventDefault();
  turnTo(place + by);
  entries[current]?.focus();
});
addEventListener('keydown', ({ key, target, altKey, ctrlKey, metaKey }) => {
  // Leaves arrows to the browser in scrolling texts and with modifier keys.
  if (altKey || ctrlKey || metaKey || (target instanceof Element && target.closest('pre, [role="region"]'))) return;
  if (key === 'ArrowRight') turnTo(current + 1);
  if (key === 'ArrowLeft') turnTo(current - 1);
});
document.querySelector('.strip')?.addEventListener('click', ({ target }) => {
  const step = target instanceof SVGElement ? target.dataset['step'] : undefined;
  const place = scenes.findIndex(({ id }) => id === `step-${step}`);
  if (place !== -1) turnTo(place);
});
if (scenes.length > 0) show(wanted());
