import { describe, expect, test } from 'vitest';
import { NO_REPLY, OutageError, type TurnEnd } from '../../src/agent/turn.ts';
import { createRedactor } from '../../src/bundle/redact.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import { MoneyBudget } from '../../src/episode/budget.ts';
import { TurnMeter } from '../../src/episode/turn-meter.ts';
import { ending } from '../../src/episode/trajectory.ts';
import { heardSink } from './heard-sink.ts';

const CAPS = { steps: 10, turns: null, wall_ms: 1_000, tokens: null, cost_usd: null };
const SECRET = createRedactor([{ name: 'WORD', value: 'hunter22' }]);
const USAGE = { tokensIn: 100, tokensCached: 40, tokensCacheWritten: 10, tokensOut: 5, costUsd: 0.2 };
const REPLY: TurnEnd = { ...NO_REPLY, reply: '{}', stopReason: 'tool_use', modelId: 'm-1', modelMs: 12, usage: USAGE };
const WALL = ending('timeout', 'the wall cap of 1000 ms');

function meterWith(
  caps: Partial<typeof CAPS> | { turns?: number; tokens?: number; cost_usd?: number } = {},
  budget?: MoneyBudget,
) {
  const events: EpisodeEvent[] = [];
  const sink = heardSink((event) => {
    events.push(event);
  }, SECRET);
  return { meter: new TurnMeter({ caps: { ...CAPS, ...caps }, sink, budget }), events };
}

function turn(meter: TurnMeter, end: TurnEnd = REPLY): void {
  meter.begin();
  meter.asked('{"say":"hunter22"}');
  meter.end(end);
}

test('usage adds up over the turns', () => {
  const { meter } = meterWith();
  turn(meter);
  turn(meter, { ...REPLY, modelId: 'm-2' });
  expect(meter.spent).toEqual({ turns: 2, tokensIn: 200, tokensOut: 10, costUsd: 0.4 });
});

test('requests, replies and failures are written down without secrets', () => {
  const { meter, events } = meterWith();
  meter.begin();
  meter.asked('{"say":"hunter22"}');
  meter.retried('hunter22 is down', 10);
  meter.end({ ...REPLY, reply: 'hunter22', problem: 'hunter22', stopReason: 'hunter22', modelId: 'hunter22' });
  expect(events.map(({ type }) => type)).toEqual(['turn', 'turn_retried', 'turn_ended']);
  expect(JSON.stringify([events, meter.spent])).not.toContain('hunter22');
});

describe('a cap stops it', () => {
  test('of turns: no further one begins, and none is counted', () => {
    const { meter } = meterWith({ turns: 2 });
    turn(meter);
    turn(meter);
    expect(meter.stopped).toBeNull();
    expect(() => {
      meter.begin();
    }).toThrow('the cap of 2 turns');
    expect(meter.stopped).toEqual(ending('max_turns', 'the cap of 2 turns'));
    expect(meter.spent.turns).toBe(2);
  });

  test.each([
    ['tokens', { tokens: 209 }, '210 tokens, and the cap is 209'],
    ['USD', { cost_usd: 0.39 }, '0.4 USD, and the cap is 0.39 USD'],
  ])('of %s: once a reply has passed it', (_, caps, detail) => {
    const { meter } = meterWith(caps);
    turn(meter);
    expect(meter.stopped).toBeNull();
    turn(meter);
    expect(meter.stopped).toEqual(ending('budget_exceeded', detail));
  });

  test.each([{ tokens: 210 }, { cost_usd: 0.4 }])('and a reply that just reaches it does not: %j', (caps) => {
    const { meter } = meterWith(caps);
    turn(meter);
    turn(meter);
    expect(meter.stopped).toBeNull();
  });

  test('and after that no error of the agent counts', () => {
    const { meter } = meterWith({ cost_usd: 0.1 });
    turn(meter);
    expect(meter.failed(new Error('torn'))).toMatchObject({ stop: 'budget_exceeded' });
  });
});

describe('when the agent throws', () => {
  test('it is its own failure', () => {
    expect(meterWith().meter.failed(new Error('with hunter22'))).toEqual(ending('agent_error', 'with [secret:WORD]'));
  });

  test('but not when the provider has failed', () => {
    expect(meterWith().meter.failed(new OutageError('outage', '500'))).toEqual(ending('infra_error', '500'));
  });
});

describe('the money of a campaign', () => {
  test('ends the next turn before it begins once it is spent, from outside the entrant', () => {
    const { meter, events } = meterWith({}, new MoneyBudget(0.4));
    turn(meter);
    turn(meter);
    expect(() => {
      meter.begin();
    }).toThrow('0.4 of 0.4 USD are spent');
    expect(meter.failed(new Error('any'))).toEqual(ending('infra_error', '0.4 of 0.4 USD are spent'));
    expect(meter.spent.turns).toBe(2);
    expect(events.at(-1)).toEqual({ type: 'interrupted', cause: 'budget', why: '0.4 of 0.4 USD are spent' });
  });
});

describe('when the wall cap is reached', () => {
  test('a call under way is awaited until it is answered or has failed', async () => {
    const { meter, events } = meterWith();
    expect(meter.settled).toBeNull();
    meter.begin();
    const failing = meter.settled;
    meter.retried('the provider did not answer within 90000 ms', 10);
    await failing;
    expect(meter.timedOut(WALL)).toMatchObject({ stop: 'infra_error' });
    expect(events.at(-1)).toMatchObject({ type: 'interrupted', cause: 'outage' });
  });

  test('in the middle of a turn, that turn ends with it, and later replies are ignored', () => {
    const { meter, events } = meterWith();
    meter.begin();
    meter.asked('{}');
    expect(meter.timedOut(WALL)).toEqual(WALL);
    meter.end(REPLY);
    expect(events.at(-1)).toMatchObject({ type: 'turn_ended', problem: WALL.detail, reply: '', cost_usd: null });
    expect(events).toHaveLength(2);
  });

  test('while the provider keeps failing, it is no failure of the entrant', () => {
    const { meter } = meterWith();
    meter.begin();
    meter.retried('the provider answered 529', 10);
    expect(meter.timedOut(WALL)).toEqual(
      ending('infra_error', 'the provider answered 529, until the wall cap of 1000 ms'),
    );
  });

  test('but it is, if the provider has recovered before', () => {
    const { meter } = meterWith();
    meter.begin();
    meter.retried('the provider answered 529', 10);
    meter.end(REPLY);
    meter.begin();
    expect(meter.timedOut(WALL)).toEqual(WALL);
  });
});

test('one reply without a price makes the sum unknown, and no cap in USD is checked against half of it', () => {
  const { meter } = meterWith({ cost_usd: 0.3 });
  turn(meter);
  turn(meter, { ...REPLY, usage: { ...USAGE, costUsd: null } });
  turn(meter);
  expect([meter.spent.costUsd, meter.spent.tokensIn, meter.stopped]).toEqual([null, 300, null]);
});

test('after the episode no turn begins, and none is counted', () => {
  const { meter, events } = meterWith();
  turn(meter);
  meter.close();
  expect(() => meter.begin()).toThrow('the episode is over');
  expect([meter.spent.turns, events.filter(({ type }) => type === 'turn')]).toEqual([1, [expect.anything()]]);
});
