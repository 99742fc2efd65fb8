import { takeTurn } from '../../src/agent/model/take-turn.ts';
import type { MoneyBudget } from '../../src/episode/budget.ts';
import { TurnMeter } from '../../src/episode/turn-meter.ts';
import type { Model } from '../../src/model/conversation.ts';
import { heardSink } from './heard-sink.ts';

export const CAPS = { steps: 10, turns: null, wall_ms: 1_000, tokens: null, cost_usd: null };
const PRICE = { input: 1, cacheRead: 0, cacheWrite: 0, output: 100 };
const MAX_OUT = 1_000;
const QUESTION = { system: 'Answer.', messages: [], tools: [] };
/** A reply of the most tokens, in USD. */
export const DEAREST = (MAX_OUT * PRICE.output) / 1e6;
export const never = (): AbortSignal => new AbortController().signal;
const tick = () => new Promise(setImmediate);

/** Asks a model of the highest possible cost, with each budget at once, until the money is spent; returns the sum paid, and how many asked at once. */
export async function spendAll(budgets: readonly MoneyBudget[]) {
  const came = { usd: 0, atOnce: 0, ends: new Set<string>() };
  let underWay = 0;
  const model: Model = {
    ask: async () => {
      underWay += 1;
      came.atOnce = Math.max(came.atOnce, underWay);
      await tick();
      underWay -= 1;
      came.usd += DEAREST;
      const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: MAX_OUT };
      return { parts: [], stopReason: 'end', ending: 'whole', modelId: 'fake', usage };
    },
  };
  const work = async (budget: MoneyBudget): Promise<void> => {
    const turns = new TurnMeter({ caps: CAPS, sink: heardSink(() => {}), budget });
    try {
      for (;;) await takeTurn(model, QUESTION, { price: PRICE, maxOutputTokens: MAX_OUT, turns }, never());
    } catch (error) {
      came.ends.add(turns.failed(error).stop);
    }
  };
  await Promise.all(budgets.map(work));
  return came;
}
