import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/bundle/ledger.ts';
import type { SealedRow } from '../../src/bundle/sealed-rows.ts';
import type { PlannedEpisode } from '../../src/plan/plan.ts';
import { Progress } from '../../src/run/progress.ts';
import type { Pause } from '../../src/run/provider-watch.ts';
import { runEpisodes } from '../../src/run/run-campaign.ts';
import { bundleOfRows, rowOf } from '../bundle/bundle-of-rows.ts';
import { plannedEpisode } from '../plan/sample-plan.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const EPISODES = [0, 1, 2, 3, 4, 5].map(plannedEpisode);
const PAUSE: Pause = { cause: 'outage', why: 'nobody answers' };
const sealed = (episode: PlannedEpisode): SealedRow => ({ row: rowOf(episode.planIndex), sealHash: 'x' });

async function progressWith(done: readonly number[]): Promise<Progress> {
  const layout = await bundleOfRows(
    await temporaryFolder(),
    done.map((each) => rowOf(each)),
  );
  const ledger = await openLedger(layout.ledger);
  await ledger.close();
  return await Progress.read(ledger, layout, EPISODES);
}

interface Runs {
  begun: number[];
  /** Ends an episode that is under way. */
  ends: Map<number, (outcome: SealedRow | Pause | Error) => void>;
}

/** Two workers, whose episodes end when the test ends them. */
async function twoWorkers(done: readonly number[] = []) {
  const runs: Runs = { begun: [], ends: new Map() };
  const run = (episode: PlannedEpisode) => {
    runs.begun.push(episode.planIndex);
    return new Promise<SealedRow | Pause>((resolve, reject) => {
      runs.ends.set(episode.planIndex, (outcome) => {
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      });
    });
  };
  const stop = new AbortController();
  const progress = await progressWith(done);
  const running = runEpisodes([{ run }, { run }], { episodes: EPISODES, progress, signal: stop.signal });
  const end = async (place: number, outcome: SealedRow | Pause | Error = sealed(plannedEpisode(place))) => {
    runs.ends.get(place)?.(outcome);
    await new Promise(setImmediate);
  };
  return { runs, end, running, stop, progress };
}

describe('workers', () => {
  test('begin episodes in plan order, each the next when it has ended one', async () => {
    const { runs, end, running, progress } = await twoWorkers();
    expect(runs.begun).toEqual([0, 1]);
    await end(1);
    await end(2);
    expect(runs.begun).toEqual([0, 1, 2, 3]);
    for (const place of [0, 3, 4, 5]) await end(place);
    expect(await running).toBeNull();
    expect(runs.begun).toEqual([0, 1, 2, 3, 4, 5]);
    expect(progress.done).toBe(6);
    expect(progress.sealsInOrder(EPISODES)).toHaveLength(6);
  });

  test('run exactly the missing episodes', async () => {
    const { runs, end, running } = await twoWorkers([0, 2, 3]);
    for (const place of [1, 4, 5]) await end(place);
    expect(await running).toBeNull();
    expect(runs.begun).toEqual([1, 4, 5]);
  });

  test('begin nothing after a pause that any of them calls for; episodes under way are kept', async () => {
    const { runs, end, running, progress } = await twoWorkers();
    await end(1, PAUSE);
    await end(0);
    expect(await running).toEqual(PAUSE);
    expect(runs.begun).toEqual([0, 1]);
    expect(progress.done).toBe(1);
  });

  test('begin nothing after a failure, which is thrown after the others have ended', async () => {
    const { runs, end, running, progress } = await twoWorkers();
    let failed: unknown = null;
    void running.catch((error: unknown) => (failed = error));
    await end(1, new Error('the disk is full'));
    expect(failed).toBeNull();
    await end(0);
    await expect(running).rejects.toThrow('the disk is full');
    expect(runs.begun).toEqual([0, 1]);
    expect(progress.done).toBe(1);
  });

  test('begin nothing after the signal', async () => {
    const { runs, end, running, stop } = await twoWorkers();
    stop.abort();
    await end(0);
    await end(1);
    expect(await running).toBeNull();
    expect(runs.begun).toEqual([0, 1]);
  });
});
