import { describe, expect, it, test } from 'vitest';
import { drawClaims } from '../../src/claim/claims.ts';
import type { ClaimFacts } from '../../src/claim/claim-facts.ts';
import { competitiveSentence } from '../../src/report/report.ts';
import { barredComparisons, timeClaimText } from '../../src/report/decisions.ts';
import type { Block } from '../../src/report/document.ts';
import { htmlSection } from '../../src/report/html/blocks.ts';
import { markdownBlocks } from '../../src/report/markdown.ts';
import { recoverySection, signInSection } from '../../src/report/sections/axes.ts';
import { claimBlocks, claimSection, taskGradeBlocks } from '../../src/report/sections/claims.ts';
import {
  attemptedAgain,
  completionOf,
  eligibleFacts,
  SECOND,
  withRows,
  withTaskFacts,
} from '../claim/eligible-facts.ts';

const CALM = eligibleFacts();
const ALIKE = attemptedAgain(CALM, 10);
const UNEVEN = withRows(CALM, { attempt: 2, retries: 1 }, 'second');
const PAIR = 'first through aria, second through aria';
const ALL_IS_WELL = 'Nothing prevents a claim.';

function drawn(facts: ClaimFacts) {
  const { claims, eligible } = drawClaims(completionOf(facts), 1);
  return { claims, headlines: eligible.map(competitiveSentence) };
}

function textOf(facts: ClaimFacts): string {
  const { claims } = drawn(facts);
  return inMarkdown(claimBlocks(claims));
}

const inMarkdown = (blocks: readonly (Block | null)[]): string =>
  markdownBlocks(blocks.filter((block) => block !== null)).join('\n');

