import { describe, expect, it } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import { missing } from '../../src/contract/evidence.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import type { ContractNode } from '../../src/contract/schema.ts';
import { element, evidence, frameOf, LOST_FRAME, page, type SampleNode } from './evidence-sample.ts';

type Fields = Omit<ContractNode<'dom_text'>, 'kind'>;

function judge(fields: Fields, parts: Parameters<typeof page>[0]): Judgement {
  return evaluate({ kind: 'dom_text', ...fields }, evidence({ pages: [page(parts)] }));
}

const BODY: SampleNode[] = [element('h1', 'Message sent'), element('p', 'Thank you'), element('p', 'Good bye')];

describe('the three ways to compare', () => {
  it('contains finds a part', () => {
    expect(judge({ selector: 'h1', contains: 'sent' }, { body: BODY })).toMatchObject({
      verdict: 'pass',
      expected: fact('text_contains', { fresh: false, selector: 'h1', text: 'sent' }),
      observed: { preview: 'Message sent', length: 12 },
      why: fact('text_compared', { selector: 'h1', holds: true }),
    });
    expect(judge({ selector: 'h1', contains: 'Sent' }, { body: BODY }).verdict).toBe('fail');
  });

  it('equals requires the whole', () => {
    expect(judge({ selector: 'h1', equals: 'Message sent' }, { body: BODY })).toMatchObject({
      verdict: 'pass',
      expected: fact('text_equals', { fresh: false, selector: 'h1', text: 'Message sent' }),
    });
    expect(judge({ selector: 'h1', equals: 'Message' }, { body: BODY }).verdict).toBe('fail');
  });

  it('matches requires a pattern, anywhere unless anchored', () => {
    expect(judge({ selector: 'h1', matches: 's.nt$' }, { body: BODY })).toMatchObject({
      verdict: 'pass',
      expected: fact('text_matches', { fresh: false, selector: 'h1', pattern: 's.nt$' }),
    });
    expect(judge({ selector: 'h1', matches: '^s.nt' }, { body: BODY }).verdict).toBe('fail');
  });

  it('a failure shows the actual text', () => {
    expect(judge({ selector: 'h1', contains: 'NotPresent' }, { body: BODY })).toMatchObject({
      verdict: 'fail',
      observed: { preview: 'Message sent' },
      why: fact('text_compared', { selector: 'h1', holds: false }),
    });
  });
});

describe('the text', () => {
  it('is all of the body without a selector', () => {
    expect(judge({ equals: 'Message sent Thank you Good bye' }, { body: BODY })).toMatchObject({
      verdict: 'pass',
      expected: fact('text_equals', { fresh: false, selector: 'body', text: 'Message sent Thank you Good bye' }),
    });
  });

  it('is that of the first match only', () => {
    expect(judge({ selector: 'p', contains: 'Thank you' }, { body: BODY }).verdict).toBe('pass');
    expect(judge({ selector: 'p', contains: 'Good bye' }, { body: BODY }).verdict).toBe('fail');
  });

  it('fails when nothing matches the selector', () => {
    expect(judge({ selector: 'h2', contains: 'x' }, { body: BODY })).toMatchObject({
      verdict: 'fail',
      observed: null,
      why: fact('nothing_matches', { selector: 'h2' }),
    });
  });
});

describe('text is normalised on both sides', () => {
  it.each([
    ['no-break spaces', '330\u00a0m', '330 m'],
    ['white space in the contract', '330 m', '330 \n\t m '],
    ['an accent that is a character of its own', 'Cafe\u0301', 'Caf\u00e9'],
    ['soft hyphens and zero-width spaces', 'un\u00adfor\u200bseen', 'unforseen'],
  ])('%s', (_, shown, wanted) => {
    expect(judge({ equals: wanted }, { body: [shown] }).verdict).toBe('pass');
    expect(judge({ contains: wanted }, { body: [`so: ${shown}!`] }).verdict).toBe('pass');
  });

  it('but case and accents count', () => {
    expect(judge({ contains: 'cafe' }, { body: ['Caf\u00e9'] }).verdict).toBe('fail');
  });
});

describe('frames', () => {
  it('are searched after the main frame', () => {
    const parts = {
      body: [element('p', 'Outside')],
      frames: [frameOf(element('p', 'Inside'), element('b', 'Inside'))],
    };
    expect(judge({ selector: 'p', equals: 'Outside' }, parts).verdict).toBe('pass');
    expect(judge({ selector: 'b', equals: 'Inside' }, parts).verdict).toBe('pass');
  });

  it('do not matter uncaptured when the main frame has a match', () => {
    const parts = { body: BODY, frames: [LOST_FRAME] };
    expect(judge({ selector: 'h1', contains: 'sent' }, parts).verdict).toBe('pass');
    expect(judge({ selector: 'h1', contains: 'lost' }, parts).verdict).toBe('fail');
  });

  it('may hold the only match if they were not captured', () => {
    expect(judge({ selector: 'h2', contains: 'x' }, { body: BODY, frames: [LOST_FRAME] })).toMatchObject({
      verdict: 'inconclusive',
      observed: null,
      why: fact('first_match_unknown', { selector: 'h2', why: 'frame lost: the frame did not answer' }),
    });
  });

  it('may come before one with a match if they were not captured', () => {
    const parts = { body: BODY, frames: [frameOf(element('b', 'Inside')), LOST_FRAME] };
    expect(judge({ selector: 'b', contains: 'Inside' }, parts).verdict).toBe('inconclusive');
  });
});

describe('missing and long', () => {
  it('is inconclusive without the DOM', () => {
    expect(judge({ contains: 'x' }, { dom: missing('a dialog is open') })).toMatchObject({
      verdict: 'inconclusive',
      expected: fact('text_contains', { fresh: false, selector: 'body', text: 'x' }),
      observed: null,
      why: fact('not_captured', { why: 'a dialog is open' }),
    });
  });

  it('finds text beyond the preview, and gives the length of the whole', () => {
    const judgement = judge({ contains: 'needle' }, { body: [`${'x'.repeat(1000)} needle`] });
    expect(judgement).toMatchObject({ verdict: 'pass', observed: { preview: 'x'.repeat(240), length: 1007 } });
  });
});
