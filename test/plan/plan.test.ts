import { expect, test } from 'vitest';
import { rule } from '../../src/contract/validation/wording.ts';
import { Entrants } from '../../src/plan/entrants.ts';
import { episodesOf, Plan, planHash, shuffled } from '../../src/plan/plan.ts';
import { planCampaign } from '../../src/plan/plan-campaign.ts';
import { Fault } from '../../src/fault/schema.ts';
import { taskName } from '../../src/task/instance.ts';
import { builtIn } from '../suite-files.ts';

const BASICS = await builtIn('basics');
const REQUEST = {
  suites: [BASICS],
  agents: ['reference', 'null', 'parrot'],
  surfaces: ['aria'],
  only: ['example-h1', 'late-order'],
  iterations: 3,
  seed: 1,
  isolation: 'context',
  browserKind: 'full',
  live: false,
} as const;
const ENTRANTS = await Entrants.load();
const PLAN = await planCampaign(REQUEST, ENTRANTS);

test('a plan has an episode for every entrant, task and iteration, in order of iteration', () => {
  const episodes = episodesOf(PLAN);
  expect(episodes).toHaveLength(18);
  expect(episodes.map(({ planIndex }) => planIndex)).toEqual(episodes.map((_, index) => index));
  expect(episodes.map(({ iteration }) => iteration)).toEqual([0, 1, 2].flatMap((each) => Array<number>(6).fill(each)));
  expect(new Set(episodes.map(({ episodeId }) => episodeId)).size).toBe(18);
});

test('the same plan has the same episodes, another seed another order of entrants', () => {
  const agents = (plan: Plan): string[] => episodesOf(plan).map(({ agent }) => agent);
  expect(agents(PLAN)).toEqual(agents({ ...PLAN }));
  expect(agents({ ...PLAN, seed: 2 })).not.toEqual(agents(PLAN));
});

test('any change of the plan changes its hash and the ids of its episodes', () => {
  const changed = { ...PLAN, settle_ms: 200 };
  expect(planHash(changed)).not.toBe(planHash(PLAN));
  expect(episodesOf(changed)[0]?.episodeId).not.toBe(episodesOf(PLAN)[0]?.episodeId);
});

test('the requirements of a suite for claims are in the plan before anything runs', async () => {
  const strict = { ...BASICS, leastRepetitions: 30 };
  const plan = await planCampaign({ ...REQUEST, suites: [strict] }, ENTRANTS);
  expect(plan.tasks.map(({ least_repetitions: least }) => least)).toEqual([30, 30]);
  expect(PLAN.tasks.map(({ least_repetitions: least }) => least)).toEqual([undefined, undefined]);
});

test('a shuffle keeps every item and follows from the seed', () => {
  const items = [1, 2, 3, 4, 5, 6, 7];
  expect(shuffled(items, 5).toSorted((a, b) => a - b)).toEqual(items);
  expect(shuffled(items, 5)).toEqual(shuffled(items, 5));
});

test('an empty plan is refused when requested and when read', async () => {
  const nothing = planCampaign({ ...REQUEST, agents: [] }, ENTRANTS);
  await expect(nothing).rejects.toMatchObject({ code: 'plan_empty' });
  expect(Plan.safeParse({ ...PLAN, tasks: [] }).error?.issues).toMatchObject([
    { message: rule('plan_empty', { subject: '' }) },
  ]);
});

test('a plan may have a million episodes, and no more', async () => {
  const large = { ...PLAN, tasks: PLAN.tasks.slice(0, 1), iterations: 10_000 };
  const entrants = Array.from({ length: 100 }, (_, index) => ({ agent: `agent-${index}`, surface: 'aria' }));
  expect(Plan.safeParse({ ...large, entrants }).success).toBe(true);
  const more = [...entrants, { agent: 'one-more', surface: 'aria' }];
  expect(Plan.safeParse({ ...large, entrants: more }).error?.issues).toMatchObject([
    { message: rule('plan_too_large', { episodes: 1_010_000, most: 1_000_000, subject: '' }) },
  ]);
});

test('an entrant that is named twice runs once', async () => {
  const { entrants } = await planCampaign(
    { ...REQUEST, agents: ['null', 'null'], surfaces: ['aria', 'aria'] },
    ENTRANTS,
  );
  expect(entrants).toEqual([{ agent: 'null', surface: 'aria' }]);
});

test('only the wanted pairs are planned', async () => {
  const surfaces = ['aria', 'dom'];
  const isWanted = ({ agent, surface }: Plan['entrants'][number]) => (agent === 'null') === (surface === 'dom');
  const { entrants } = await planCampaign({ ...REQUEST, agents: ['null', 'parrot'], surfaces, isWanted }, ENTRANTS);
  expect(entrants).toEqual([
    { agent: 'null', surface: 'dom' },
    { agent: 'parrot', surface: 'aria' },
  ]);
});

test('two suites with the same id are refused, since their episodes would be indistinguishable', async () => {
  const twice = planCampaign({ ...REQUEST, suites: [BASICS, BASICS] }, ENTRANTS);
  await expect(twice).rejects.toMatchObject({ code: 'suite_twice', params: { id: 'basics' } });
});

test('a task with instances is planned once for each, all of them by its id, one by id@instance', async () => {
  const suite = await builtIn('realapps');
  const plan = (only: string) =>
    planCampaign({ ...REQUEST, suites: [suite], only: [only], iterations: 1, agents: ['reference'] }, ENTRANTS);
  const all = episodesOf(await plan('tw-update-field'));
  expect(all.map(({ planned }) => taskName(planned.task))).toEqual([
    'tw-update-field@otter',
    'tw-update-field@lynx',
    'tw-update-field@heron',
  ]);
  expect(new Set(all.map(({ episodeId }) => episodeId)).size).toBe(3);
  expect(episodesOf(await plan('tw-update-field@lynx'))).toHaveLength(1);
  await expect(plan('tw-update-field@badger')).rejects.toMatchObject({ code: 'unknown_task' });
});

const FAULTS = [
  { id: 'lost', kind: 'drop' },
  { id: 'gone', kind: 'cookies_gone' },
].map((each) => Fault.parse(each));

test('only the named faults are planned, in addition to the episodes without faults', async () => {
  const plan = await planCampaign({ ...REQUEST, faults: FAULTS, onlyFaults: ['gone'] }, ENTRANTS);
  const planned = plan.tasks.map(({ task, fault }) => [task.id, fault?.id ?? null]);
  expect(planned).toEqual(
    REQUEST.only.flatMap((id) => [
      [id, null],
      [id, 'gone'],
    ]),
  );
});

test('an unknown fault is refused, and so is any fault if there are none', async () => {
  const other = planCampaign({ ...REQUEST, faults: FAULTS, onlyFaults: ['nobody'] }, ENTRANTS);
  await expect(other).rejects.toMatchObject({ code: 'unknown_fault', params: { known: 'lost, gone' } });
  const none = planCampaign({ ...REQUEST, onlyFaults: ['lost'] }, ENTRANTS);
  await expect(none).rejects.toMatchObject({ code: 'unknown_fault', params: { names: 'lost', known: '' } });
});
