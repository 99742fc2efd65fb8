import type { JsonObject } from '../../src/contract/json.ts';
import type { Ability } from '../../src/surface/traits.ts';
import { nac3Surface } from '../../src/surface/nac3/nac3.ts';
import { ACTION_TIMEOUT_MS } from '../../src/surface/page/stage.ts';
import type { SurfaceIntent } from '../../src/task/intent.ts';
import { elementsOf } from '../../src/task/snapshot-text.ts';
import type { TargetClass } from '../../src/task/target.ts';
import type { ToolReply } from '../../src/task/tool.ts';
import { nac3Page, runtimePages } from '../nac3/nac3-page.ts';
import { firstOfEach } from './first-of-each.ts';
import { openSurface, refOf, SURFACES, type SurfaceScene } from './page-session.ts';

/** The surfaces that show pages; a new one of ours is a line here, and another in `NAMED` where its calls name elements. */
const PAGE_SURFACES = { ...SURFACES, nac3: nac3Surface };
type PageSurface = keyof typeof PAGE_SURFACES;
export const IDS = ['aria', 'dom', 'pixels', 'nac3'] as const satisfies readonly PageSurface[];

/** A page with everything that is hard to reach: a shadow root, a frame, a dialog, a list, a box, and a place below the fold. */
const PAGES = {
  'http://a.test/': `<x-box></x-box><iframe id="inner" src="http://b.test/" height="80"></iframe>
    <p><button onclick="document.title = confirm('Sure?') ? 'accepted' : 'dismissed'">Ask</button></p>
    <p><label>Topic <select id="topic"><option>Sales<option>Support</select></label></p>
    <p><label><input type="checkbox" id="box"> Agree</label></p><p><label>Name <input id="name" value="old"></label></p>
    <p><button onclick="setTimeout(() => { document.body.append('It has come') }, 200)">Start</button></p>
    <p><a href="/b" target="_blank">Open</a></p>
    <p><button id="menu">Menu</button> <a href="#card">Card</a> <button id="bin">Bin</button></p>
    <script>
      menu.onmouseenter = () => { document.title = 'hovered'; };
      menu.ondblclick = () => { document.title = 'twice'; };
      menu.oncontextmenu = (event) => { event.preventDefault(); document.title = 'right'; };
      bin.ondragenter = bin.ondragover = (event) => event.preventDefault();
      bin.ondrop = (event) => { event.preventDefault(); document.title = 'dropped'; };
    </script>
    <p><label>Photo <input type="file" id="photo"></label></p>
    <p><button id="off" disabled>Off</button></p>
    <div style="position: relative"><button id="under">Under</button><div style="position: absolute; inset: 0"></div></div>
    <div style="height: 2000px"></div><button id="deep" onclick="document.title = 'deep'">Deep</button>
    <script>document.querySelector('x-box').attachShadow({ mode: 'open' }).innerHTML =
      '<button onclick="document.title=\\'shadow\\'">Inside</button>';</script>`,
  'http://b.test/': `<button onclick="this.textContent = 'Voted'">Vote</button>`,
  'http://a.test/b': '<title>Second</title><h1>Second</h1>',
};

/** The same page as its makers would describe it by NAC3, which knows nothing of frames. */
const NAC3_PAGES = {
  'http://a.test/': nac3Page(
    `<main data-nac-plugin="shop" data-nac-plugin-state="ready"><x-box></x-box>
    <button data-nac-id="shop.ask" data-nac-role="action">Ask</button>
    <label>Topic <select id="topic" data-nac-id="shop.topic" data-nac-role="field"><option>Sales<option>Support</select></label>
    <label><input type="checkbox" id="box" data-nac-id="shop.agree" data-nac-role="field"> Agree</label>
    <label>Name <input id="name" value="old" data-nac-id="shop.name" data-nac-role="field"></label>
    <button data-nac-id="shop.start" data-nac-role="action">Start</button>
    <button data-nac-id="shop.open" data-nac-role="navigation">Open</button>
    <button id="off" data-nac-id="shop.off" data-nac-role="action" disabled>Off</button>
    <div style="position: relative"><button id="under" data-nac-id="shop.under" data-nac-role="action">Under</button><div style="position: absolute; inset: 0"></div></div>
    <div style="height: 2000px"></div><button id="deep" data-nac-id="shop.deep" data-nac-role="action">Deep</button></main>`,
    {
      host: `const root = document.querySelector('x-box').attachShadow({ mode: 'open' });
      root.innerHTML = '<button data-nac-id="shop.inside" data-nac-role="action">Inside</button>';
      const does = {
        ask: () => { document.title = confirm('Sure?') ? 'accepted' : 'dismissed'; },
        start: () => { setTimeout(() => { document.querySelector('main').append('It has come'); }, 200); },
        open: () => { window.open('/b'); },
        deep: () => { document.title = 'deep'; },
        inside: () => { document.title = 'shadow'; },
        under: () => {},
        off: () => {},
      };
      for (const element of [...document.querySelectorAll('button'), ...root.querySelectorAll('button')]) {
        NAC.bindAction(element, () => { does[element.dataset.nacId.slice('shop.'.length)](); return {}; });
      }`,
    },
  ),
  'http://a.test/b': '<title>Second</title><h1>Second</h1>',
};

