import { type Captured, type Evidence, missing } from '../contract/evidence.ts';
import { jsonBytes } from '../contract/json.ts';

/** Most bytes of the evidence of one moment, as JSON without its picture: half of what a blob may hold. */
export const EVIDENCE_BUDGET_BYTES = 32 * 1024 * 1024;

/**
 * Keeps evidence within the budget. Parts that do not fit, in the order of the fields, are missing, so that what depends on them is
 * inconclusive: a flood must neither pass nor break an episode.
 */
export function withinBudget(evidence: Evidence, budget = EVIDENCE_BUDGET_BYTES): Evidence {
  let left = budget;
  const fitting = <T>(part: Captured<T>): Captured<T> => {
    if (!part.captured) return part;
    const bytes = jsonBytes(part.value, left);
    if (bytes === null)
      return missing(`it is too much to be kept as evidence: more than the ${left} bytes that are left`);
    left -= bytes;
    return part;
  };
  return {
    ...evidence,
    app_state: fitting(evidence.app_state),
    pages: evidence.pages.map((page) => ({
      ...page,
      url: fitting(page.url),
      history: fitting(page.history),
      dom: fitting(page.dom),
    })),
    fresh: fitting(evidence.fresh),
    network: fitting(evidence.network),
    ...(evidence.downloads === undefined ? {} : { downloads: fitting(evidence.downloads) }),
  };
}

/** Evidence with only the agent's answer: every other assertion is inconclusive. */
export function nothingCaptured(why: string, answer: Evidence['answer']): Evidence {
  return {
    schema_version: 1,
    pages: [],
    pages_missing: why,
    last_active: null,
    fresh: missing(why),
    network: missing(why),
    screenshot: missing(why),
    app_state: missing(why),
    answer,
  };
}
