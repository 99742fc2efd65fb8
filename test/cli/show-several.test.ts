import { expect, test } from 'vitest';
import { committedBundle } from '../committed-bundle.ts';
import { rowsOf } from './bundle-files.ts';
import { touchstone } from './touchstone.ts';

const BUNDLE = await committedBundle('protocols');
const ROWS = await rowsOf(BUNDLE);
const TASK = ROWS[0]?.task ?? '';
const IDS = ROWS.filter(({ task }) => task === TASK).map(({ episode_id: id }) => id);

function listed(out: string): string[] {
  return [...out.matchAll(/^([0-9a-f]{8,32}) /gm)].map(([, id = '']) => id);
}

test('several episodes of a task are listed, with the command that shows one', async () => {
  const { exit, out } = await touchstone('show', BUNDLE, TASK);
  expect(exit).toBe(0);
  expect(out).toContain(`${IDS.length} episodes match "${TASK}"; name one by its id:`);
  expect(listed(out).toSorted()).toEqual(IDS.map((id) => id.slice(0, 8)).toSorted());
  expect(out).toContain(`  touchstone show ${BUNDLE} ${listed(out)[0]}\n`);
});

function proposed(out: string, rows: typeof ROWS): (typeof ROWS)[number] | undefined {
  const id = /^ {2}touchstone show \S+ (\S+)$/m.exec(out)?.[1] ?? 'none';
  return rows.find(({ episode_id: own }) => own.startsWith(id));
}

test('an episode of an entrant is proposed, and controls are listed last', async () => {
  const bundle = await committedBundle('account');
  const rows = await rowsOf(bundle);
  for (const task of new Set(rows.map((row) => row.task))) {
    const { out } = await touchstone('show', bundle, task);
    const agents = listed(out).map((id) => rows.find((row) => row.episode_id.startsWith(id))?.agent);
    expect(proposed(out, rows)?.agent).toBe('reference');
    expect(agents[0]).toBe('reference');
    const controls = agents.slice(agents.findIndex((agent) => agent !== 'reference'));
    expect(new Set(controls)).toEqual(new Set(['null', 'parrot']));
  }
});

test('the first of several episodes that failed is shown', async () => {
  const bundle = await committedBundle('stress');
  const rows = await rowsOf(bundle);
  const failed = rows.find(({ status }) => status === 'agent_error');
  const { out } = await touchstone('show', bundle, failed?.task ?? '');
  expect(/^run +(\S+)$/m.exec(out)?.[1]).toBe(failed?.run_id);
});

test('a task and a surface name the episodes of a cell', async () => {
  const bundle = await committedBundle('stress');
  const [first] = await rowsOf(bundle);
  const { out } = await touchstone('show', bundle, `${first?.task}/${first?.surface}`, '--json');
  const shown = out.trim().split('\n');
  for (const line of shown) expect(JSON.parse(line).row).toMatchObject({ task: first?.task, surface: first?.surface });
  const { exit } = await touchstone('show', bundle, `${first?.task}/none`);
  expect(exit).toBe(2);
});

test('each id in that table shows its episode, and no other', async () => {
  const [id = ''] = listed((await touchstone('show', BUNDLE, TASK)).out);
  const { exit, out } = await touchstone('show', BUNDLE, id);
  expect(exit).toBe(0);
  expect([...out.matchAll(/^run +(\S+)$/gm)].map(([, run]) => run)).toEqual([
    ROWS.find(({ episode_id: own }) => own.startsWith(id))?.run_id,
  ]);
});

test('with --json all of them are shown, one a line', async () => {
  const { out } = await touchstone('show', BUNDLE, TASK, '--json');
  const shown = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).row.episode_id);
  expect(new Set(shown)).toEqual(new Set(IDS));
  expect(shown).toHaveLength(IDS.length);
});
