import { canonicalJson } from '../src/contract/canonical.ts';
import { type Evidence, missing, present } from '../src/contract/evidence.ts';
import { judgeTask, type TaskContracts } from '../src/contract/judge-task.ts';
import type { Json } from '../src/contract/json.ts';

/** The state without the last record of every list at its top that the task leaves as it was, and the names of these lists. */
export function damaged(seed: Json, end: Json): { state: Json; lists: string[] } {
  if (typeof seed !== 'object' || seed === null || Array.isArray(seed)) return { state: end, lists: [] };
  if (typeof end !== 'object' || end === null || Array.isArray(end)) return { state: end, lists: [] };
  const entries = Object.entries(end);
  const lists = entries.flatMap(([name, value]) => {
    const isList = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'object');
    return isList && canonicalJson(seed[name] ?? null) === canonicalJson(value) ? [name] : [];
  });
  const state = Object.fromEntries(
    entries.map(([name, value]) => [name, lists.includes(name) && Array.isArray(value) ? value.slice(0, -1) : value]),
  );
  return { state, lists };
}

const shown = (page: Json): Json => ({ page, refused: [] });

/** Whether a contract passes when the page has led its state from the seed to this one. */
export function passesHere(contracts: TaskContracts, seed: Json, now: Json): boolean {
  const none = missing('stored states have nothing else');
  const evidence: Evidence = {
    schema_version: 1,
    pages: [],
    last_active: null,
    fresh: none,
    network: none,
    screenshot: none,
    app_state: present({ start: shown(seed), now: shown(now) }),
    answer: null,
  };
  const { goal, guard } = judgeTask(contracts, evidence);
  return goal === 'pass' && guard === 'pass';
}
