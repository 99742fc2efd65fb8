import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeLargeBundle } from '../../bench/large-bundle.ts';
import { type BundleLayout, bundleLayout } from '../../src/bundle/layout.ts';
import { GENESIS } from '../../src/bundle/ledger-record.ts';
import { canonicalJson, sha256Hex } from '../../src/contract/canonical.ts';
import type { CampaignFile } from '../../src/plan/campaign-file.ts';
import { committedBundle, copyOf as copiedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { reseal } from '../verify/forge.ts';
import { touchstone } from './touchstone.ts';

const SOURCE = await committedBundle('tool-servers');

let parts: string[] = [];
let [first, second, third] = ['', '', ''];
let whole = '';
let merged = '';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
  const of = { source: SOURCE, tasks: ['example-h1', 'late-order'], surfaces: ['aria'], episodes: 8 };
  whole = path.join(folder, 'whole');
  parts = [1, 2, 3].map((index) => path.join(folder, `part-${index}`));
  [first = '', second = '', third = ''] = parts;
  await mkdir(whole);
  await makeLargeBundle({ ...of, folder: whole });
  await touchstone('report', whole);
  for (const [at, part] of parts.entries()) {
    await mkdir(part);
    await makeLargeBundle({ ...of, folder: part, shard: { index: at + 1, of: 3 } });
    await touchstone('report', part);
  }
  merged = path.join(folder, 'merged');
  await touchstone('merge', ...parts, '--out', merged);
  return async () => rm(folder, { recursive: true });
});

async function mergedAnew(...of: string[]): Promise<string> {
  const out = path.join(await temporaryFolder(), 'merged');
  expect(await touchstone('merge', ...of, '--out', out)).toMatchObject({ exit: 0 });
  return out;
}

async function refused(...of: string[]): Promise<string> {
  const out = path.join(await temporaryFolder(), 'merged');
  const { exit, err } = await touchstone('merge', ...of, '--out', out);
  expect(exit).toBe(2);
  expect(await readdir(path.dirname(out))).toEqual([]);
  return err;
}

async function copyOf(bundle: string): Promise<string> {
  return (await copiedBundle(bundle)).root;
}

async function json(file: string) {
  return JSON.parse(await readFile(file, 'utf8'));
}

async function edited(bundle: string, edit: (campaign: CampaignFile) => object): Promise<string> {
  const layout = await copiedBundle(bundle);
  await writeFile(layout.campaign, `${JSON.stringify(edit(await json(layout.campaign)), null, 2)}\n`);
  return await sealedAgain(layout);
}

async function sealedAgain(layout: BundleLayout): Promise<string> {
  await reseal(layout);
  await touchstone('report', layout.root);
  return layout.root;
}

async function reledgered(bundle: string, edit: (records: Record<string, unknown>[]) => Record<string, unknown>[]) {
  const layout = await copiedBundle(bundle);
  const { ledger } = layout;
  const records = (await readFile(ledger, 'utf8')).trim().split('\n');
  let prev = GENESIS;
  const lines = edit(records.map((line) => JSON.parse(line))).map((record, at) => {
    const line = canonicalJson({ ...record, seq: at + 1, prev });
    prev = sha256Hex(line);
    return `${line}\n`;
  });
  await writeFile(ledger, lines.join(''));
  return await sealedAgain(layout);
}

