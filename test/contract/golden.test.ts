import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { judgeLibraries } from '../../src/plan/pins.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import { KINDS } from '../../src/contract/kinds.ts';
import { leavesIn } from '../../src/contract/schema.ts';
import { SEMANTICS } from '../../src/contract/semantics.ts';
import { fact } from '../../src/messages/messages.ts';
import { committedBundles } from '../../scripts/draw-bundles.ts';
import { bundleOf, corpusHash, readCorpus, replay } from './golden/corpus.ts';
import { goldenProblems, pin, type Pinned, readPinned } from './golden/pinned.ts';

const corpus = readCorpus();
const setting = { versions: SEMANTICS, libraries: judgeLibraries(), corpus: corpusHash(corpus) };
const judged = replay(corpus);
const now = pin(judged, setting);
const pinned = readPinned() ?? now;

test('no golden judgement has changed, and the pins are current', () => {
  expect(goldenProblems(pinned, now)).toEqual([]);
});

/** Everything pinned is unchanged, except the edited nodes of one kind. */
function judgedOtherwise(kind: string, edit: (node: Judgement) => Judgement, versions = SEMANTICS): Pinned {
  const edited = (node: Judgement): Judgement => {
    const own = { ...node, children: node.children.map(edited) };
    return node.kind === kind ? edit(own) : own;
  };
  const judgements = new Map([...judged].map(([name, judgement]) => [name, edited(judgement)]));
  return pin(judgements, { ...setting, versions });
}

describe('a judge that judges otherwise and keeps its version is detected', () => {
  it.each(Object.keys(SEMANTICS).filter((kind) => kind !== 'contract'))(
    '%s, by its verdict and by its reason',
    (kind) => {
      const edits = [
        (node: Judgement): Judgement => ({ ...node, verdict: node.verdict === 'pass' ? 'fail' : 'pass' }),
        (node: Judgement): Judgement => ({ ...node, why: fact('no_open_page') }),
      ];
      for (const edit of edits) {
        const [problem, ...others] = goldenProblems(pinned, judgedOtherwise(kind, edit));
        expect(problem).toMatch(
          new RegExp(`^"${kind}" judges \\d+ golden cases otherwise, .* still at version \\d: raise it`),
        );
        expect(others).toEqual([]);
      }
    },
  );

  it.each(['and', 'or', 'not'])('a connective, %s', (kind) => {
    const turned = judgedOtherwise(kind, (node) => ({ ...node, verdict: 'pass' }));
    expect(goldenProblems(pinned, turned).join()).toMatch(/^"contract" judges \d+ golden cases otherwise/);
  });

  it('in a single case', () => {
    const name = [...judged.keys()].find((each) => each.startsWith('url on'));
    if (name === undefined) throw new Error('the corpus has no url');
    const otherwise = { ...now, judgements: { ...now.judgements, [name]: 'pass url:0000000000' } };
    expect(goldenProblems(pinned, otherwise).join()).toContain(
      `"url" judges 1 golden cases otherwise, the first is "${name}"`,
    );
  });

  it('and one that raises its version is asked to pin its new judgements', () => {
    const raised = judgedOtherwise('url', (node) => ({ ...node, why: fact('no_answer') }), { ...SEMANTICS, url: 2 });
    expect(goldenProblems(pinned, raised)).toEqual([
      'the versions that are pinned are not those of now: run npm run golden',
      'the judgements that are pinned are not those of now: run npm run golden',
    ]);
  });

  it('and so is one with another library or corpus', () => {
    expect(goldenProblems(pinned, { ...now, libraries: { ...now.libraries, re2js: '0.0.0' } })).toHaveLength(1);
    expect(goldenProblems(pinned, { ...now, corpus: '0'.repeat(64) })).toHaveLength(1);
  });
});

const Shape = z.object({ properties: z.record(z.string(), z.looseObject({ enum: z.array(z.string()).optional() })) });

describe.each(KINDS.map(({ schema }) => ({ kind: schema.shape.kind.value, schema })))('$kind', ({ kind, schema }) => {
  const nodes = corpus.cases.flatMap(({ contract }) => leavesIn(contract)).filter((leaf) => leaf.kind === kind);

  it('is judged to pass, to fail and to be inconclusive', () => {
    const verdicts = (node: Judgement): string[] =>
      node.kind === kind ? [node.verdict] : node.children.flatMap(verdicts);
    const found = new Set([...judged.values()].flatMap(verdicts));
    expect([...found].toSorted()).toEqual(['fail', 'inconclusive', 'pass']);
  });

  it('has a golden case for each of its fields, and for each word that a field takes', () => {
    const { properties } = Shape.parse(z.toJSONSchema(schema, { unrepresentable: 'any' }));
    const used = nodes
      .flatMap((node) => Object.entries(node))
      .map(([field, value]) => `${field} ${JSON.stringify(value)}`);
    for (const [field, { enum: words }] of Object.entries(properties)) {
      expect(used).toContainEqual(expect.stringMatching(`^${field} `));
      for (const word of words ?? []) expect(used).toContain(`${field} ${JSON.stringify(word)}`);
    }
  });
});

test('the corpus has cases of every committed bundle', () => {
  const known = new Set(corpus.cases.map(bundleOf));
  expect(committedBundles().filter((name) => !known.has(name.replace(/\..*$/s, '')))).toEqual([]);
});
