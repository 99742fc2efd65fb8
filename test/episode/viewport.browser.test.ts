import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Agent, SelfDrivingAgent } from '../../src/agent/agent.ts';
import { loadCommand } from '../../src/agent/exec/command.ts';
import { execAgent } from '../../src/agent/exec/exec-agent.ts';
import { requireBrowser } from '../../src/browser/find.ts';
import { launchBrowser } from '../../src/browser/launch.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { mcpSurface } from '../../src/surface/mcp/mcp-surface.ts';
import { ownSurface } from '../../src/surface/surface-ids.ts';
import { playwright } from '../../src/surface/library/libraries.ts';
import type { Surface } from '../../src/surface/surface.ts';
import type { TaskInput } from '../../src/task/schema.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';
import { smallServer } from '../surface/mcp/small-server.ts';
import { call, deciding, moves, refOf, stage } from './staged-episode.ts';

const DRIVER = fileURLToPath(new URL('fixtures/driver.mjs', import.meta.url));

/**
 * A page that shows what it knows of its size, and opens itself in another tab. (Of the window around it Chromium
 * knows nothing for a moment: its size is then 0, for every entrant.)
 */
const TELLING = `<h1></h1><a href="/" target="_blank">Another</a><script>
  const { width, height, availWidth, availHeight, orientation } = screen;
  const told = { innerWidth, innerHeight, devicePixelRatio, width, height, availWidth, availHeight };
  document.querySelector('h1').textContent = JSON.stringify({ ...told, orientation: orientation.type });
</script>`;

const looking = execAgent({ ...loadCommand(DRIVER).command, args: [DRIVER, 'looks and lies'] });
const opening = deciding((last, turn) => {
  if (turn === 0) return call('snapshot');
  if (turn > 1) return { kind: 'done', answer: null };
  const ref = refOf(last, 'link "Another"');
  return call('click', { ref, selector: `aria-ref=${ref}` });
});

async function size(surface: Surface, agent: Agent | SelfDrivingAgent, task: Partial<TaskInput>, isFresh = false) {
  const { spki } = await sharedIdentity();
  const own = surface.needs === 'endpoint';
  const browser = own
    ? await launchBrowser({ binary: requireBrowser('full'), trustedSpki: spki })
    : await sharedBrowser();
  const heading = { kind: 'dom_text', selector: 'h1', contains: 'never' } as const;
  const success = isFresh ? ({ ...heading, fresh: true } as const) : heading;
  const { result } = await stage({
    task: { ...task, success },
    pages: { '/': TELLING },
    agent,
    setup: { surface, browser },
  });
  if (own) await browser.close();
  return JSON.parse(result.decisive?.leaf.observed?.preview ?? 'null');
}

test.each<[string, Partial<TaskInput>, { innerWidth: number; innerHeight: number }]>([
  ['the task names none', {}, { innerWidth: 1280, innerHeight: 720 }],
  [
    'the task names a small one',
    { setup: { viewport: { width: 390, height: 844 } } },
    { innerWidth: 390, innerHeight: 844 },
  ],
])('every entrant, and the judge that reloads a page, has the same viewport: %s', async (_what, task, expected) => {
  const ours = await size(aria, moves(), task);
  expect(ours).toMatchObject(expected);
  expect(await size(aria, moves(), task, true)).toEqual(ours);
  expect(await size(mcpSurface(await smallServer()), moves(), task)).toEqual(ours);
  expect(await size(ownSurface('test'), looking, task)).toEqual(ours);
});

test('a tab that an entrant opens has the viewport of the task, whatever the entrant', async () => {
  const task = { setup: { viewport: { width: 1000, height: 600 } } };
  const ours = await size(aria, opening, task);
  expect(ours).toMatchObject({ innerWidth: 1000, innerHeight: 600 });
  expect(await size(playwright, opening, task)).toEqual(ours);
});
