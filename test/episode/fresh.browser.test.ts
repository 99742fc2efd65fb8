import { expect, test } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { requireBrowser } from '../../src/browser/find.ts';
import type { JudgedBrowser } from '../../src/browser/judged-browser.ts';
import { BrowserPool } from '../../src/browser/pool.ts';
import { sharedIdentity } from '../shared-browser.ts';
import { call, deciding, moves, ORIGIN, refOf, stage, type Staged } from './staged-episode.ts';

const success = { kind: 'dom_text', selector: 'h1', contains: 'Done', fresh: true } as const;

const finishing = deciding((last, turn) => {
  if (turn === 0) return call('snapshot');
  return turn === 1 ? call('click', { ref: refOf(last, 'Finish') }) : { kind: 'done', answer: null };
});

async function staged(pages: Staged['pages'], agent = finishing) {
  return await stage({ task: { success }, pages, agent });
}

test('paint on the open page is gone after a reload', async () => {
  const painted = "<h1>Open</h1><button onclick=\"document.querySelector('h1').textContent = 'Done'\">Finish</button>";
  const { result, evidence } = await staged({ '/': painted });
  expect(result).toMatchObject({ status: 'failed', decisive: { leaf: { observed: { preview: 'Open' } } } });
  expect(evidence.end?.fresh).toMatchObject({ captured: true, value: { url: { value: `${ORIGIN}/` } } });
});

test('a page restores what its cookies hold', async () => {
  const remembering = `<h1>Open</h1><button onclick="document.cookie = 'done=1'">Finish</button>
    <script>if (document.cookie === 'done=1') document.querySelector('h1').textContent = 'Done';</script>`;
  const { result } = await staged({ '/': remembering });
  expect(result.status).toBe('passed');
});

test('a page does not restore what only its storage holds', async () => {
  const hoarding = `<h1>Open</h1><button onclick="localStorage.done = 1">Finish</button>
    <script>if (localStorage.done) document.querySelector('h1').textContent = 'Done';</script>`;
  const { result } = await staged({ '/': hoarding });
  expect(result.status).toBe('failed');
});

test('the answer to a posted form is not requested again: it is inconclusive', async () => {
  const form = '<h1>Open</h1><form method="post" action="/sent"><button>Finish</button></form>';
  const { result } = await staged({ '/': form, '/sent': '<h1>Done</h1>' });
  expect(result).toMatchObject({
    status: 'inconclusive',
    decisive: {
      leaf: {
        why: fact('not_loaded_fresh', { why: 'it came as the answer to a POST, which is not to be sent again' }),
      },
    },
  });
});

test('the start page of a task is fresh already: a task that is true there is invalid', async () => {
  const { result } = await staged({ '/': '<h1>Done</h1>' }, moves());
  expect(result.status).toBe('invalid_task');
});

test('requests to outside the world during the judge’s reload are not the entrant’s', async () => {
  const reaching = '<h1>Open</h1><script src="https://cdn.test/library.js"></script>';
  const [open, fresh] = await Promise.all([
    stage({ task: {}, pages: { '/': reaching }, agent: moves() }),
    staged({ '/': reaching }, moves()),
  ]);
  expect(fresh.evidence.end?.fresh).toMatchObject({ captured: true });
  expect(open.result.violations).toEqual({ outside_world: 1 });
  expect(fresh.result.violations).toEqual(open.result.violations);
});

test('a contract without fresh assertions costs no second load', async () => {
  const { evidence } = await stage({ task: {}, pages: { '/': '<h1>Open</h1>' }, agent: moves() });
  expect(evidence.end?.fresh).toEqual({ captured: false, why: 'no assertion asks for it' });
});

/**
 * Stands in for an agent that has kept a way into its browser after its end: whatever is opened there from then on, it answers
 * itself, and the world is never asked. (Through the gateway and without a port none of them can: this is done past both.)
 */
function forging(browser: JudgedBrowser): void {
  const { cdp } = browser.observer;
  cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'page') cdp.send('Fetch.enable', {}, { sessionId }).catch(() => {});
  });
  cdp.on('Fetch.requestPaused', ({ requestId }, sessionId) => {
    const body = Buffer.from('<h1>Done</h1>').toString('base64');
    cdp.send('Fetch.fulfillRequest', { requestId, responseCode: 200, body }, { sessionId }).catch(() => {});
  });
}

async function forged(seen: 'where it was' | 'where nobody was', page = '<h1>Open</h1>'): ReturnType<typeof stage> {
  const { spki } = await sharedIdentity();
  const pool = new BrowserPool({ binary: requireBrowser('full'), trustedSpki: spki });
  try {
    const { browser } = await pool.acquire('context');
    const agent = deciding(() => {
      forging(browser);
      return { kind: 'done', answer: null };
    });
    const untouched = (): Promise<JudgedBrowser | null> => pool.untouched();
    const setup = seen === 'where it was' ? { browser } : { browser, untouched };
    return await stage({ task: { success }, pages: { '/': page }, agent, setup });
  } finally {
    await pool.close();
  }
}

test('a load that is forged in the browser of an entrant is not made in the judge’s own', async () => {
  const { result, evidence } = await forged('where nobody was');
  expect(result.status).toBe('failed');
  expect(evidence.end?.fresh).toMatchObject({ captured: true });
});

test.each([
  ['nobody asks the world of anything', ''],
  [
    'the open page asks the world for that very address again and again',
    "<script>setInterval(() => fetch('/'), 5)</script>",
  ],
])('a page unknown to the world is inconclusive, however it came: %s', async (_case, asking) => {
  const { result } = await forged('where it was', `<h1>Open</h1>${asking}`);
  expect(result).toMatchObject({
    status: 'inconclusive',
    decisive: {
      leaf: { why: { code: 'not_loaded_fresh', params: { why: expect.stringContaining('nothing of that load') } } },
    },
  });
});
