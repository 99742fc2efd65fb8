import type { Evidence } from '../evidence.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { NO_PAGE } from '../pages.ts';

/** No page has a JavaScript dialog open. */
export function judgeNoDialog(evidence: Evidence): Finding {
  const expected = 'no dialog is open';
  if (evidence.pages.length === 0) return { verdict: 'inconclusive', expected, observed: null, why: NO_PAGE };
  const page = evidence.pages.find(({ dialog }) => dialog !== null);
  if (page === undefined || page.dialog === null) {
    return { verdict: 'pass', expected, observed: null, why: 'no page has a dialog open' };
  }
  const { type, message } = page.dialog;
  const observed = observedAs(`${type}: ${message}`);
  return { verdict: 'fail', expected, observed, why: `${page.id} has a dialog open` };
}
