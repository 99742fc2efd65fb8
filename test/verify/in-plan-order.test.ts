import { expect, test } from 'vitest';
import { InPlanOrder } from '../../src/verify/in-plan-order.ts';
import { rowOf } from '../bundle/bundle-of-rows.ts';
import { SMALL_CAMPAIGN, SMALL_PLAN } from '../plan/sample-plan.ts';

const concurrency = { workers: 2, load_average: 1, cores: 2 };

/** Plan indices handed on so far, after each row that comes. */
async function handedOnOf(
  campaign: ConstructorParameters<typeof InPlanOrder>[1],
  ...places: { place: number; alone: boolean }[]
): Promise<number[][]> {
  const out: number[] = [];
  const counted = new InPlanOrder((row) => void out.push(row.plan_index), campaign);
  const after: number[][] = [];
  for (const { place, alone } of places) {
    const row = rowOf(place);
    await counted.take({ row: alone ? row : { ...row, concurrency }, sealHash: `seal ${place}` });
    after.push(out.splice(0));
  }
  await counted.end();
  return [...after, out];
}

const handedOn = async (...places: { place: number; alone: boolean }[]) => handedOnOf({ plan: SMALL_PLAN }, ...places);
const alone = (place: number) => ({ place, alone: true });
const beside = (place: number) => ({ place, alone: false });

test('rows that ran alone are passed on at once', async () => {
  expect(await handedOn(alone(0), alone(1), alone(3))).toEqual([[0], [1], [3], []]);
});

test('a row that ran next to others waits for those before it', async () => {
  expect(await handedOn(beside(1), beside(0), beside(3), beside(2))).toEqual([[], [0, 1], [], [2, 3], []]);
});

test('rows that wait for a missing one are passed on at the end, in order', async () => {
  expect(await handedOn(beside(3), beside(2))).toEqual([[], [], [2, 3]]);
});

test('nothing waits for a row that would have to come before one that ran alone', async () => {
  expect(await handedOn(beside(2), alone(3), alone(4))).toEqual([[], [2, 3], [4], []]);
});

test('a row of a cell that cannot run waits for one that runs before it', async () => {
  const out: number[] = [];
  const counted = new InPlanOrder((row) => void out.push(row.plan_index), { plan: SMALL_PLAN });
  await counted.take({ row: { ...rowOf(1), started_at: null }, sealHash: 'seal 1' });
  await counted.take({ row: { ...rowOf(0), concurrency }, sealHash: 'seal 0' });
  expect(out).toEqual([0, 1]);
});

test('late and repeated rows are counted, and not passed on', async () => {
  expect(await handedOn(alone(1), alone(0), beside(2), beside(2))).toEqual([[1], [], [2], [], []]);
  const counted = new InPlanOrder(() => {}, { plan: SMALL_PLAN });
  for (const place of [1, 0, 1]) await counted.take({ row: rowOf(place), sealHash: `seal ${place}` });
  expect(counted.seals().map(({ hash }) => hash)).toEqual(['seal 0', 'seal 1', 'seal 1']);
});

test('in a part of a plan, nothing waits for rows of other parts', async () => {
  const part = { plan: { ...SMALL_PLAN, iterations: 9 }, shard: { index: 2, of: 3 } };
  expect(await handedOnOf(part, beside(4), beside(1), beside(7))).toEqual([[], [1, 4], [7], []]);
});

test('in merged parts, a row that ran alone in its own waits for those of the others', async () => {
  const parts = Array.from({ length: 2 }, (_, at) => ({
    campaign_id: `part-${at}`,
    created_at: SMALL_CAMPAIGN.created_at,
    cpu: 'some',
    suites: [],
    entrant_files: { agents: [], surfaces: [] },
    seal_hash: 'a'.repeat(64),
  }));
  expect(await handedOnOf({ ...SMALL_CAMPAIGN, parts }, alone(1), beside(2), beside(0))).toEqual([
    [],
    [],
    [0, 1, 2],
    [],
  ]);
});
