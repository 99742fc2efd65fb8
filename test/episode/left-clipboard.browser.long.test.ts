import { afterAll, expect, test } from 'vitest';
import { requireBrowser } from '../../src/browser/find.ts';
import { BrowserPool } from '../../src/browser/pool.ts';
import { sharedIdentity } from '../shared-browser.ts';
import { call, deciding, refOf, stage, type Staged } from './staged-episode.ts';

let pool: BrowserPool | null = null;
afterAll(() => pool?.close());

async function inPool(staged: Staged) {
  pool ??= new BrowserPool({ binary: requireBrowser('full'), trustedSpki: (await sharedIdentity()).spki });
  const lease = await pool.acquire('context');
  const performance = await stage({ ...staged, setup: { browser: lease.browser } });
  await lease.release(performance.result.browserFit);
  return performance;
}

const success = { kind: 'dom_text', selector: 'h1', contains: 'tulip' } as const;
const COPIES = `<h1>Open</h1><button>Go</button><script>document.querySelector('button').onclick = () => {
  const t = document.createElement('textarea'); t.value = 'tulip'; document.body.append(t); t.select();
  if (document.execCommand('copy')) document.querySelector('h1').textContent = 'tulip copied';
}</script>`;
const PASTES = `<h1>Open</h1><input aria-label="Field" oninput="document.querySelector('h1').textContent = this.value">`;

const pressing = deciding((last, turn) => {
  if (turn === 0) return call('snapshot');
  return turn === 1 ? call('click', { ref: refOf(last, 'Go') }) : { kind: 'done', answer: null };
});
const pasting = deciding((last, turn) => {
  if (turn === 0) return call('snapshot');
  if (turn === 1) return call('click', { ref: refOf(last, 'Field') });
  if (turn === 2) return call('press', { key: 'Control+V' });
  return { kind: 'done', answer: null };
});

test('the clipboard of an episode is empty for the next in the same browser', async () => {
  const copied = await inPool({ task: { success }, pages: { '/': COPIES }, agent: pressing });
  expect(copied.result.status).toBe('passed');
  const pasted = await inPool({ task: { success }, pages: { '/': PASTES }, agent: pasting });
  expect(pasted.result.status).toBe('failed');
});
