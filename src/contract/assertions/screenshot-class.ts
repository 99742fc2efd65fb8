import { z } from 'zod';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import type { AssertionKind, Surroundings } from '../assertion-kind.ts';
import type { Evidence } from '../evidence.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { rule } from '../validation/wording.ts';
import { hammingDistance, perceptualHash } from '../picture/perceptual-hash.ts';

const ScreenshotClass = z.strictObject({
  kind: z.literal('screenshot_class'),
  class_id: z
    .string()
    .regex(/^[A-Za-z0-9._-]+$/, rule('class_id_letters'))
    .refine((id) => id !== '.' && id !== '..', rule('class_id_dots')),
  distance_max: z.int().min(0).max(64),
});

export const screenshotClass: AssertionKind<typeof ScreenshotClass> = {
  version: 1,
  schema: ScreenshotClass,
  seedFields: ['kind', 'class_id', 'distance_max'],
  judge: judgeScreenshotClass,
  literals: () => [],
  asksForFresh: () => false,
  proof: () => 'page',
  loosened: () => ({}),
};

function judgeScreenshotClass(
  { class_id: id, distance_max: limit }: z.infer<typeof ScreenshotClass>,
  evidence: Evidence,
  { screenshotClasses: classes }: Surroundings,
): Finding {
  const expected = fact('screenshot_in_class', { limit, class_id: id });
  const inconclusive = (why: Fact): Finding => ({ verdict: 'inconclusive', expected, observed: null, why });
  const exemplars = Object.hasOwn(classes, id) ? (classes[id] ?? []) : [];
  if (exemplars.length === 0) return inconclusive(fact('no_exemplars', { class_id: id }));
  if (!evidence.screenshot.captured) return inconclusive(fact('not_captured', { why: evidence.screenshot.why }));
  const hash = perceptualHash(Buffer.from(evidence.screenshot.value.base64, 'base64'));
  const distance = Math.min(...exemplars.map((exemplar) => hammingDistance(exemplar, hash)));
  return {
    verdict: distance <= limit ? 'pass' : 'fail',
    expected,
    observed: observedAs(`hash ${hash}, nearest exemplar ${distance} bits away`),
    why: fact('distance_measured', { distance, limit }),
  };
}
