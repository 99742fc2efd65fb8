import { afterAll, expect, test } from 'vitest';
import type { Agent } from '../../src/agent/agent.ts';
import { requireBrowser } from '../../src/browser/find.ts';
import { BrowserPool, type Isolation } from '../../src/browser/pool.ts';
import { sharedIdentity } from '../shared-browser.ts';
import { call, deciding, type Performance, refOf, stage } from './staged-episode.ts';

let pool: BrowserPool | null = null;
afterAll(() => pool?.close());

async function perform(isolation: Isolation, page: string, agent: Agent): Promise<Performance> {
  pool ??= new BrowserPool({ binary: requireBrowser('full'), trustedSpki: (await sharedIdentity()).spki });
  const lease = await pool.acquire(isolation);
  const performed = await stage({
    task: { success: { kind: 'dom_text', selector: 'h1', contains: 'Done' } },
    pages: { '/': page },
    agent,
    setup: { browser: lease.browser },
  });
  await lease.release(performed.result.browserFit);
  return performed;
}

function button(script: string): string {
  return `<h1>Open</h1><button>Go</button><script>document.querySelector('button').onclick = () => { ${script} }</script>`;
}

const LINES = "for (let i = 0; i < 1000; i++) console.log('x'.repeat(1000))";
const PRINTING = `setInterval(() => { ${LINES} }, 1)`;
const FLOODS: Record<string, string> = {
  dialogs: "setInterval(() => alert('x'.repeat(1e6)), 1)",
  // In one process with it, the other page would have no thread.
  'a loop that never ends': 'setTimeout(() => { for (;;) {} })',
  'a document of 30 MB': "document.body.insertAdjacentHTML('beforeend', '<p>ten letters</p>'.repeat(1.7e6))",
};

const CASES = Object.entries(FLOODS).flatMap(([what, script]) =>
  (['browser', 'context'] as const).map((isolation): [string, Isolation, string] => [what, isolation, script]),
);

test.each<[string, Isolation, string]>([['console messages', 'browser', PRINTING], ...CASES])(
  'a page that floods with %s fails no episode of another %s',
  async (_, isolation, script) => {
    const { beside, flooder } = await performBeside(isolation, script);
    expect(beside.result.status).toBe('passed');
    expect(flooder.result.status).not.toBe('passed');
  },
);

// Chromium's main thread handles what both pages print before the commands for either.
test('a page that prints without end fails no episode of another context, and none after it', async () => {
  const { beside, flooder } = await performBeside('context', PRINTING);
  expect(['passed', 'inconclusive']).toContain(beside.result.status);
  expect(flooder.result.status).not.toBe('passed');
  const after = await perform('context', DONE, clicking());
  expect(after.result.status).toBe('passed');
});

const DONE = button("document.querySelector('h1').textContent = 'Done'");

function clicking(begun?: Promise<void>): Agent {
  return deciding(async (last, turn) => {
    if (turn === 0) return call('snapshot');
    await begun;
    return turn === 1 ? call('click', { ref: refOf(last, 'Go') }) : { kind: 'done', answer: null };
  });
}

/** Two episodes at once: on a page that floods, and, once that has begun, on another. */
async function performBeside(
  isolation: Isolation,
  script: string,
): Promise<{ beside: Performance; flooder: Performance }> {
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let isOver = false;
  const flooder = deciding((last, turn) => {
    if (turn === 0) return call('snapshot');
    if (turn === 1) return call('click', { ref: refOf(last, 'Go') });
    begin();
    if (isOver || turn > 20) return { kind: 'done', answer: null };
    return turn % 2 === 0 ? call('snapshot') : call('dialog', { action: 'accept' });
  });
  const flooded = perform(isolation, button(script), flooder);
  const beside = await perform(isolation, DONE, clicking(begun));
  isOver = true;
  return { beside, flooder: await flooded };
}