const FILES = [{ name: 'bin.txt', bytes: Buffer.from('a bin') }];

export async function openPage(surface: PageSurface, timeoutMs = ACTION_TIMEOUT_MS): Promise<SurfaceScene> {
  const pages = surface === 'nac3' ? { ...(await runtimePages()), ...NAC3_PAGES } : PAGES;
  return await openSurface(PAGE_SURFACES[surface], pages, { timeoutMs, files: FILES });
}

const click = (name: string, role = 'button'): SurfaceIntent => ({ do: 'click', role, name });
const MENU = { role: 'button', name: 'Menu' };
const titleOf = (scene: SurfaceScene) => scene.page.title();

/** What shows that a surface has an ability: steps, and their outcome. */
type AbilityCase = [
  ability: Ability,
  what: string,
  steps: SurfaceIntent[],
  outcome: (scene: SurfaceScene) => Promise<unknown>,
  expected: unknown,
];

const IN_FRAME = 'in a frame of another site';

export const ABILITY_CASES: AbilityCase[] = [
  ['go', 'an address', [{ do: 'go', url: 'http://a.test/b' }], async (scene) => scene.page.url(), 'http://a.test/b'],
  ['click', 'in a shadow root', [click('Inside')], titleOf, 'shadow'],
  [
    'click',
    IN_FRAME,
    [click('Vote')],
    (s) => s.page.frames()[1]?.textContent('button') ?? Promise.resolve(null),
    'Voted',
  ],
  ['click', 'a box', [click('Agree', 'checkbox')], (scene) => scene.page.isChecked('#box'), true],
  ['click', 'below the fold', [click('Deep')], titleOf, 'deep'],
  ['hover', 'a button', [{ do: 'hover', ...MENU }], titleOf, 'hovered'],
  ['double_click', 'a button', [{ do: 'double_click', ...MENU }], titleOf, 'twice'],
  ['right_click', 'a button', [{ do: 'right_click', ...MENU }], titleOf, 'right'],
  [
    'drag',
    'a link onto a button',
    [{ do: 'drag', role: 'link', name: 'Card', to: { role: 'button', name: 'Bin' } }],
    titleOf,
    'dropped',
  ],
  [
    'fill',
    'a field that holds something',
    [{ do: 'fill', label: 'Name', text: 'Ada: "L"' }],
    (s) => s.page.inputValue('#name'),
    'Ada: "L"',
  ],
  ['fill', 'a field with nothing', [{ do: 'fill', label: 'Name', text: '' }], (s) => s.page.inputValue('#name'), ''],
  [
    'choose',
    'an option',
    [{ do: 'choose', label: 'Topic', option: 'Support' }],
    (s) => s.page.inputValue('#topic'),
    'Support',
  ],
  [
    'upload',
    'a file',
    [{ do: 'upload', role: 'button', name: 'Photo', files: ['bin.txt'] }],
    (s) => s.page.evaluate('photo.files[0].text()'),
    'a bin',
  ],
  [
    'press',
    'a key',
    [
      { do: 'fill', label: 'Name', text: 'Ada' },
      { do: 'press', key: 'Backspace' },
    ],
    (s) => s.page.inputValue('#name'),
    'Ad',
  ],
  ['dialog', 'accepted', [click('Ask'), { do: 'dialog', action: 'accept' }], titleOf, 'accepted'],
  ['dialog', 'dismissed', [click('Ask'), { do: 'dialog', action: 'dismiss' }], titleOf, 'dismissed'],
  [
    'wait',
    'for a text',
    [click('Start'), { do: 'wait_for', text: 'It has come' }],
    (s) => s.page.getByText('It has come').count(),
    1,
  ],
  [
    'tabs',
    'back to the first',
    [click('Open', 'link'), { do: 'switch_tab', index: 0 }],
    // The judge learns of each tab that was acted on.
    async (s) => new Set(s.touched).size,
    2,
  ],
];

export function abilityCases(surface: PageSurface): AbilityCase[] {
  const lacked = Object.keys(PAGE_SURFACES[surface]().differences?.lacks ?? {});
  return ABILITY_CASES.filter(
    ([ability, what]) => !lacked.includes(ability) && (surface !== 'nac3' || what !== IN_FRAME),
  );
}

/** Surfaces that `npm test` tries, with the first case of each ability; it leaves all other cases to `npm run test:ci`. */
export const QUICK_IDS = ['aria', 'nac3'] as const satisfies readonly PageSurface[];

