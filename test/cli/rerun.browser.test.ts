import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { readCountedRows } from '../../src/bundle/sealed-rows.ts';
import { fact } from '../../src/messages/messages.ts';
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

  it('counts episodes that cannot be run again by their reason, and never as reproduced', async () => {
    const { exit, out } = await touchstone('verify', bundle, '--rerun', '100%');
    expect(exit).toBe(1);
    expect(out).toContain('not again   4: suite small is neither built in nor named');
    expect(out).toContain('not reproduced: no episode can be run again');
    expect(out).not.toMatch(/^reproduced /m);
  });
});

describe('a repeated part', () => {
  it('names each field that differs', async () => {
    const options = await optionsFor();
    // What a forger would have written, all hashes recomputed.
    const forged = options.rows.map((row) =>
      row.agent === 'null' ? { ...row, status: 'passed' as const, steps: 2 } : row,
    );
    const again = await rerun({ ...options, rows: forged });
    expect(again).toMatchObject({ reproduced: false, drawn: 4, same: 2 });
    expect(again.why_not).toEqual([fact('again_ended_differently', { count: 2 })]);
    const differing = again.differences.map(({ problem: { params } }) => [
      params['field'],
      params['was'],
      params['is'],
    ]);
    expect(differing).toContainEqual(['status', '"passed"', '"failed"']);
    expect(differing).toContainEqual(['steps', '2', '0']);
    expect(again.outcome_hash?.again).not.toBe(again.outcome_hash?.recorded);
  });

  it('leaves out models, commands, the live web, browsers of others, and episodes that never ran or broke down', async () => {
    const { rows, campaign, ...rest } = await optionsFor();
    const as = (change: Partial<(typeof rows)[number]>) => ({
      ...rest,
      campaign,
      rows: rows.slice(0, 1).map((row) => ({ ...row, ...change })),
    });
    const live = { ...campaign, plan: { ...campaign.plan, live: true } };
    const browser = { ...campaign.pins.browser, ours: false, sandbox: null };
    const codes = await Promise.all(
      [
        as({ decider: 'model', agent: 'gpt-4o-mini' }),
        as({ decider: 'process', agent: 'mine' }),
        as({ agent: 'near-miss-1' }),
        as({ surface: 'my-server' }),
        as({ status: 'unavailable' }),
        as({ status: 'infra_error' }),
        { ...as({}), campaign: live },
        as({ browser }),
      ].map(async (options) => {
        const { cannot, drawn, reproduced } = await rerun(options);
        expect({ drawn, reproduced }).toEqual({ drawn: 0, reproduced: false });
        return cannot.map(({ why }) => why.code).join();
      }),
    );
    expect(codes).toEqual([
      'again_model',
      'again_command',
      'again_other_agent',
      'again_other_surface',
      'again_never_ran',
      'again_broke_down',
      'again_live',
      'again_other_browser',
    ]);
  });

  it('is not reproduced if it is ended early', async () => {
    const again = await rerun({ ...(await optionsFor()), signal: AbortSignal.abort() });
    expect(again).toMatchObject({ reproduced: false, why_not: [fact('again_not_run', { count: 4 })] });
  });
});