describe('merged parts', () => {
  it('have the outcome hash of the run in one piece, and the same bytes in any order', async () => {
    const again = await mergedAnew(...parts.toReversed());
    const [report, of] = [await json(path.join(merged, 'report.json')), await json(path.join(whole, 'report.json'))];
    expect(report).toMatchObject({ outcome_hash: of.outcome_hash, complete: true, merged_parts: 3, tables: of.tables });
    for (const file of ['campaign.json', 'ledger.jsonl', 'seal.json', 'rows.jsonl', 'report.html']) {
      expect(await readFile(path.join(again, file), 'utf8')).toBe(await readFile(path.join(merged, file), 'utf8'));
    }
  });

  it('verify, are judged again, compared, shown, packed and claimed like a whole bundle', async () => {
    expect(await touchstone('verify', merged)).toMatchObject({
      exit: 0,
      out: expect.stringContaining('holds: 8 epis'),
    });
    expect(await touchstone('rejudge', merged)).toEqual(await touchstone('rejudge', whole));
    expect(await touchstone('compare', whole, merged, '--gate')).toMatchObject({ exit: 0 });
    expect((await touchstone('show', merged)).out).toContain('8 of 8 episodes\n');
    expect(await touchstone('pack', merged)).toMatchObject({ exit: 0 });
    expect(await touchstone('verify', `${merged}.zip`)).toMatchObject({ exit: 0 });
    const [ofMerged, ofWhole] = await Promise.all(
      [merged, whole].map(async (each) => (await json(path.join(each, 'report.json'))).claims),
    );
    expect({ ...ofMerged, other_axes: [] }).toEqual({ ...ofWhole, other_axes: [] });
    const standing = (claims: { other_axes: unknown }) => JSON.stringify(claims.other_axes).match(/"ran_at_once"/g);
    // Times alone cannot be claimed: the parts may be of several machines.
    expect([standing(ofWhole), standing(ofMerged)]).toEqual([null, ['"ran_at_once"']]);
  });

  it('are finished: there is nothing to resume', async () => {
    expect(await touchstone('run', '--resume', merged)).toMatchObject({
      exit: 2,
      err: expect.stringContaining('is the result of a merge, and cannot be resumed'),
    });
  });

  it('may be packed, and may have run on other processors', async () => {
    const other = await edited(first, (campaign) => ({ ...campaign, pins: { ...campaign.pins, cpu: '64 × other' } }));
    await touchstone('pack', other);
    const mixed = await mergedAnew(`${other}.zip`, second, third);
    expect(await touchstone('verify', mixed)).toMatchObject({ exit: 0 });
    const { parts: own } = await json(path.join(mixed, 'campaign.json'));
    expect(own[0].cpu).toBe('64 × other');
    expect(own[1].cpu).not.toBe('64 × other');
  });
});

describe('a part alone', () => {
  it('claims nothing, is unfinished, and names its place among the parts', async () => {
    expect(await touchstone('verify', first)).toMatchObject({ exit: 0 });
    const report = await json(path.join(first, 'report.json'));
    expect(report).toMatchObject({ complete: false, shard: { index: 1, of: 3 } });
    expect(JSON.stringify(report.claims.entrants[0].aggregate.reasons)).toContain('cells_missing');
    expect(await touchstone('compare', whole, first, '--gate')).toMatchObject({ exit: 1 });
    expect(await readFile(path.join(first, 'report.md'), 'utf8')).toContain('part 1 of 3');
    expect((await touchstone('publish', first, '--to', path.join(folder, 'scores'))).err).toContain('touchstone merge');
  });

  it('does not verify with an episode of another part', async () => {
    const other = await edited(first, (campaign) => ({ ...campaign, shard: { index: 2, of: 3 } }));
    expect(await touchstone('verify', other)).toMatchObject({
      exit: 1,
      out: expect.stringMatching(/ledger\.jsonl:2: episode [0-9a-f]+ is not in the plan/),
    });
  });

  it('does not verify if it pretends to be the whole plan', async () => {
    const other = await edited(first, ({ shard: _shard, ...campaign }) => campaign);
    expect(await touchstone('verify', other)).toMatchObject({ exit: 1, out: expect.stringContaining('no row counts') });
  });
});

