import { z } from 'zod';
import { fact } from '../../messages/messages.ts';
import type { AssertionKind } from '../assertion-kind.ts';
import type { Evidence } from '../evidence.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { whyNoPages } from '../pages.ts';

const NoDialog = z.strictObject({ kind: z.literal('no_dialog') });

export const noDialog: AssertionKind<typeof NoDialog> = {
  version: 1,
  schema: NoDialog,
  seedFields: ['kind'],
  judge: judgeNoDialog,
  literals: () => [],
  asksForFresh: () => false,
  proof: () => 'page',
  loosened: () => ({}),
};

function judgeNoDialog(_node: z.infer<typeof NoDialog>, evidence: Evidence): Finding {
  const expected = fact('no_open_dialog');
  const { pages } = evidence;
  if (pages.length === 0) return { verdict: 'inconclusive', expected, observed: null, why: whyNoPages(evidence) };
  const page = pages.find(({ dialog }) => dialog !== null);
  if (page === undefined || page.dialog === null) {
    return { verdict: 'pass', expected, observed: null, why: fact('no_page_has_dialog') };
  }
  const { type, message } = page.dialog;
  const observed = observedAs(`${type}: ${message}`);
  return { verdict: 'fail', expected, observed, why: fact('page_has_dialog', { page: page.id }) };
}
