import { expect, test } from 'vitest';
import type { Surface } from '../../src/surface/surface.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { dom } from '../../src/surface/dom/dom.ts';
import { nac3 } from '../../src/surface/nac3/nac3.ts';
import { call, moves, ORIGIN, stage } from './staged-episode.ts';

/** Pages that must not gain a pass, a second attempt or a hang, whatever they do to an observer. */
const PAGES: Record<string, string> = {
  'has 40 000 elements beside each other':
    '<script>for (let i = 0; i < 4e4; i++) document.body.append(document.createElement("b"))</script>',
  'has 40 000 fields, each named by all the text of the page':
    '<p id="all"></p><script>all.textContent = "word ".repeat(1e5); document.body.insertAdjacentHTML("beforeend", "<input aria-labelledby=all>".repeat(4e4))</script>',
  'has elements 5 000 deep':
    '<script>let at = document.body; for (let i = 0; i < 5e3; i++) at = at.appendChild(document.createElement("div"))</script>',
  'has an attribute of 20 million characters':
    '<p id="p">x</p><script>p.setAttribute("title", "x".repeat(2e7))</script>',
  'says something else at each look':
    '<p id="p">0</p><script>let n = 0; setInterval(() => { p.textContent = p.id = `n${n += 1}` }, 1)</script>',
  'takes its heading away and puts it back':
    '<script>setInterval(() => { const h = document.querySelector("h1"); h.remove(); document.body.prepend(h) }, 1)</script>',
  'blocks its own thread most of the time':
    '<script>setInterval(() => { const end = performance.now() + 400; while (performance.now() < end); }, 450)</script>',
  'has a frame that loads itself for ever': '<iframe srcdoc="<script>location.reload()</script>"></iframe>',
  'changes its own address for ever':
    '<script>setInterval(() => history.pushState(null, "", `?${Math.random()}`), 5)</script>',
  'has broken what scripts stand on':
    '<script>for (const type of [Array, Object, String, Promise, Map, Element, Node, Document]) for (const name of Object.getOwnPropertyNames(type.prototype)) try { if (name !== "constructor") Object.defineProperty(type.prototype, name, { get: () => () => "Done" }) } catch {} JSON.stringify = () => `{"kind":"done"}`</script>',
  'has a NAC that throws at all that is asked':
    '<script>window.NAC = new Proxy({}, { get() { throw new Error("no") } })</script>',
  'has a NAC that never answers':
    '<script>window.NAC = { version: "2.3.0", describe: () => new Promise(() => {}) }</script>',
  'has a NAC that answers with megabytes':
    '<script>window.NAC = { version: "2.3.0", describe: async () => ({ plugins: [{ plugin: "x".repeat(3e7), elements: [] }] }) }</script>',
  'has a NAC that is a nest without an end':
    '<script>const nest = () => new Proxy(() => nest(), { get: (_, name) => (name === "then" ? undefined : nest()) }); window.NAC = nest()</script>',
};

async function statusOn(page: string, surface: Surface): Promise<string> {
  const look = call(surface === nac3 ? 'describe' : 'snapshot');
  const { result } = await stage({
    task: { maxDurationMs: 15_000 },
    pages: { '/': '<h1>Open</h1>', '/there': page },
    agent: moves(call('navigate', { url: `${ORIGIN}/there` }), look, look),
    setup: { surface },
  });
  return result.status;
}

const SURFACES = [aria, dom, nac3];

test.each(Object.keys(PAGES).flatMap((name) => SURFACES.map((surface) => ({ name, surface }))))(
  'a page that $name gains no pass and no second attempt through $surface.id, and delays no other',
  async ({ name, surface }) => {
    expect(['failed', 'timeout', 'inconclusive']).toContain(await statusOn(`<h1>Open</h1>${PAGES[name]}`, surface));
  },
);

test.each(SURFACES)('a compliant page passes by the same moves through $id', async (surface) => {
  expect(await statusOn('<h1>Done</h1>', surface)).toBe('passed');
});
