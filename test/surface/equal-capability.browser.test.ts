import { describe, expect, test } from 'vitest';
import { BUILT_IN } from '../../src/surface/built-in.ts';
import { ABILITIES, type Ability, type Differences } from '../../src/surface/differences.ts';
import { nac3Surface } from '../../src/surface/nac3/nac3.ts';
import type { SurfaceIntent } from '../../src/task/intent.ts';
import { nac3Page, runtimePages } from '../nac3/nac3-page.ts';
import { openSurface, SURFACES, type SurfaceScene } from './page-session.ts';

function differencesOf(surface: string): Differences | undefined {
  return BUILT_IN.find(({ id }) => id === surface)?.differences;
}

/** A page with everything that is hard to reach: a shadow root, a frame, a dialog, a list, a box, and a place below the fold. */
const PAGES = {
  'http://a.test/': `<x-box></x-box><iframe id="inner" src="http://b.test/" height="80"></iframe>
    <p><button onclick="document.title = confirm('Sure?') ? 'accepted' : 'dismissed'">Ask</button></p>
    <p><label>Topic <select id="topic"><option>Sales<option>Support</select></label></p>
    <p><label><input type="checkbox" id="box"> Agree</label></p><p><label>Name <input id="name" value="old"></label></p>
    <p><button onclick="setTimeout(() => { document.body.append('It has come') }, 200)">Start</button></p>
    <p><a href="/b" target="_blank">Open</a></p>
    <div style="height: 2000px"></div><button onclick="document.title = 'deep'">Deep</button>
    <script>document.querySelector('x-box').attachShadow({ mode: 'open' }).innerHTML =
      '<button onclick="document.title=\\'shadow\\'">Inside</button>';</script>`,
  'http://b.test/': `<button onclick="this.textContent = 'Voted'">Vote</button>`,
  'http://a.test/b': '<title>Second</title><h1>Second</h1>',
};

/** The same page as its makers would tell it to NAC3, which knows nothing of frames. */
const NAC3_PAGES = {
  'http://a.test/': nac3Page(
    `<main data-nac-plugin="shop" data-nac-plugin-state="ready"><x-box></x-box>
    <button data-nac-id="shop.ask" data-nac-role="action">Ask</button>
    <label>Topic <select id="topic" data-nac-id="shop.topic" data-nac-role="field"><option>Sales<option>Support</select></label>
    <label><input type="checkbox" id="box" data-nac-id="shop.agree" data-nac-role="field"> Agree</label>
    <label>Name <input id="name" value="old" data-nac-id="shop.name" data-nac-role="field"></label>
    <button data-nac-id="shop.start" data-nac-role="action">Start</button>
    <button data-nac-id="shop.open" data-nac-role="navigation">Open</button>
    <div style="height: 2000px"></div><button data-nac-id="shop.deep" data-nac-role="action">Deep</button></main>`,
    {
      host: `const root = document.querySelector('x-box').attachShadow({ mode: 'open' });
      root.innerHTML = '<button data-nac-id="shop.inside" data-nac-role="action">Inside</button>';
      const does = {
        ask: () => { document.title = confirm('Sure?') ? 'accepted' : 'dismissed'; },
        start: () => { setTimeout(() => { document.querySelector('main').append('It has come'); }, 200); },
        open: () => { window.open('/b'); },
        deep: () => { document.title = 'deep'; },
        inside: () => { document.title = 'shadow'; },
      };
      for (const element of [...document.querySelectorAll('button'), ...root.querySelectorAll('button')]) {
        NAC.bindAction(element, () => { does[element.dataset.nacId.slice('shop.'.length)](); return {}; });
      }`,
    },
  ),
  'http://a.test/b': '<title>Second</title><h1>Second</h1>',
};

const click = (name: string, role = 'button'): SurfaceIntent => ({ do: 'click', role, name });
const titleOf = (scene: SurfaceScene) => scene.page.title();