describe('what stands against a comparison alone', () => {
  it('is printed with the pair and the counts that it rests on', () => {
    const text = textOf(UNEVEN);
    for (const part of ['uneven_reruns', PAIR, 'first/aria: 0 of 200, second/aria: 200 of 200']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('apply to neither alone');
    expect(text).not.toContain(ALL_IS_WELL);
  });

  it('is not there where nothing does', () => {
    const text = textOf(ALIKE);
    for (const part of ['uneven_reruns', 'apply to neither alone']) expect(text).not.toContain(part);
    expect(text).toContain(ALL_IS_WELL);
  });

  it('is not said again of a pair of which each has it alone', () => {
    const text = textOf(withRows(CALM, { qualification_hash: null }));
    expect(text).toContain('not_qualified');
    expect(text).not.toContain('apply to neither alone');
  });
});

describe('what stands against each entrant', () => {
  it('is told without a count that is of one of them alone', () => {
    const text = textOf(withRows(CALM, { qualification_hash: null }));
    expect(text).toMatch(/in every episode, the task has no current proof that it qualifies[^(]*\(each entrant\)/);
    expect(text).not.toMatch(/in \d+ of \d+ episodes|all entrants\)/);
  });
});

describe('a task that a control passes by its proof', () => {
  const trivial = { trivial_by: ['teleport'] };

  it('is not said to have no proof, and is named as people name it', () => {
    const facts = eligibleFacts({ templates: 1 });
    const text = textOf(withTaskFacts(withRows(facts, { qualification_hash: null }), trivial));
    expect(text).toContain('the task has no current proof that it qualifies');
    expect(text).toContain('a control passed these tasks in their proofs: basics/task-0 (teleport)');
    expect(textOf(facts)).not.toContain('a control passed');
  });
});

describe('a reason of which two things were found', () => {
  const facts = withRows(
    withRows(CALM, { mode: 'control', decider: 'control' }, 'second'),
    { mode: 'scripted', decider: 'reference' },
    'first',
  );

  it('is one item of the list, with both and one remedy', () => {
    const items = textOf(facts)
      .split('\n')
      .filter((line) => line.startsWith('- `harness_mode`'));
    expect(items).toEqual([
      expect.stringMatching(
        /^- `harness_mode`: mode scripted .* \(first through aria\); mode control .* \(second through aria\)\. To lift it: /,
      ),
    ]);
  });
});

describe('how often contracts pass what is not right', () => {
  it('stands beside the claims, of all their tasks together', () => {
    const facts = withTaskFacts(eligibleFacts({ templates: 2 }), { perturbed: { judged: 18, passed: 1 } });
    expect(textOf(facts)).toContain(
      'Of 36 end states that were made wrong on purpose in the proofs of these tasks, 2 passed',
    );
    expect(textOf(facts)).toContain('So few trials cannot rule out that up to 18.1 % of such ends pass (95 %).');
  });

  it('is not said where no proof tells', () => {
    expect(textOf(CALM)).not.toContain('made wrong on purpose');
  });
});

describe('what a proof waived', () => {
  // Too few for a headline, which has its waivers in itself.
  const waived = (reason: string) =>
    withTaskFacts(eligibleFacts({ templates: 2, repetitions: 9 }), {
      waivers: [{ mutant: 'success.children.0:drop', reason }],
    });

  it('stands beside the claim that rests on it, once for each task', () => {
    const text = textOf(waived('the app has no other'));
    expect(text.match(/basics\/task-\d: .*?success\.children\.0:drop.*?, because the app has no other/g)).toHaveLength(
      2,
    );
  });

  it('is not there where nothing was', () => {
    const text = textOf(withTaskFacts(eligibleFacts({ templates: 2, repetitions: 9 }), { waivers: [] }));
    expect(text).not.toContain('Waived');
  });
});

test('a reason of a waiver that is markup is text in the page', () => {
  const waivers = [{ mutant: 'success:drop', reason: '<img src=x onerror=alert(1)>' }];
  const section = claimSection(drawn(withTaskFacts(eligibleFacts({ templates: 1 }), { waivers })));
  expect(String(htmlSection(section))).not.toContain('<img');
  expect(String(htmlSection(section))).toContain('because &lt;img');
});

describe.each(['fault_recovery', 'authentication'] as const)('on the axis %s', (axis) => {
  const fault = { id: 'lost', kind: 'drop' as const, armed: true, fired: true, cleared: true };
  const edit = axis === 'authentication' ? { auth: { by: 'form' as const } } : { faults: [fault], recovered: true };
  const passed = { status: 'passed', goal_verdict: 'pass', failed_contract: null } as const;
  const own = withRows(eligibleFacts({ templates: 10 }), { ...passed, ...edit });
  const waivers = [{ mutant: 'success:drop', reason: 'it has no other' }];

  function textOn(facts: ClaimFacts): string {
    const { claims } = drawClaims({ ...completionOf(CALM), [axis]: facts }, 1);
    return inMarkdown(
      axis === 'authentication'
        ? signInSection({ sign_in: { entrants: [], setups: [] }, claims, agents: [] }).blocks
        : recoverySection({ stress: [], claims, agents: [] }).blocks,
    );
  }

  it('a reason is printed in the section of that axis, and where nothing does it is not', () => {
    const text = textOn(withRows(own, { attempt: 2, retries: 1 }, 'second'));
    for (const part of ['uneven_reruns', PAIR, 'apply to neither alone']) expect(text).toContain(part);
    expect(text).not.toContain(ALL_IS_WELL);
    expect(textOn(own)).not.toContain('uneven_reruns');
  });

  it('what a proof waived stands there too, and where nothing was waived it does not', () => {
    expect(textOn(withTaskFacts(own, { waivers }))).toContain('because it has no other');
    expect(textOn(own)).not.toContain('Waived');
  });

  it('no such reason is printed among what the campaign can say of task completion', () => {
    const { claims } = drawClaims(
      { ...completionOf(CALM), [axis]: withRows(own, { attempt: 2, retries: 1 }, 'second') },
      1,
    );
    expect(inMarkdown(claimBlocks(claims))).not.toContain('uneven_reruns');
  });
});

describe('the grades of single tasks', () => {
  const gradesOf = (facts: ClaimFacts) => inMarkdown(taskGradeBlocks(drawn(facts).claims));

  it('say that they are primary from 20 repetitions on', () => {
    const text = gradesOf(eligibleFacts({ templates: 1, repetitions: 20 }));
    expect(text).toMatch(/primary first through aria, second through aria/);
    expect(text).not.toContain('too_few_repetitions');
  });

  it('say that they are not with fewer, though what is said of all tasks is, and why', () => {
    const facts = eligibleFacts({ templates: 1, repetitions: 19 });
    expect(drawn(facts).claims.entrants.map(({ aggregate }) => aggregate.grade)).toEqual(['primary', 'primary']);
    const text = gradesOf(facts);
    expect(text).toMatch(/smoke first through aria, second through aria.*too_few_repetitions/);
    expect(text).not.toMatch(/^- primary/m);
  });

  it('tell entrants apart whose grades differ', () => {
    const facts = withRows(
      eligibleFacts({ templates: 1, repetitions: 20 }),
      { mode: 'mock', endpoint_kind: 'mock' },
      'second',
    );
    const text = gradesOf(facts);
    expect(text).toMatch(/primary first through aria/);
    expect(text).toMatch(/scaffold second through aria.*harness_mode/);
  });
});

test('pairs against which the same stands are told together', () => {
  const third = { ...SECOND, agent: 'third' };
  const rows = [...CALM.rows, ...withRows(CALM, third, 'second').rows.filter(({ agent }) => agent === third.agent)];
  const facts = { ...CALM, rows, plan: { ...CALM.plan, entrants: [...CALM.plan.entrants, third] } };
  const { claims } = drawn(withRows(facts, { contract_hash: 'a'.repeat(64) }, third.agent));
  const barred = barredComparisons(claims, 'task_completion').map(({ pairs, reasons }) => [
    pairs,
    reasons.map(({ code }) => code),
  ]);
  expect(barred).toEqual([
    [['first through aria, third through aria', 'second through aria, third through aria'], ['other_contracts']],
  ]);
});

describe('of times it is said', () => {
  const AT_ONCE = { concurrency: { workers: 4, load_average: 1, cores: 2 } };

  it('whose may be claimed', () => {
    expect(timeClaimText(drawn(CALM).claims)).toBe(`Time per success may be claimed of ${PAIR}.`);
    expect(timeClaimText(drawn(withRows(CALM, AT_ONCE, 'second')).claims)).toBe(
      'Time per success may be claimed of first through aria.',
    );
  });

  it('that none may where episodes ran at once, and what lifts it', () => {
    expect(timeClaimText(drawn(withRows(CALM, AT_ONCE)).claims)).toMatch(
      /^No time may be claimed: other episodes run at the same time\. To lift it: run it with --times/,
    );
  });

  it('that none may where nothing may', () => {
    expect(timeClaimText(drawn(withRows(CALM, { mode: 'mock', endpoint_kind: 'mock' })).claims)).toBe(
      'No time may be claimed, for the same reasons as above.',
    );
  });
});
