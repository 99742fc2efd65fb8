/** A core.js of ours with the names that pages of MiniWoB++ use. */
const CORE = `var core = {}, WOB_RAW_REWARD_GLOBAL = 0, WOB_EPISODE_ID = 0, WOB_TASK_READY = true;
Math.seedrandom = (seed) => {
  let state = ((Number(seed) + 1) * 48271 * 48271) % 2147483647;
  Math.random = () => (state = (state * 16807) % 2147483647) / 2147483647;
};
core.EP_TIMER = null;
core.cover_div = null;
core.EPISODE_MAX_TIME = 10;
core.createDisplay = () => {
  if (document.getElementById('reward-display')) return;
  document.body.insertAdjacentHTML('beforeend', '<canvas id="click-canvas"></canvas><div id="reward-display">-</div>');
  document.body.addEventListener('click', ({ target }) => (target.dataset.tampered = 'e' + WOB_EPISODE_ID));
};
core.countdownTimer = () => {};
core.startEpisode = () => {
  core.createDisplay();
  core.cover_div = document.createElement('div');
  core.cover_div.textContent = 'START';
  core.cover_div.onclick = () => core.startEpisodeReal();
  document.body.append(core.cover_div);
};
core.startEpisodeReal = () => {
  genProblem();
  core.cover_div.style.display = 'none';
  core.EP_TIMER = setTimeout(() => core.endEpisode(-1, false, 'timed out'), core.EPISODE_MAX_TIME);
};
core.endEpisode = (reward) => {
  if (core.EP_TIMER === null) return;
  clearTimeout(core.EP_TIMER);
  core.EP_TIMER = null;
  WOB_RAW_REWARD_GLOBAL = reward;
  WOB_EPISODE_ID += 1;
  core.startEpisode();
};
core.getUtterance = () => document.getElementById('query').textContent.replace(/\\s+/g, ' ').trim();`;

function page(body: string, script: string): string {
  return `<!DOCTYPE html><html><head><title>Ours</title>
<script src="../core/core.js"></script>
<script>${script}
window.onload = () => core.startEpisode();</script></head>
<body><div id="wrap"><div id="query"></div><div id="area">${body}</div></div></body></html>`;
}

const NAMES = "['Amber', 'Birch', 'Cedar', 'Dune']";

/** Pays 1 for the fruit that is asked for, 0.5 for another, and -1 for none. */
const PICK = page(
  '<button id="a">Amber</button><button id="b">Birch</button><button id="c">None</button>',
  `var genProblem = () => {
  const wanted = ['a', 'b'][Math.floor(Math.random() * 2)];
  document.getElementById('query').textContent = 'Press ' + document.getElementById(wanted).textContent + '.';
  for (const id of ['a', 'b']) document.getElementById(id).onclick = () => core.endEpisode(id === wanted ? 1 : 0.5, true);
  document.getElementById('c').onclick = () => core.endEpisode(-1, false, 'none');
};`,
);

/** As click-checkboxes: each box counts by itself. */
const BOXES = page(
  '<div id="boxes"></div><button id="subbtn">Submit</button>',
  `var genProblem = () => {
  const boxes = ${NAMES}.map((name, at) => ({ name, id: 'ch' + at, isWanted: Math.random() < 0.5 }));
  document.getElementById('boxes').innerHTML = boxes
    .map(({ name, id }) => '<label><input type="checkbox" id="' + id + '">' + name + '</label><br>').join('');
  const wanted = boxes.filter(({ isWanted }) => isWanted).map(({ name }) => name);
  document.getElementById('query').textContent = 'Select ' + (wanted.join(', ') || 'nothing') + ' and click Submit.';
  document.getElementById('subbtn').onclick = () => {
    const right = boxes.filter(({ id, isWanted }) => document.getElementById(id).checked === isWanted).length;
    core.endEpisode((2 * right - boxes.length) / boxes.length, true);
  };
};`,
);

/** The button that is asked for is covered by the other for every odd number that is drawn. */
const COVERED = page(
  '<button id="subbtn" style="position:absolute;left:10px;top:60px">ONE</button><button id="subbtn2" style="position:absolute;left:80px;top:60px">TWO</button>',
  `var genProblem = () => {
  document.getElementById('query').textContent = 'Click button ONE.';
  document.getElementById('subbtn2').style.left = Math.random() < 0.5 ? '10px' : '80px';
  document.getElementById('subbtn').onclick = () => core.endEpisode(1, true);
  document.getElementById('subbtn2').onclick = () => core.endEpisode(-1, false);
};`,
);

/** Pays for a click on either button. */
const EITHER = page(
  '<button>Amber</button><button>Birch</button>',
  `var genProblem = () => {
  document.getElementById('query').textContent = 'Click on the "Amber" button.';
  for (const button of document.querySelectorAll('#area button')) button.onclick = () => core.endEpisode(1, true);
};`,
);

/** Pays for any text that begins as asked. */
const BEGINS = page(
  '<label>Tags: <input id="tags"></label><button id="subbtn">Submit</button>',
  `var ITEMS = ${NAMES};
var genProblem = () => {
  document.getElementById('query').textContent = 'Enter an item that starts with "Am".';
  document.getElementById('subbtn').onclick = () =>
    core.endEpisode(document.getElementById('tags').value.startsWith('Am') ? 1 : -1, true);
};`,
);

const ROW = (name: string): string => `    register(
        id="miniwob/${name}-v1",
        entry_point="miniwob.envs.miniwob_envs:OursEnv",
    )
`;

/** A checkout in the form of MiniWoB++'s, of our own pages. */
export const OWN_MINIWOB: Record<string, string> = {
  'miniwob/registration.py':
    'click-shape click-checkboxes click-button use-autocomplete click-test-2 moving-target flight.AA'
      .split(' ')
      .map(ROW)
      .join(''),
  'miniwob/html/core/core.js': CORE,
  'miniwob/html/miniwob/click-shape.html': PICK,
  'miniwob/html/miniwob/click-checkboxes.html': BOXES,
  'miniwob/html/miniwob/click-button.html': EITHER,
  'miniwob/html/miniwob/use-autocomplete.html': BEGINS,
  'miniwob/html/miniwob/click-test-2.html': COVERED,
};
