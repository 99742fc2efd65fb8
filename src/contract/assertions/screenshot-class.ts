import type { Evidence } from '../evidence.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { hammingDistance, perceptualHash } from '../picture/perceptual-hash.ts';
import type { ContractNode } from '../schema.ts';

/** Perceptual hashes of the exemplars of each screenshot class, by class id. */
export type ScreenshotClasses = Readonly<Record<string, readonly string[]>>;

/** The screenshot is within `distance_max` bits of the nearest exemplar of its class. */
export function judgeScreenshotClass(
  { class_id: id, distance_max: limit }: ContractNode<'screenshot_class'>,
  evidence: Evidence,
  classes: ScreenshotClasses,
): Finding {
  const expected = `screenshot within ${limit} of 64 bits of class ${id}`;
  const inconclusive = (why: string): Finding => ({ verdict: 'inconclusive', expected, observed: null, why });
  const exemplars = Object.hasOwn(classes, id) ? (classes[id] ?? []) : [];
  if (exemplars.length === 0) return inconclusive(`class ${id} has no exemplars`);
  if (!evidence.screenshot.captured) return inconclusive(evidence.screenshot.why);
  const hash = perceptualHash(Buffer.from(evidence.screenshot.value.base64, 'base64'));
  const distance = Math.min(...exemplars.map((exemplar) => hammingDistance(exemplar, hash)));
  return {
    verdict: distance <= limit ? 'pass' : 'fail',
    expected,
    observed: observedAs(`hash ${hash}, nearest exemplar ${distance} bits away`),
    why: `distance ${distance}, limit ${limit}`,
  };
}