describe('merge refuses, and leaves nothing behind,', () => {
  it('an altered part, and names it', async () => {
    const altered = await copyOf(second);
    const [episode = ''] = await readdir(bundleLayout(altered).episodes);
    await appendFile(bundleLayout(altered).attempt(episode, 1).events, '{}\n');
    expect(await refused(first, altered, third)).toContain(
      `${altered} does not verify: episodes/${episode}/1/events.js`,
    );
  });

  it('a missing or repeated part, by its name', async () => {
    expect(await refused(first, third)).toContain('missing: part 2 of 3');
    const twice = await copyOf(first);
    expect(await refused(first, second, third, twice)).toContain(`${first} and ${twice} are both part 1 of 3`);
  });

  it('a part of another split or plan, and a bundle that is not a part', async () => {
    expect(await refused(first, second, whole)).toContain(`${whole} is not a part of a campaign`);
    const other = path.join(await temporaryFolder(), 'other');
    await mkdir(other);
    const of = { source: SOURCE, tasks: ['example-h1', 'late-order'], surfaces: ['aria'], folder: other };
    await makeLargeBundle({ ...of, episodes: 8, shard: { index: 4, of: 4 } });
    expect(await refused(first, second, third, other)).toContain('is one of 3 parts, but');
    await rm(other, { recursive: true });
    await mkdir(other);
    await makeLargeBundle({ ...of, episodes: 12, shard: { index: 3, of: 3 } });
    expect(await refused(first, second, other)).toContain(`${other} has a different plan from ${first}`);
  });

  it('other pins, and names them', async () => {
    const other = await edited(second, (campaign) => ({ ...campaign, pins: { ...campaign.pins, platform: 'plan 9' } }));
    expect(await touchstone('verify', other)).toMatchObject({ exit: 0 });
    const err = await refused(first, other, third);
    expect(err).toContain(`${other} has different pins from ${first}: the platform was`);
    expect(err).toContain('"plan 9"');
  });

  it('an unfinished part', async () => {
    const unfinished = await copyOf(second);
    await rm(bundleLayout(unfinished).seal);
    expect(await refused(first, unfinished, third)).toContain(`${unfinished} is not finished`);
  });
});

describe('verify names in a forged merged bundle, with every hash recomputed,', () => {
  const ofPart = (index: number) => `the records of part ${index} of 3 do not match its seal_hash`;

  async function found(bundle: string): Promise<string> {
    const { exit, out } = await touchstone('verify', bundle);
    expect(exit).toBe(1);
    return out;
  }

  it('the part whose record has another time', async () => {
    const later = await reledgered(merged, (records) =>
      records.map((each) =>
        each['part'] === 2 && each['kind'] === 'sealed' ? { ...each, at: laterThan(each['at']) } : each,
      ),
    );
    expect(await found(later)).toContain(ofPart(2));
  });

  it('the parts between which an episode was moved', async () => {
    const id = (await json(path.join(merged, 'report.json'))).episodes[0].episode_id;
    const moved = await reledgered(merged, (records) =>
      records.map((each) => (each['episode_id'] === id ? { ...each, part: 3 } : each)),
    );
    expect(await found(moved)).toContain(`episode ${id} belongs to another part`);
  });

  it('records that belong to no part, or to one that never existed', async () => {
    const none = await reledgered(merged, (records) => records.map(({ part: _part, ...each }) => each));
    expect(await found(none)).toContain('does not name its part');
    const fourth = await reledgered(merged, (records) =>
      records.map((each) => (each['part'] === 3 ? { ...each, part: 4 } : each)),
    );
    expect(await found(fourth)).toContain('belongs to part 4, which campaign.json does not list');
  });

  it('the part with another processor, cap or start', async () => {
    for (const own of [{ cpu: 'other' }, { max_usd: 7 }, { created_at: '2020-01-01T00:00:00.000Z' }]) {
      const other = await edited(merged, (campaign) => ({
        ...campaign,
        parts: campaign.parts?.map((part, at) => (at === 1 ? { ...part, ...own } : part)),
      }));
      expect(await found(other)).toContain(ofPart(2));
    }
  });

  it('a whole bundle that pretends to be merged', async () => {
    const { parts: own } = await json(path.join(merged, 'campaign.json'));
    expect(await found(await edited(whole, (campaign) => ({ ...campaign, parts: own })))).toContain(
      'does not name its part',
    );
  });
});

function laterThan(at: unknown): string {
  return new Date(Date.parse(String(at)) + 1).toISOString();
}