/** What shows that a surface has an ability: steps, and what has come of them. */
const SHOWN_BY: [Ability, string, SurfaceIntent[], (scene: SurfaceScene) => Promise<unknown>, unknown][] = [
  ['go', 'an address', [{ do: 'go', url: 'http://a.test/b' }], async (scene) => scene.page.url(), 'http://a.test/b'],
  ['click', 'in a shadow root', [click('Inside')], titleOf, 'shadow'],
  [
    'click',
    'in a frame of another site',
    [click('Vote')],
    (s) => s.page.frames()[1]?.textContent('button') ?? Promise.resolve(null),
    'Voted',
  ],
  ['click', 'a box', [click('Agree', 'checkbox')], (scene) => scene.page.isChecked('#box'), true],
  ['click', 'below the fold', [click('Deep')], titleOf, 'deep'],
  [
    'fill',
    'a field that holds something',
    [{ do: 'fill', label: 'Name', text: 'Ada L.' }],
    (s) => s.page.inputValue('#name'),
    'Ada L.',
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
    async (s) => new Set(s.touched).size,
    2,
  ],
];

/** Surfaces of a user of pages; nac3 has pages of its own, further down. */
const ALIKE = ['aria', 'dom', 'pixels'] as const;
/** Surfaces of the app's own tools. */
const OF_APPS = ['app-mcp', 'webmcp'];

test('every surface that says how it differs is tried here, and no other', () => {
  const checked = BUILT_IN.filter(({ differences }) => differences !== undefined).map(({ id }) => id);
  // One that is not: try it in this file, or leave out its `differences`, which nobody has checked.
  expect(checked.toSorted()).toEqual([...ALIKE, 'nac3', ...OF_APPS].toSorted());
});

describe.each(ALIKE)('through %s', (surface) => {
  test.each(SHOWN_BY)('%s: %s', async (ability, _, steps, outcome, expected) => {
    expect(differencesOf(surface)?.lacks[ability]).toBeUndefined();
    await using scene = await openSurface(SURFACES[surface], PAGES);
    expect(await scene.follow({ do: 'read' }, ...steps)).toMatchObject({ ok: true });
    expect(await outcome(scene)).toBe(expected);
  });

  test('read: what the page shows', async () => {
    await using scene = await openSurface(SURFACES[surface], { 'http://a.test/': '<h1>Hello</h1>' });
    const { text, image } = await scene.follow({ do: 'read' });
    const seen = surface === 'pixels' ? Buffer.from(image?.base64 ?? '', 'base64').toString('latin1') : text;
    expect(seen).toContain(surface === 'pixels' ? 'PNG' : 'Hello');
  });
});

describe('through nac3', () => {
  const shown = SHOWN_BY.filter(([, where]) => where !== 'in a frame of another site');

  test.each(shown)('%s: %s', async (ability, _, steps, outcome, expected) => {
    expect(differencesOf('nac3')?.lacks[ability]).toBeUndefined();
    await using scene = await openSurface(nac3Surface, { ...(await runtimePages()), ...NAC3_PAGES });
    const followed = await scene.follow({ do: 'read' }, ...steps.map(toPage));
    expect(followed).toMatchObject({ ok: true });
    expect(await outcome(scene)).toBe(expected);
  });

  test('read: what the page says by NAC3', async () => {
    await using scene = await openSurface(nac3Surface, { ...(await runtimePages()), ...NAC3_PAGES });
    expect((await scene.follow({ do: 'read' })).text).toContain('Topic');
  });

  test('what stands in a frame is not there, and that is stated', () => {
    expect(differencesOf('nac3')?.sight).toContainEqual(expect.stringContaining('frames'));
  });
});

/** What opens a tab is a button there. */
function toPage(step: SurfaceIntent): SurfaceIntent {
  return step.do === 'click' && step.role === 'link' ? { ...step, role: 'button' } : step;
}

test('every ability is shown by something', () => {
  expect(new Set([...SHOWN_BY.map(([ability]) => ability), 'read'])).toEqual(new Set(ABILITIES));
});

test.each(OF_APPS)('%s lacks what users of pages do, and says why', (surface) => {
  expect(Object.keys(differencesOf(surface)?.lacks ?? {})).toEqual([...ABILITIES]);
  expect(differencesOf(surface)?.shortcut?.tools).toBe('all');
});