export function quickCases(surface: PageSurface): AbilityCase[] {
  const isQuick = QUICK_IDS.some((each) => each === surface);
  return isQuick ? firstOfEach(abilityCases(surface), ([ability]) => ability) : [];
}

/** Follows the steps of a case. */
export async function tried(surface: PageSurface, [, , steps, outcome]: AbilityCase) {
  await using scene = await openPage(surface);
  // What opens a tab is a button for NAC3.
  const through = steps.map((step) =>
    surface === 'nac3' && step.do === 'click' && step.role === 'link' ? { ...step, role: 'button' } : step,
  );
  const { ok } = await scene.follow({ do: 'read' }, ...through);
  return { ok, outcome: await outcome(scene) };
}

type Named = 'Deep' | 'Off' | 'Under' | 'Topic';

/** How calls name elements: as in what was shown, and, for one called Late that was not shown, as it would be named. */
export const NAMED = {
  aria: {
    as: (shown: string, name: Named): JsonObject => ({ ref: refOf(shown, name) }),
    late: async ({ page }: SurfaceScene): Promise<JsonObject> => {
      const found = elementsOf(await page.ariaSnapshot({ mode: 'ai' })).find(({ name }) => name === 'Late');
      return { ref: found?.ref ?? 'e999' };
    },
    option: 'option',
  },
  dom: {
    as: (_shown: string, name: Named): JsonObject => ({ selector: `#${name.toLowerCase()}` }),
    late: (): Promise<JsonObject> => Promise.resolve({ selector: '#late' }),
    option: 'option',
  },
  nac3: {
    as: (_shown: string, name: Named): JsonObject => ({ nac_id: `shop.${name.toLowerCase()}` }),
    late: (): Promise<JsonObject> => Promise.resolve({ nac_id: 'shop.late' }),
    option: 'value',
  },
};
export type NamingSurface = keyof typeof NAMED;
export const NAMING = ['aria', 'dom', 'nac3'] as const satisfies readonly NamingSurface[];

const ADD_LATE = `(document.querySelector('main') ?? document.body).insertAdjacentHTML('beforeend', '<button id="late" data-nac-id="shop.late">Late</button>'); void 0`;
const REMOVE_DEEP = `document.querySelector('#deep').remove()`;

type TargetCase = [
  expected: TargetClass,
  what: string,
  run: (scene: SurfaceScene, shown: ToolReply, surface: NamingSurface) => Promise<ToolReply>,
];

export const TARGET_CASES: TargetCase[] = [
  ['resolved', 'what is there', (scene, shown, surface) => scene.call('click', NAMED[surface].as(shown.text, 'Deep'))],
  ['phantom', 'what never was', async (scene, _, surface) => scene.call('click', await NAMED[surface].late(scene))],
  [
    'not_yet_present',
    'what came after the agent had looked',
    async (scene, _, surface) => {
      await scene.page.evaluate(ADD_LATE);
      return await scene.call('click', await NAMED[surface].late(scene));
    },
  ],
  [
    'stale',
    'what has gone since',
    async (scene, shown, surface) => {
      const named = NAMED[surface].as(shown.text, 'Deep');
      await scene.page.evaluate(REMOVE_DEEP);
      return await scene.call('click', named);
    },
  ],
  [
    'stale',
    'what was shown before the last look, and has gone',
    async (scene, shown, surface) => {
      const named = NAMED[surface].as(shown.text, 'Deep');
      await scene.page.evaluate(REMOVE_DEEP);
      await scene.follow({ do: 'read' });
      return await scene.call('click', named);
    },
  ],
  ['blocked', 'what is disabled', (scene, shown, surface) => scene.call('click', NAMED[surface].as(shown.text, 'Off'))],
  [
    'blocked',
    'what is covered',
    (scene, shown, surface) => scene.call('click', NAMED[surface].as(shown.text, 'Under')),
  ],
  [
    'blocked',
    'what is behind a dialog',
    async (scene, shown, surface) => {
      await openDialog(scene);
      return await scene.call('click', NAMED[surface].as(shown.text, 'Deep'));
    },
  ],
  [
    'invented_argument',
    'an option that no list has',
    (scene, shown, surface) =>
      scene.call('select', { ...NAMED[surface].as(shown.text, 'Topic'), [NAMED[surface].option]: 'Cake' }),
  ],
  [
    'resolved',
    'an option that the list has',
    (scene, shown, surface) =>
      scene.call('select', { ...NAMED[surface].as(shown.text, 'Topic'), [NAMED[surface].option]: 'Sales' }),
  ],
  [
    'invented_argument',
    'an argument that the tool does not have',
    (scene, shown, surface) => scene.call('click', { ...NAMED[surface].as(shown.text, 'Deep'), force: true }),
  ],
];

/** Has the page open a dialog by itself. */
export async function openDialog({ page }: SurfaceScene): Promise<void> {
  const opens = page.waitForEvent('dialog');
  page.evaluate(`setTimeout(() => alert('Stop'))`).catch(() => {});
  await opens;
}
