import type { CampaignProgress } from '../../src/cli/live/progress.ts';
import { clusteredProportion } from '../../src/stats/proportion.ts';

const worker = { agent: 'claude-sonnet-4-6', surface: 'aria', iteration: 1, sinceMs: 12_300 };

export const MIDDLE: CampaignProgress = {
  phase: null,
  phaseMs: 0,
  total: 240,
  done: 52,
  workers: 2,
  iterations: 3,
  success: clusteredProportion([
    { successes: 10, trials: 13 },
    { successes: 9, trials: 13 },
    { successes: 8, trials: 13 },
    { successes: 10, trials: 13 },
  ]),
  perMinute: 18.2,
  leftMs: 620_000,
  usd: 0.4211,
  unpricedTokens: 0,
  atWork: [
    { ...worker, worker: 1, task: 'send', doing: { at: 'step 3', words: 'step 3: click' } },
    { ...worker, worker: 2, task: 'checkout@pears', doing: { at: 'turn 12', words: 'turn 12: the model is asked' } },
  ],
};
