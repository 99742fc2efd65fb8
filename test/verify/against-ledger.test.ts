import { describe, expect, test } from 'vitest';
import { openLedger, readLedger } from '../../src/bundle/ledger.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { PlannedEpisodes } from '../../src/plan/part-of-plan.ts';
import { ledgerFindings } from '../../src/verify/against-ledger.ts';
import { SMALL_CAMPAIGN, SMALL_PLAN } from '../plan/sample-plan.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { Availability } from '../../src/verify/read-attempts.ts';

const CAMPAIGN = { ...SMALL_CAMPAIGN, plan: { ...SMALL_PLAN, iterations: 4 } };
const EPISODES = new PlannedEpisodes(CAMPAIGN);
const IDS = new Map(['a', 'b', 'c', 'd'].map((name, place) => [name, EPISODES.inOrder[place]?.episodeId ?? '']));

/** `a1` starts the first attempt of `a`, `a1/3` as one of three at once, `-a1` seals it, `!a1` voids it. */
async function problemsOf(...written: string[]): Promise<string[]> {
  const { ledger: file } = bundleLayout(await temporaryFolder());
  const ledger = await openLedger(file);
  await ledger.append({ kind: 'planned', plan_hash: SMALL_CAMPAIGN.plan_hash, episodes: 4 });
  for (const [index, each] of written.entries()) {
    const [, sign = '', id = '', attempt, workers] = /^([-!]?)([a-d])(\d)(?:\/(\d))?$/.exec(each) ?? [];
    const named = { episode_id: IDS.get(id) ?? '', attempt: Number(attempt) };
    const concurrency = { workers: Number(workers), load_average: 1, cores: 2 };
    if (sign === '-') await ledger.append({ kind: 'sealed', ...named, seal_hash: 'a'.repeat(64) });
    else if (sign === '!') await ledger.append({ kind: 'voided', ...named, why: 'killed' });
    else {
      const beside = workers === undefined ? {} : { concurrency };
      await ledger.append({ kind: 'started', ...named, run_id: `run ${index}`, ...beside });
    }
  }
  await ledger.close();
  const { records } = await readLedger(file);
  const findings: string[] = [];
  async function* all() {
    yield* records;
  }
  for await (const { problem } of ledgerFindings(all(), CAMPAIGN, EPISODES)) findings.push(problem.code);
  return findings;
}

describe('a ledger of attempts that ran one after the other', () => {
  test('is sound in plan order, with repeated attempts at once', async () => {
    expect(await problemsOf('a1', '-a1', 'b1', '!b1', 'b2', '-b2', 'c1', '-c1')).toEqual([]);
  });

  test('has no episode that comes earlier in the plan, and no second attempt of one', async () => {
    const early = 'ledger_plan_order';
    expect(await problemsOf('b1', '-b1', 'a1', '-a1')).toEqual([early]);
    expect(await problemsOf('a1', '!a1', 'b1', '-b1', 'a2', '-a2')).toEqual([early]);
  });

  test('has no two at once', async () => {
    const two = 'ledger_too_many_at_once';
    expect(await problemsOf('a1', 'b1', '-b1', '-a1')).toEqual([two]);
    expect(await problemsOf('a1', 'b1/2', '-b1', '-a1')).toEqual([two]);
    expect(await problemsOf('a1/2', 'b1', '-b1', '-a1')).toEqual([two]);
  });
});

describe('a ledger of attempts that ran at once', () => {
  test('is sound with as many as declared, ending in any order', async () => {
    expect(await problemsOf('a1/2', 'b1/2', '-b1', 'c1/2', '-c1', '-a1')).toEqual([]);
  });

  test('has no more than declared', async () => {
    expect(await problemsOf('a1/2', 'b1/2', 'c1/2')).toEqual(['ledger_too_many_at_once']);
  });

  test('has repeated attempts after later episodes have begun, but no first ones', async () => {
    expect(await problemsOf('a1/2', 'b1/2', '!a1', 'a2/2', '-a2', '-b1')).toEqual([]);
    expect(await problemsOf('a1/2', 'c1/2', '-a1', 'b1/2')).toEqual(['ledger_plan_order']);
  });

  test('is finished by attempts that ran alone', async () => {
    expect(await problemsOf('a1/3', 'b1/3', 'c1/3', '-b1', '!a1', '!c1', 'a2', '-a2', 'c2', '-c2', 'd1')).toEqual([]);
  });
});

function findingsOfRows(...rows: Parameters<Availability['problemsOf']>[0][]): string[] {
  const availability = new Availability();
  return rows.flatMap((row) => availability.problemsOf(row).map(({ code }) => code));
}

test('a surface that is available for one episode is available for all', () => {
  const [ran, lost] = [{ surface: 'a', status: 'failed' } as const, { surface: 'a', status: 'unavailable' } as const];
  expect(findingsOfRows(ran, lost, ran)).toEqual(['surface_was_available']);
  expect(findingsOfRows(lost, ran)).toEqual(['surface_was_unavailable']);
});

test('surfaces differ, and a cell that can never run shows nothing of its surface', () => {
  const lost = { surface: 'a', status: 'unavailable' } as const;
  expect(
    findingsOfRows(lost, { ...lost, status: 'not_applicable' }, { ...lost, surface: 'b', status: 'passed' }, lost),
  ).toEqual([]);
});
