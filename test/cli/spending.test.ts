import { describe, expect, test } from 'vitest';
import { Entrants } from '../../src/plan/entrants.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { modelSetup, environmentWithFile } from '../../src/cli/model-setup.ts';
import { agreeOnSpending, plannedSpending } from '../../src/cli/spending.ts';
import { SMALL_PLAN } from '../plan/sample-plan.ts';
import { tempFiles } from '../task/temp-files.ts';

const MODEL = { agent: 'claude-sonnet-4-6', surface: 'aria' };

async function entrantsAt(url: string): Promise<Entrants> {
  return await Entrants.load({}, modelSetup([MODEL.agent], {}, { ANTHROPIC_BASE_URL: url }));
}

describe('the most that a run may cost', () => {
  const [planned] = SMALL_PLAN.tasks;
  const lower = planned === undefined ? [] : [{ ...planned, task: { ...planned.task, maxUsd: 0.1 } }];
  const plan: Plan = {
    ...SMALL_PLAN,
    tasks: [...SMALL_PLAN.tasks, ...lower],
    entrants: [MODEL, { agent: 'null', surface: 'aria' }],
    iterations: 3,
  };

  test.each([
    ['', { episodes: 6, usd: 1.8 }],
    ['https://llm.example', { episodes: 6, usd: 1.8 }],
    ['http://127.0.0.1:4010', { episodes: 0, usd: 0 }],
  ])('is the sum of the caps of the episodes of models at %j', async (url, expected) => {
    const { episodes, usd } = plannedSpending(plan, await entrantsAt(url));
    expect([episodes, usd]).toEqual([expected.episodes, expect.closeTo(expected.usd, 10)]);
  });

  test('is missing for an impossible pair', async () => {
    const entrants = await entrantsAt('');
    const impossible = { ...plan, entrants: [{ ...MODEL, surface: 'own' }] };
    expect(plannedSpending(impossible, entrants)).toEqual({ episodes: 0, usd: 0, unpriced: 0 });
  });

  test.each([
    ['openai-compatible:qwen3', { episodes: 0, usd: 0, unpriced: 6 }],
    ['openai:gpt-99', { episodes: 0, usd: 0, unpriced: 6 }],
    ['openai:gpt-6-sol', { episodes: 6, usd: expect.closeTo(1.8, 10), unpriced: 0 }],
  ])('of %s is %j: episodes without a price are counted separately', async (name, expected) => {
    const environment = { OPENAI_COMPATIBLE_BASE_URL: 'https://llm.example/v1' };
    const entrants = await Entrants.load({}, modelSetup([name], {}, environment));
    const own = { ...plan, entrants: [{ agent: entrants.agent(name).id, surface: 'aria' }] };
    expect(plannedSpending(own, entrants)).toEqual(expected);
  });
});

describe('before any spending', () => {
  const printed: string[] = [];
  const terminal = { out: () => {}, note: (line: string) => void printed.push(line) };
  const answers = (answer: boolean) => ({ ...terminal, confirm: () => Promise.resolve(answer) });
  const COSTLY = { episodes: 2, usd: 1, unpriced: 0 };
  const NOTHING = { episodes: 0, usd: 0, unpriced: 0 };

  test('it is printed, and agreed to by yes or by --yes', async () => {
    await agreeOnSpending(COSTLY, { maxUsd: null, yes: false }, answers(true));
    await agreeOnSpending(COSTLY, { maxUsd: null, yes: true }, terminal);
    const [said, again] = printed.join(' ').split(/(?= 2 episodes of)/);
    expect(said).toMatch(/^2 episodes of models that cost money: at most 1\.00 USD, .* comes on top\.$/);
    expect(again?.trim()).toBe(said);
    for (const line of printed) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('nothing begins after a no, or without a terminal to ask on', async () => {
    await expect(agreeOnSpending(COSTLY, { maxUsd: null, yes: false }, answers(false))).rejects.toThrow('not started');
    await expect(agreeOnSpending(COSTLY, { maxUsd: null, yes: false }, terminal)).rejects.toThrow(
      'this is not a terminal',
    );
  });

  test('an unknown price is printed, and needs agreement too', async () => {
    printed.length = 0;
    await agreeOnSpending({ ...NOTHING, unpriced: 3 }, { maxUsd: null, yes: true }, terminal);
    expect(printed[0]).toContain('3 episodes of models whose price is not known here');
    expect(printed.join(' ')).toContain('nor --max-usd limits them');
    await expect(agreeOnSpending({ ...NOTHING, unpriced: 3 }, { maxUsd: null, yes: false }, terminal)).rejects.toThrow(
      'this is not a terminal',
    );
  });

  test('nothing is asked if nothing is billed', async () => {
    await expect(agreeOnSpending(NOTHING, { maxUsd: null, yes: false }, terminal)).resolves.toBeUndefined();
  });
});

test('variables of .env are taken, and override none that is set', async () => {
  await using files = await tempFiles({ '.env': 'ANTHROPIC_API_KEY="from-file"\nOTHER=from-file\n' });
  const environment = environmentWithFile(files.path('.'), { OTHER: 'set', MORE: 'set' });
  expect(environment).toEqual({ ANTHROPIC_API_KEY: 'from-file', OTHER: 'set', MORE: 'set' });
});

test('without a .env there are the set variables', async () => {
  await using files = await tempFiles({ other: '' });
  expect(environmentWithFile(files.path('.'), { OTHER: 'set' })).toEqual({ OTHER: 'set' });
});

describe('models are set up', () => {
  test('only if an agent may be one', () => {
    expect(modelSetup(['null', 'reference', './mine.mjs'], {}, {})).toBeNull();
    expect(modelSetup(['null', 'claude-sonnet-4-6'], {}, {})).toMatchObject({ cassettes: null });
  });

  test('to replay from a folder, which must be there, or to record', async () => {
    await using files = await tempFiles({ other: '' });
    const folder = files.path('.');
    expect(modelSetup(['m'], { cassette: folder }, {})?.cassettes).toEqual({ do: 'replay', folder });
    expect(modelSetup(['m'], { recordCassette: 'new' }, {})?.cassettes).toEqual({ do: 'record', folder: 'new' });
    expect(() => modelSetup(['m'], { cassette: files.path('missing') }, {})).toThrow('does not exist');
  });

  test('and neither if no model takes part', () => {
    expect(() => modelSetup(['null'], { cassette: 'a' }, {})).toThrow('are for models, but no agent is one');
    expect(() => modelSetup(['null'], { recordCassette: 'a' }, {})).toThrow('are for models, but no agent is one');
  });

  test('and not both at once', () => {
    expect(() => modelSetup(['m'], { cassette: 'a', recordCassette: 'b' }, {})).toThrow(
      '--cassette replays and --record-cassette records',
    );
  });
});
