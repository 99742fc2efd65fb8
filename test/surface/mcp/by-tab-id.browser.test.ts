import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { referenceAgent } from '../../../src/agent/kinds/reference.ts';
import { mcpSurface } from '../../../src/surface/mcp/mcp-surface.ts';
import { readServerFile, type ServerFile } from '../../../src/surface/mcp/server-file.ts';
import type { Intent } from '../../../src/task/intent.ts';
import type { Performance } from '../../episode/staged-episode.ts';
import { stageThrough } from '../../episode/stage-in-own-browser.ts';

const FILE = fileURLToPath(new URL('fixtures/by-tab-id.yaml', import.meta.url));
const PAGES = {
  '/': `<h1>Open</h1><label>Name<input></label><label>Number<input value="6"></label>
    <button onclick="if (confirm('Sure?')) document.querySelector('h1').textContent = 'Done'">Ask</button>
    <button onclick="document.querySelector('h1').textContent = [...document.querySelectorAll('input')].map((each) => each.value).join()">Show</button>
    <a href="/terms" target="_blank">Terms</a>`,
  '/terms': `<h1>Terms</h1><button onclick="document.querySelector('h1').textContent = 'Done'">Agree</button>`,
};

/** The steps of a solution through that server, in a browser of its own. */
async function follow(steps: readonly Intent[], changes: Partial<ServerFile['server']> = {}): Promise<Performance> {
  const read = await readServerFile(FILE);
  if (!read.ok) throw new Error(`${FILE} is not sound`);
  const { file, server } = read.value;
  const surface = mcpSurface({ file, server: { ...server, ...changes } });
  return await stageThrough(surface, { task: {}, pages: PAGES, agent: referenceAgent('reference', steps) });
}

const click = (role: string, name: string): Intent => ({ do: 'click', role, name });

test('a step in another tab is done in the one opened by the page, not in the server’s own', async () => {
  const steps: Intent[] = [click('link', 'Terms'), { do: 'switch_tab', index: 1 }, click('button', 'Agree')];
  const { result } = await follow(steps);
  expect(result).toMatchObject({ status: 'passed', toolErrors: 0 });
});

test('a tab that no page has opened cannot be switched to, though the server has one of its own', async () => {
  const { result } = await follow([{ do: 'switch_tab', index: 1 }]);
  expect(result).toMatchObject({ status: 'agent_error', goal: 'fail' });
  expect(result.detail).toContain('no page has opened a tab 2');
});

test('a server that is not ready without its first call is not ready with the second alone', async () => {
  const { result } = await follow([], { ready: [{ tool: 'read', args: { tab: '{{tab_id}}' } }] });
  expect(result).toMatchObject({ status: 'agent_error' });
  expect(result.detail).toMatch(/it is not ready, read replied: tab [0-9A-F]{32} is not of this session/);
});

test('a field is named by a key, and a server that appends to its text is caught', async () => {
  const filled = async (label: string, text: string) => {
    const { result, events } = await follow([{ do: 'fill', label, text }, click('button', 'Show')]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'call', args: expect.objectContaining({ fields: { [label]: text } }) }),
    );
    return [result.status, result.decisive?.leaf.observed?.preview];
  };
  expect(await filled('Name', 'Done')).toEqual(['passed', undefined]);
  expect(await filled('Number', '8')).toEqual(['failed', ',86']);
});

test('a server that dismisses every dialog does nothing that needs confirmation', async () => {
  const { result } = await follow([click('button', 'Ask')]);
  expect(result).toMatchObject({ status: 'failed', toolErrors: 0 });
});
