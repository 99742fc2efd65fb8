import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { readCountedRows } from '../../src/bundle/sealed-rows.ts';
import { readCampaignFile } from '../../src/plan/campaign-file.ts';
import { Entrants } from '../../src/plan/entrants.ts';
import { rerun, type RerunOptions } from '../../src/rerun/rerun.ts';
import { suiteIn } from '../suite-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { writeSmallSuite } from './recorded-suite.ts';
import { touchstone } from './touchstone.ts';
import { NO_SECRETS } from '../bundle/no-secrets.ts';

let [folder, suite, bundle] = ['', '', ''];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
  suite = await writeSmallSuite(folder);
  bundle = path.join(folder, 'bundle');
  await touchstone('run', suite, '--agent', 'reference,null', '--out', bundle);
});
afterAll(async () => rm(folder, { recursive: true }));

async function optionsFor(): Promise<RerunOptions> {
  const layout = bundleLayout(bundle);
  return {
    campaign: await readCampaignFile(layout),
    rows: await readCountedRows(layout),
    share: 1,
    seed: 1,
    suites: [await suiteIn(suite)],
    entrants: await Entrants.load(),
    folder: await temporaryFolder(),
    redactor: NO_SECRETS,
    listener: {},
    signal: new AbortController().signal,
  };
}

describe('verify --rerun', () => {
  it('reproduces the same results, and prints the seed that draws the same part', async () => {
    const first = await touchstone('verify', bundle, suite, '--rerun', '50%');
    expect(first).toMatchObject({ exit: 0, out: expect.stringMatching(/^reproduced /m) });
    const seed = /--seed (\d+)$/m.exec(first.out)?.[1] ?? '';
    const again = await touchstone('verify', bundle, suite, '--rerun', '50%', '--seed', seed);
    const episodes = ({ err }: { err: string }) => err.replaceAll(/[\d.]+ s/g, '');
    expect(episodes(again)).toBe(episodes(first));
    expect(again.out).toBe(first.out);
    expect(first.out).toContain('2 of 2 had the same result; 50 % of the 4 that can be run again were drawn');
  });

  it('runs nothing in a changed world, and reports the difference', async () => {
    const other = path.join(await temporaryFolder(), 'small');
    await cp(suite, other, { recursive: true });
    await writeFile(path.join(other, 'site/more.html'), '<!doctype html><h1>Other</h1>');
    const { exit, out, err } = await touchstone('verify', bundle, other, '--rerun', '100%', '--json');
    expect(exit).toBe(1);
    const { holds, levels, rerun: again } = JSON.parse(out);
    expect({ holds, levels }).toEqual({ holds: true, levels: ['consistent'] });
    expect(again).toMatchObject({
      reproduced: false,
      same: 0,
      why_not: expect.stringContaining('files of each world'),
    });
    expect(err).not.toContain('1/4');
  });

  it('counts what cannot be run again by its reason, and never as reproduced', async () => {
    const { exit, out } = await touchstone('verify', bundle, '--rerun', '100%');
    expect(exit).toBe(1);
    expect(out).toContain('not again   4: suite small is neither built in nor named');
    expect(out).toContain('not reproduced: no episode can be run again');
    expect(out).not.toMatch(/^reproduced /m);
  });
});

describe('a part that is run again', () => {
  it('names each field that differs', async () => {
    const options = await optionsFor();
    // What a forger would have written, all hashes made anew.
    const forged = options.rows.map((row) =>
      row.agent === 'null' ? { ...row, status: 'passed' as const, steps: 2 } : row,
    );
    const again = await rerun({ ...options, rows: forged });
    expect(again).toMatchObject({ reproduced: false, drawn: 4, same: 2, why_not: '2 ended differently' });
    expect(again.differences.map(({ problem }) => problem)).toContain('run again, status was "passed" and is "failed"');
    expect(again.differences.map(({ problem }) => problem)).toContain('run again, steps was 2 and is 0');
    expect(again.outcome_hash?.again).not.toBe(again.outcome_hash?.recorded);
  });

  it('leaves out models, commands, the live web, browsers of others and what never ran or broke down', async () => {
    const { rows, campaign, ...rest } = await optionsFor();
    const as = (change: Partial<(typeof rows)[number]>) => ({
      ...rest,
      campaign,
      rows: rows.slice(0, 1).map((row) => ({ ...row, ...change })),
    });
    const nowhere = async (options: RerunOptions) => {
      const { cannot, drawn, reproduced } = await rerun(options);
      expect({ drawn, reproduced }).toEqual({ drawn: 0, reproduced: false });
      return cannot.map(({ why }) => why).join();
    };
    expect(await nowhere(as({ decider: 'model', agent: 'gpt-4o-mini' }))).toBe('gpt-4o-mini is a model');
    expect(await nowhere(as({ decider: 'process', agent: 'mine' }))).toBe('mine is a command');
    expect(await nowhere(as({ agent: 'near-miss-1' }))).toContain('is not built in');
    expect(await nowhere(as({ surface: 'my-server' }))).toContain('surface my-server is not built in');
    expect(await nowhere(as({ status: 'unavailable' }))).toBe('it never ran: unavailable');
    expect(await nowhere(as({ status: 'infra_error' }))).toContain('it broke down');
    const live = { ...campaign, plan: { ...campaign.plan, live: true } };
    expect(await nowhere({ ...as({}), campaign: live })).toBe('its world was the live web');
    const browser = { ...campaign.pins.browser, ours: false, sandbox: null };
    expect(await nowhere(as({ browser }))).toBe('its browser was not ours');
  });

  it('that is ended early is not reproduced', async () => {
    const again = await rerun({ ...(await optionsFor()), signal: AbortSignal.abort() });
    expect(again).toMatchObject({ reproduced: false, why_not: '4 were not run, because the run ended early' });
  });
});
