// The dialog of an opened episode. It sets text only, never markup.

/** @typedef {import('./report.js').Episode & { goal: string }} Opened */

/** @param {Opened} episode */
function tell(episode) {
  fill('episode-name', [`${episode.task} #${episode.iteration}: ${episode.status}`]);
  fill('episode-goal', [episode.goal]);
  fill('episode-why', [episode.why ?? '']);
  document.getElementById('episode-why')?.classList.toggle('expected', episode.must === true);
  const [expected, observed] = episode.clause ?? [];
  const clause = Object.entries(expected === undefined ? {} : { expected, observed });
  const sides = clause.map((pair) => {
    const group = document.createElement('div');
    group.append(...described(pair));
    return group;
  });
  fill('episode-clause', sides);
  fill('episode-picture', pictureOf(episode));
  fill(
    'episode-facts',
    [['entrant', episode.entrant], ...episode.facts].flatMap((pair) => described(pair)),
  );
  document.querySelector('dialog')?.showModal();
}

/** @param {string} id @param {(Node | string)[]} contents */
function fill(id, contents) {
  document.getElementById(id)?.replaceChildren(...contents);
}

/** @param {(string | undefined)[]} pair @returns {HTMLElement[]} */
function described([name, value, raw]) {
  const [term, detail] = [document.createElement('dt'), document.createElement('dd')];
  term.textContent = name ?? '';
  detail.textContent = value ?? '';
  if (raw !== undefined) detail.append(unfolding(raw));
  return [term, detail];
}

/** @param {string} raw @returns {HTMLElement} */
function unfolding(raw) {
  const folded = document.createElement('details');
  const [summary, code] = [document.createElement('summary'), document.createElement('code')];
  summary.textContent = 'as it was sent';
  code.textContent = raw;
  folded.append(summary, code);
  return folded;
}

/** The last picture of an episode, if the page holds it. @param {Opened} episode @returns {HTMLElement[]} */
function pictureOf({ picture, task }) {
  const there = [...document.querySelectorAll('img')].find((each) => each.dataset['picture'] === picture);
  if (picture === undefined || there === undefined) return [];
  const own = document.createElement('img');
  own.src = there.src;
  own.alt = `Last picture of ${task}`;
  return [own];
}

document.addEventListener('episode', (event) => {
  if (event instanceof CustomEvent) tell(event.detail);
});
