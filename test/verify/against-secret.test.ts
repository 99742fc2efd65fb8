import { describe, expect, it } from 'vitest';
import { messageFor } from '../../src/messages/messages.ts';
import type { CampaignFile } from '../../src/plan/campaign-file.ts';
import { drawnInstance, drawnInstances, DrawSecret } from '../../src/task/draw.ts';
import type { Instance } from '../../src/task/instance.ts';
import { drawnFindings, secretFindings } from '../../src/verify/against-secret.ts';
import { SMALL_CAMPAIGN, SMALL_PLAN } from '../plan/sample-plan.ts';

const SECRET = new DrawSecret(Buffer.from('0123456789abcdef'));
const DRAW = { days: { from: 1, to: 1_000_000 } };
const VALUES = ['campaign.json: basics/sample@drawn-1 does not have the values that its seed draws'];
const SEED = ['campaign.json: basics/sample@drawn-1 does not have the seed that the given secret draws'];

/** A campaign with one drawn instance of a task. */
function campaignWith(change: (drawn: Instance) => Instance, hash: string | undefined = SECRET.hash): CampaignFile {
  const [instance] = drawnInstances(DRAW, { secret: SECRET, suite: 'basics', task: 'sample', count: 1 }).map(change);
  const tasks = SMALL_PLAN.tasks.map(({ task, ...rest }) => ({ ...rest, task: { ...task, draw: DRAW, instance } }));
  return { ...SMALL_CAMPAIGN, plan: { ...SMALL_PLAN, tasks, ...(hash === undefined ? {} : { secret_hash: hash }) } };
}

/** The same with the drawn values as listed ones. */
function withoutDraw(name: string): CampaignFile {
  const { plan, ...rest } = campaignWith((drawn) => ({ ...drawn, name }));
  const instance = plan.tasks[0]?.task.instance;
  const tasks = SMALL_PLAN.tasks.map(({ task, ...of }) => ({ ...of, task: { ...task, instance } }));
  return { ...rest, plan: { ...plan, tasks } };
}

const honest = campaignWith((drawn) => drawn);
const problems = (found: ReturnType<typeof drawnFindings>) =>
  found.map(({ file, problem }) => `${file}: ${messageFor(problem)}`);

describe('the instances of an honest campaign', () => {
  it('have the values of their seeds', () => {
    expect(drawnFindings(honest)).toEqual([]);
  });

  it('have the seeds of its secret', () => {
    expect(secretFindings(honest, SECRET)).toEqual([]);
  });
});

describe('reported are', () => {
  it.each<[string, (drawn: Instance) => Instance]>([
    ['a value', (drawn) => ({ ...drawn, parameters: { days: 7 } })],
    ['a seed', (drawn) => ({ ...drawn, seed: 7 })],
    ['a seed that is left out', ({ name, parameters }) => ({ name, parameters })],
  ])('%s that was altered alone, even without the secret', (_what, change) => {
    expect(problems(drawnFindings(campaignWith(change)))).toEqual(VALUES);
  });

  it('a seed that was altered with its values, to those who have the secret', () => {
    const altered = campaignWith(() => drawnInstance(DRAW, 1, 7));
    expect(drawnFindings(altered)).toEqual([]);
    expect(problems(secretFindings(altered, SECRET))).toEqual(SEED);
  });

  it('an instance that was drawn for another index', () => {
    const altered = campaignWith(({ seed = 0 }) => drawnInstance(DRAW, 2, seed));
    expect(problems(secretFindings(altered, SECRET))).toEqual([expect.stringContaining('sample@drawn-2')]);
  });

  it.each([0, 101, 1e9])('an instance with the index %d, which no task has', (index) => {
    const altered = campaignWith(() => drawnInstance(DRAW, index, SECRET.seedOf('basics', 'sample', index)));
    expect(problems(drawnFindings(altered))).toEqual([VALUES[0]?.replace('drawn-1', `drawn-${index}`)]);
  });

  it('a drawn instance of a task without "draw"', () => {
    expect(problems(drawnFindings(withoutDraw('drawn-1')))).toEqual(VALUES);
  });

  it('a campaign that has a secret and nothing drawn', () => {
    expect(problems(secretFindings(withoutDraw('dune'), SECRET))).toEqual([
      'campaign.json: its instances were not drawn from a secret',
    ]);
  });

  it('another secret', () => {
    expect(problems(secretFindings(honest, new DrawSecret(Buffer.from('another secret of someone'))))).toEqual([
      'campaign.json: secret_hash differs from the given secret',
    ]);
  });

  it('a campaign that was not drawn', () => {
    expect(problems(secretFindings(SMALL_CAMPAIGN, SECRET))).toEqual([
      'campaign.json: its instances were not drawn from a secret',
    ]);
  });
});
