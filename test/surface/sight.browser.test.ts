import { expect, test } from 'vitest';
import { keyword } from '../../src/agent/kinds/keyword.ts';
import { seenIn } from '../../src/agent/keyword/observation.ts';
import { random } from '../../src/agent/kinds/random.ts';
import type { Agent } from '../../src/agent/agent.ts';
import { nac3Surface } from '../../src/surface/nac3/nac3.ts';
import { MAX_HTML } from '../../src/surface/dom/serialise.ts';
import type { SurfaceIntent } from '../../src/task/intent.ts';
import { NEVER, seatWith } from '../agent/seat.ts';
import { nac3Page, runtimePages } from '../nac3/nac3-page.ts';
import { openSurface, SURFACES } from './page-session.ts';

const MAKERS = { aria: SURFACES.aria, dom: SURFACES.dom, nac3: nac3Surface };
const KINDS = ['aria', 'dom', 'nac3'] as const;

/** A page with one of everything, as every surface may show it. */
const FORM = `<h1>Contact</h1>
  <p><label>Name <input data-nac-id="shop.name" data-nac-role="field" value="Ada"></label></p>
  <p><label for="topic">Topic</label>
    <select id="topic" data-nac-id="shop.topic" data-nac-role="field"><option value="a">Sales</option><option value="b">Support</option></select></p>
  <p><label><input type="checkbox" data-nac-id="shop.terms" data-nac-role="field"> I agree</label></p>
  <p><button data-nac-id="shop.later" disabled>Send later</button><button data-nac-id="shop.gone" hidden>Withdraw</button></p>
  <p><button data-nac-id="shop.send"><div>Send</div> <div>now</div></button></p>`;
const HOST = `for (const button of document.querySelectorAll('button')) NAC.bindAction(button, () => {
  document.title = button.textContent; button.dataset.nacState = 'done'; });`;

const SEEN = [
  { role: 'textbox', name: 'Name', options: [] },
  { role: 'combobox', name: 'Topic', options: ['Sales', 'Support'] },
  { role: 'checkbox', name: 'I agree', options: [] },
  { role: 'button', name: 'Send now', options: [] },
];

async function openForm(surface: keyof typeof MAKERS, body = FORM) {
  const root = `<main data-nac-plugin="shop" data-nac-plugin-state="ready">${body}</main>`;
  const pages = { ...(await runtimePages()), 'http://a.test/': nac3Page(root, { host: HOST }) };
  return await openSurface(MAKERS[surface], pages);
}

/** What an agent wants done on a page with this goal, move after move, and what it answers. */
async function decisions(agent: Agent, surface: keyof typeof MAKERS, goal: string): Promise<unknown[]> {
  await using scene = await openForm(surface);
  const wanted: unknown[] = [];
  const seat = seatWith([], async (intent: SurfaceIntent, last) => {
    const bound = await scene.session.bind(intent, last);
    wanted.push(intent, bound.kind);
    return bound;
  });
  const brief = { ...seat.brief, goal };
  const session = await agent.open({ ...seat, brief, sight: () => scene.session.sight?.() ?? null });
  let move = await session.next(null, NEVER);
  while (move.kind === 'call') move = await session.next(await scene.call(move.call.tool, move.call.args), NEVER);
  return [...wanted, move, await scene.page.title()];
}

test.each(KINDS)('through %s the same elements are seen, and none that is hidden or disabled', async (surface) => {
  await using scene = await openForm(surface);
  const reply = await scene.follow({ do: 'read' });
  expect(
    seenIn(reply, scene.session.sight?.() ?? null).elements.map(({ role, name, options }) => ({ role, name, options })),
  ).toEqual(SEEN);
});

test('through nac3 what there is only to read is a text, and nothing to act on', async () => {
  const body = `<table data-nac-id="shop.orders" data-nac-role="data-table" aria-label="Orders"><tr>
    <td data-nac-id="shop.date" data-nac-role="region">1 May</td><td><button data-nac-id="shop.open">Open</button></td></tr></table>
    <p data-nac-id="shop.said" data-nac-role="feedback">Saved</p>`;
  await using scene = await openForm('nac3', body);
  const { elements, texts } = seenIn(await scene.follow({ do: 'read' }), scene.session.sight?.() ?? null);
  expect(elements).toEqual([{ role: 'button', name: 'Open', options: [] }]);
  expect(texts).toEqual(['Orders', '1 May', 'Open', 'Saved']);
});

const GOAL = 'Ask the support: send now, with the name "Grace".';

test.each(['dom', 'nac3'] as const)('keyword decides through %s as through aria', async (surface) => {
  const expected = await decisions(keyword, 'aria', GOAL);
  expect(expected).toContainEqual({ do: 'fill', label: 'Name', text: 'Grace' });
  expect(expected).toContainEqual({ do: 'choose', label: 'Topic', option: 'Support' });
  expect(expected.at(-1)).toMatch(/Send\s*now/);
  expect(await decisions(keyword, surface, GOAL)).toEqual(expected);
});

test.each(['dom', 'nac3'] as const)('random draws the same first step through %s as through aria', async (surface) => {
  const [look, , first] = await decisions(random, 'aria', GOAL);
  expect(look).toEqual({ do: 'read' });
  expect((await decisions(random, surface, GOAL))[2]).toEqual(first);
});

test.each(KINDS)('through %s what a field holds is there to read', async (surface) => {
  await using scene = await openForm(surface);
  const { texts } = seenIn(await scene.follow({ do: 'read' }), scene.session.sight?.() ?? null);
  expect(texts.join('\n')).toContain('Name Ada');
});

test.each(['dom', 'nac3'] as const)(
  'through %s nothing is in sight before the first look, nor behind a dialog',
  async (surface) => {
    await using scene = await openForm(
      surface,
      `${FORM}<button data-nac-id="shop.ask" onclick="confirm('Sure?')">Ask</button>`,
    );
    expect(scene.session.sight?.()).toBeNull();
    await scene.follow({ do: 'read' }, { do: 'click', role: 'button', name: 'Ask' });
    expect(scene.session.sight?.()).toBeNull();
  },
);

test('through dom nothing is in sight that the HTML does not hold: what is cut off, and what is closed', async () => {
  const body = `<button>Near</button><div id="box"></div><p>${'x'.repeat(MAX_HTML)}</p><button>Far</button>
    <script>document.querySelector('#box').attachShadow({ mode: 'closed' }).innerHTML = '<button>Closed</button>';</script>`;
  await using scene = await openSurface(SURFACES.dom, { 'http://a.test/': body });
  await scene.follow({ do: 'read' });
  expect(scene.session.sight?.()).toMatchObject({ elements: [{ name: 'Near' }], texts: ['Test', 'Near'] });
});

test('through dom what stands in a shadow root and in a frame of another site is in sight', async () => {
  await using scene = await openSurface(SURFACES.dom, {
    'http://a.test/': `<x-box></x-box><iframe src="http://b.test/"></iframe>
      <script>document.querySelector('x-box').attachShadow({ mode: 'open' }).innerHTML = '<button>Inside</button>';</script>`,
    'http://b.test/': '<a href="/">Home</a><input aria-label="Search" type="search"><input type="submit" value="Go">',
  });
  await scene.follow({ do: 'read' });
  expect(scene.session.sight?.()?.elements).toMatchObject([
    { role: 'button', name: 'Inside' },
    { role: 'link', name: 'Home' },
    { role: 'searchbox', name: 'Search' },
    { role: 'button', name: 'Go' },
  ]);
});
