import { expect, test } from 'vitest';
import type { Json } from '../../src/contract/json.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { dom } from '../../src/surface/dom/dom.ts';
import { nac3 } from '../../src/surface/nac3/nac3.ts';
import type { Surface } from '../../src/surface/surface.ts';
import { call, moves, ORIGIN, type Pages, type Performance, stage } from './staged-episode.ts';

function reversible(): { pages: Pages; state: () => Json } {
  let isDone = false;
  const pages: Pages = {
    '/': '<h1>Open</h1>',
    '/do': () => {
      isDone = true;
      return new Response('done');
    },
    '/undo': () => {
      isDone = false;
      return new Response('undone');
    },
    '/state': () =>
      new Response(`<!doctype html><h1>${isDone ? 'Done' : 'Open'}</h1>`, {
        headers: { 'content-type': 'text/html', 'cache-control': 'max-age=3600' },
      }),
  };
  return { pages, state: () => ({ isDone }) };
}

/** Goes back to a page from before the work was undone. */
async function backToDone(surface: Surface, success: object): Promise<Performance> {
  const to = (path: string) => call('navigate', { url: `${ORIGIN}${path}` });
  const agent = moves(to('/do'), to('/state'), to('/undo'), call('back'));
  return await stage({ task: JSON.parse(JSON.stringify({ success })), ...reversible(), agent, setup: { surface } });
}

const DONE = { kind: 'dom_text', selector: 'h1', contains: 'Done' } as const;
const SURFACES = [aria, dom, nac3];

test.each(SURFACES)(
  'a page from before the work was undone, reached by going back through $id, is gone after a reload',
  async (surface) => {
    const { result, evidence } = await backToDone(surface, { ...DONE, fresh: true });
    expect(result).toMatchObject({ status: 'failed', decisive: { leaf: { observed: { preview: 'Open' } } } });
    expect(evidence.end?.fresh).toMatchObject({ captured: true, value: { url: { value: `${ORIGIN}/state` } } });
  },
);

test('nor does it depend on the state of the app', async () => {
  const { result } = await backToDone(aria, { kind: 'app_state', pointer: '/isDone', equals: true });
  expect(result.status).toBe('failed');
});

test('and the open page shows it: a contract of that alone holds', async () => {
  expect((await backToDone(aria, DONE)).result.status).toBe('passed');
});

test('a page left with its scripts is not kept for a return to it', async () => {
  const page = `<h1>Open</h1><script>onpageshow = ({ persisted }) => { if (persisted) document.querySelector('h1').textContent = 'Done' }</script>`;
  const agent = moves(
    call('navigate', { url: `${ORIGIN}/other` }),
    call('back'),
    call('navigate', { url: `${ORIGIN}/other` }),
    call('back'),
  );
  const { result } = await stage({ task: {}, pages: { '/': page, '/other': '<p>Elsewhere</p>' }, agent });
  expect(result).toMatchObject({
    status: 'failed',
    finalUrl: `${ORIGIN}/`,
    decisive: { leaf: { observed: { preview: 'Open' } } },
  });
});
