// Follows a running campaign: shows its progress, and redraws the page as episodes end. It keeps the scroll position and the filters of
// the index.

/** Least time between two pages, in ms. */
const LEAST_MS = 2000;

const live = document.querySelector('p.live') ?? document.createElement('p');
const index = document.querySelector('#index')?.closest('section');
const changes = new EventSource('/changes');
/** Counted episodes that the page shows. */
let drawn = Number(live.getAttribute('data-done'));
/** Counted episodes in the bundle. */
let counted = drawn;
let isDrawing = false;

changes.addEventListener('message', ({ data }) => {
  /** @type {{ done: number, text: string, isOver: boolean }} */
  const { done, text: sentence, isOver } = JSON.parse(data);
  live.textContent = isOver ? `${sentence}; the campaign has ended` : sentence;
  live.classList.toggle('over', isOver);
  counted = done;
  if (isOver) changes.close();
  void catchUp();
});
changes.addEventListener('error', () => {
  if (changes.readyState !== EventSource.CLOSED) live.textContent = 'the viewer does not answer: is it still running?';
});

/** Redraws the page until it is up to date. */
async function catchUp() {
  if (isDrawing) return;
  isDrawing = true;
  while (drawn !== counted) {
    const wanted = counted;
    try {
      const answer = await fetch('/');
      if (answer.ok) redraw(new DOMParser().parseFromString(await answer.text(), 'text/html'));
      drawn = wanted;
    } catch {
      // The listener for changes reports that the server is gone.
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, LEAST_MS));
  }
  isDrawing = false;
}

/** Replaces the parts of the page by those of a later one, except the index, which takes its episodes. @param {Document} next */
function redraw(next) {
  const main = next.querySelector('main');
  const nextIndex = main?.querySelector('#index')?.closest('section');
  if (!main || !index || !nextIndex) return;
  const [top, opened, focused] = [index.getBoundingClientRect().top, openIn(document), nameOf(document.activeElement)];
  const here = [...(index.parentElement?.children ?? [])];
  const parts = [...main.children];
  const at = parts.indexOf(nextIndex);
  for (const each of here) if (each !== index) each.remove();
  index.before(...parts.slice(0, at));
  index.after(...parts.slice(at + 1));
  for (const name of ['header', 'footer']) {
    const part = next.querySelector(`body > ${name}`);
    if (part !== null) document.querySelector(`body > ${name}`)?.replaceWith(part);
  }
  for (const details of document.querySelectorAll('details')) if (opened.has(nameOf(details))) details.open = true;
  // report.js takes them.
  document.dispatchEvent(new CustomEvent('episodes', { detail: nextIndex.querySelector('#data')?.textContent }));
  if (document.activeElement === document.body) withName(focused)?.focus({ preventScroll: true });
  if (scrollY > 0) scrollBy({ top: index.getBoundingClientRect().top - top, behavior: 'instant' });
}

/** Names of the open details. @param {Document} page */
function openIn(page) {
  return new Set([...page.querySelectorAll('details[open]')].map(nameOf));
}

/** A name of a part that is the same in the next page, without counts. @param {Element | null} part */
function nameOf(part) {
  if (part === null || part === document.body) return '';
  if (part.id !== '') return part.id;
  const section = part.closest('section');
  const alike = [...(section ?? part.ownerDocument).querySelectorAll(part.tagName)];
  return `${section?.getAttribute('aria-labelledby')} ${part.tagName} ${part.getAttribute('href') ?? alike.indexOf(part)}`;
}

/** @param {string} name @returns {HTMLElement | null} */
function withName(name) {
  if (name === '') return null;
  const found = [...document.querySelectorAll('a, button, summary')].find((each) => nameOf(each) === name);
  return found instanceof HTMLElement ? found : null;
}
