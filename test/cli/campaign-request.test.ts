import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { withCampaign } from '../../src/cli/campaign-request.ts';
import { PlanningOptions } from '../../src/cli/planning-options.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const WHOLE = `title: Two models
suites: [basics, ./mine]
tasks: [example-h1]
agents: [reference, ./agent.mjs]
surfaces: [aria, nac3:./made.json]
iterations: 3
seed: 7
max_steps: 20
max_turns: 10
max_episode_usd: 0.2
max_wall_ms: 90000
max_usd: 12
prompt: ./mine.md
trace: failures
faults: [network, ./mine-faults.yaml]
only_faults: [net-drop]
`;
const OPTIONS = PlanningOptions.parse({ agent: 'null', surface: 'dom' });

async function written(text: string): Promise<string> {
  const file = path.join(await temporaryFolder(), 'campaign.yaml');
  await writeFile(file, text);
  return file;
}

test('a campaign file replaces the options, with paths relative to it', async () => {
  const file = await written(WHOLE);
  const beside = (name: string): string => path.join(path.dirname(file), name);
  const request = await withCampaign({ args: [], options: { ...OPTIONS, campaign: file }, given: ['campaign'] }, true);
  expect(request).toEqual({
    args: ['basics', beside('mine')],
    options: {
      ...OPTIONS,
      campaign: file,
      agent: ['reference', beside('agent.mjs')],
      surface: ['aria', `nac3:${beside('made.json')}`],
      task: ['example-h1'],
      iterations: 3,
      seed: 7,
      maxUsd: 12,
      prompt: beside('mine.md'),
      trace: 'failures',
      fault: ['network', beside('mine-faults.yaml')],
      onlyFault: ['net-drop'],
    },
    given: ['campaign', 'agent', 'surface'],
    caps: { steps: 20, turns: 10, cost_usd: 0.2, wall_ms: 90_000 },
  });
});

test('without one, the request is unchanged', async () => {
  const request = { args: ['basics'], options: { ...OPTIONS, maxSteps: 5 }, given: ['agent'] };
  expect(await withCampaign(request, false)).toEqual({ ...request, caps: { steps: 5 } });
});

test('a file may leave out what the command line has a default for', async () => {
  const file = await written('suites: [basics]\n');
  const { options, given } = await withCampaign({ args: [], options: { ...OPTIONS, campaign: file }, given: [] }, true);
  expect(options).toMatchObject({ agent: ['null'], surface: ['dom'], iterations: 1, seed: 1, trace: 'off' });
  expect(given).toEqual([]);
});

test('options override a file that was not named', async () => {
  const campaign = await written(WHOLE);
  const typed = { agent: ['null'], iterations: 2, maxTurns: 5 };
  const given = Object.keys(typed);
  const request = await withCampaign({ args: [], options: { ...OPTIONS, campaign, ...typed }, given }, false);
  expect(request).toMatchObject({
    options: { agent: ['null'], iterations: 2, seed: 7 },
    caps: { turns: 5, steps: 20 },
  });
});

test('a typed adapter overrides the agents of such a file, and one of a variable does not', async () => {
  const campaign = await written(WHOLE);
  const agents = async (given: readonly string[]) => {
    const options = { ...OPTIONS, campaign, adapter: 'mock' as const };
    const request = await withCampaign({ args: [], options, given }, false);
    return { adapter: request.options.adapter, isOfFile: request.given.includes('agent') };
  };
  expect(await agents(['adapter'])).toEqual({ adapter: 'mock', isOfFile: false });
  expect(await agents([])).toEqual({ adapter: undefined, isOfFile: true });
});

test('options that the file sets are refused on the command line', async () => {
  const file = await written(WHOLE);
  const both = await touchstone('plan', 'basics', '--campaign', file, '--agent', 'null', '--max-turns', '5');
  expect([both.exit, both.err]).toEqual([
    2,
    expect.stringContaining('so --agent, --max-turns, basics cannot be given too'),
  ]);
});

test('a file may ask for times, which rules out more than one worker and a queue', async () => {
  const file = await written('suites: [basics]\ntimes: true\n');
  const order = async (...more: string[]) => {
    const { exit, out } = await touchstone('plan', '--campaign', file, '--json', ...more);
    return exit === 0 ? JSON.parse(out).order.at_a_time : exit;
  };
  expect([await order(), await order('--workers', 'auto'), await order('--workers', '2')]).toEqual([1, 1, 2]);
  expect(JSON.parse((await touchstone('plan', 'basics', '--json')).out).order.at_a_time).toBe('auto');
  const queued = await touchstone('run', '--campaign', file, '--queue', 'redis://127.0.0.1:1');
  expect([queued.exit, queued.err]).toEqual([2, expect.stringContaining('leave out --times or --queue')]);
});

test('plan prints the cost of models and of none, and whether times can be claimed', async () => {
  const lineOf = async (start: string, ...more: string[]) =>
    (await touchstone('plan', 'basics', ...more)).out.split('\n').find((line) => line.startsWith(start));
  expect(await lineOf('cost')).toBe('cost        nothing: no episode asks a billed model');
  expect(await lineOf('cost', '--agent', 'claude-haiku-4-5')).toMatch(
    /at most \d+\.\d\d USD, by the caps of 8 episodes/,
  );
  expect(await lineOf('time per success', '--claims')).toContain('other episodes run at the same time');
  expect(await lineOf('time per success', '--claims', '--times')).not.toContain('other episodes run');
});

describe('a campaign file is refused, by file, field and remedy,', () => {
  test.each([
    ['an unknown field', `${WHOLE}models: [a]\n`, /campaign\.yaml:17:\d+.*models/],
    ['no agent', WHOLE.replace('agents: [reference, ./agent.mjs]', 'agents: []'), /campaign\.yaml:4.*agents.*empty/],
    ['no number of iterations', WHOLE.replace('iterations: 3', 'iterations: many'), /campaign\.yaml:6.*iterations/],
    ['a cap of nothing', WHOLE.replace('max_turns: 10', 'max_turns: 0'), /campaign\.yaml:9.*max_turns/],
    ['no YAML', 'title: [', /campaign\.yaml/],
  ])('with %s', async (_what, text, expected) => {
    const file = await written(text);
    const { exit, err } = await touchstone('plan', '--campaign', file);
    expect([exit, err]).toEqual([2, expect.stringMatching(expected)]);
    expect(err).toContain('campaigns/protocol-600.yaml shows one');
  });

  test('missing', async () => {
    const { exit, err } = await touchstone('run', '--campaign', 'no-campaign.yaml');
    expect([exit, err]).toEqual([2, expect.stringContaining('no-campaign.yaml')]);
  });
});
