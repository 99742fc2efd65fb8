import { describe, expect, it } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import { missing, present } from '../../src/contract/evidence.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import { perceptualHash } from '../../src/contract/picture/perceptual-hash.ts';
import { evidence } from './evidence-sample.ts';
import { layout, uniform, withHeader } from './picture/picture-sample.ts';

const DONE = layout(64, 64, [0, 0, 1, 0.2], [0.2, 0.4, 0.5, 0.9]);
const OTHER = layout(64, 64, [0, 0, 0.3, 1], [0.6, 0.1, 0.9, 0.2]);
const CLASSES = { done: [perceptualHash(OTHER), perceptualHash(DONE)], other: [perceptualHash(OTHER)], empty: [] };

function judge(classId: string, limit: number, picture: Buffer | null): Judgement {
  const screenshot: ReturnType<typeof evidence>['screenshot'] =
    picture === null
      ? missing('a dialog is open')
      : present({ media_type: 'image/png', base64: picture.toString('base64') });
  const contract = { kind: 'screenshot_class', class_id: classId, distance_max: limit } as const;
  return evaluate(contract, evidence({ screenshot }), { screenshotClasses: CLASSES });
}

describe('screenshot_class', () => {
  it('passes within the limit of the nearest exemplar', () => {
    expect(judge('done', 0, DONE)).toMatchObject({
      verdict: 'pass',
      expected: fact('screenshot_in_class', { limit: 0, class_id: 'done' }),
      observed: { preview: `hash ${perceptualHash(DONE)}, nearest exemplar 0 bits away` },
      why: fact('distance_measured', { distance: 0, limit: 0 }),
    });
  });

  it('fails beyond it', () => {
    expect(judge('other', 8, DONE).verdict).toBe('fail');
  });

  it('the limit itself is within', () => {
    const [distance] = /\d+(?= bits away)/.exec(judge('other', 8, DONE).observed?.preview ?? '') ?? [];
    expect(judge('other', Number(distance), DONE).verdict).toBe('pass');
    expect(judge('other', Number(distance) - 1, DONE).verdict).toBe('fail');
  });

  it('is inconclusive without the screenshot, even when every picture would do', () => {
    expect(judge('done', 64, null)).toMatchObject({
      verdict: 'inconclusive',
      observed: null,
      why: fact('not_captured', { why: 'a dialog is open' }),
    });
  });

  it.each(['empty', 'unheard-of', 'constructor', '__proto__', 'toString'])('is inconclusive for class %s', (id) => {
    expect(judge(id, 64, DONE)).toMatchObject({ verdict: 'inconclusive', why: fact('no_exemplars', { class_id: id }) });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('no picture')],
    ['half a picture', DONE.subarray(0, DONE.length / 2)],
    ['a decompression bomb', withHeader(uniform(0, 0, 0), 0, [0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60])],
  ])('is inconclusive about %s, with the reason', (_, picture) => {
    expect(judge('done', 64, picture)).toMatchObject({
      verdict: 'inconclusive',
      observed: null,
      why: { code: 'judging_failed' },
    });
  });
});
