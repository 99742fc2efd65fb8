import { afterAll, expect, test } from 'vitest';
import { requireBrowser } from '../../src/browser/find.ts';
import { BrowserPool } from '../../src/browser/pool.ts';
import { sharedIdentity } from '../shared-browser.ts';
import { call, deciding, refOf, stage, type Staged } from './staged-episode.ts';

let pool: BrowserPool | null = null;
afterAll(() => pool?.close());

/** An episode in a browser as a campaign has it: what one flood leaves broken, the next does not get. */
async function flooded(staged: Staged): ReturnType<typeof stage> {
  pool ??= new BrowserPool({ binary: requireBrowser('full'), trustedSpki: (await sharedIdentity()).spki });
  const lease = await pool.acquire('context');
  const performance = await stage({ ...staged, setup: { browser: lease.browser } });
  await lease.release(performance.result.browserFit);
  return performance;
}

const pressing = deciding((last, turn) => {
  if (turn === 0) return call('snapshot');
  return turn === 1 ? call('click', { ref: refOf(last, 'Go') }) : { kind: 'done', answer: null };
});

function button(script: string): string {
  return `<h1>Open</h1><button>Go</button><script>document.querySelector('button').onclick = () => { ${script} }</script>`;
}

const FLOODS: Record<string, string> = {
  'asks by a dialog of 90 million characters': "alert('x'.repeat(9e7))",
  'asks by a dialog of 90 million characters in a frame':
    "document.body.append(document.createElement('iframe')); frames[0].alert('x'.repeat(9e7))",
  'opens 120 windows': "for (let i = 0; i < 120; i++) open('/')",
  'sets all cookies that there is room for':
    "for (let i = 0; i < 300; i++) document.cookie = `c${i}=${'x'.repeat(4000)}; path=/p${i}`",
  'fills its storage': "try { localStorage.all = 'x'.repeat(5e6) } catch {}",
  'has addresses of 2 million characters':
    "for (let i = 0; i < 20; i++) history.pushState(null, '', `/?${i}${'x'.repeat(1.9e6)}`)",
  'asks for 400 addresses of 60 000 characters':
    "for (let i = 0; i < 400; i++) fetch(`/?${i}${'x'.repeat(6e4)}`).catch(() => {})",
  'has a document of 70 million characters': "document.body.append('x'.repeat(7e7))",
};

test.each(Object.entries(FLOODS))('a page that %s gains neither a pass nor a second attempt', async (_what, script) => {
  const success = { kind: 'dom_text', selector: 'h1', contains: 'Done', fresh: true } as const;
  const { result } = await flooded({ task: { success }, pages: { '/': button(script) }, agent: pressing });
  expect(['failed', 'inconclusive']).toContain(result.status);
});

test('a compliant page passes by the same moves', async () => {
  const success = { kind: 'dom_text', selector: 'h1', contains: 'Done', fresh: true } as const;
  const remembering = `<h1>Open</h1><button onclick="document.cookie = 'done=1'">Go</button>
    <script>if (document.cookie === 'done=1') document.querySelector('h1').textContent = 'Done'</script>`;
  const { result } = await flooded({ task: { success }, pages: { '/': remembering }, agent: pressing });
  expect(result.status).toBe('passed');
});
