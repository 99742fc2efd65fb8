import { fact } from '../messages/messages.ts';
import type { ScreenshotClasses, Surroundings } from './assertion-kind.ts';
import type { Evidence } from './evidence.ts';
import { type Finding, forTheRecord, type Judgement } from './judgement.ts';
import { type Contract, kindOf, type Leaf } from './schema.ts';
import { type Problem, problemText } from './validation/problem.ts';
import { validateContract } from './validation/validate.ts';
import { all, any, negate } from './verdict.ts';
import { messageOf } from './message-of.ts';

/** Facts other than the evidence, hashed with the task. */
export interface EvaluateOptions {
  screenshotClasses?: ScreenshotClasses;
  /** Takes secrets out of what the judgement shows; it changes no verdict. */
  redact?: (text: string) => string;
}

interface Place {
  path: string;
  siblingUrls: Surroundings['siblingUrls'];
}

/**
 * Judges a contract on evidence, without browser, clock or I/O: the same verdict for the same bytes. Every node is judged, so
 * that the judgement shows everything. An assertion that fails to be judged is inconclusive, which by Kleene's rules never
 * becomes a pass.
 *
 * A contract that {@link validateContract} refuses is inconclusive as a whole, despite its type: without a way to
 * compare it would equal everything, and depth without limit would end the process.
 */
export function evaluate(contract: Contract, evidence: Evidence, options: EvaluateOptions = {}): Judgement {
  const validated = validateContract(contract);
  const judgement = validated.ok
    ? judge(validated.contract, evidence, options, { path: '', siblingUrls: [] })
    : refused(validated.problems);
  return forTheRecord(judgement, options.redact ?? ((text) => text));
}

function refused(problems: readonly Problem[]): Judgement {
  const [first] = problems.map(problemText);
  const why = fact('contract_not_valid', { problem: first ?? '', more: problems.length - 1 });
  return {
    verdict: 'inconclusive',
    path: '',
    kind: 'contract',
    expected: fact('valid_contract'),
    observed: null,
    why,
    children: [],
  };
}

function judge(node: Contract, evidence: Evidence, options: EvaluateOptions, place: Place): Judgement {
  const { kind } = node;
  const { path } = place;
  if (kind === 'and' || kind === 'or') {
    const siblingUrls =
      kind === 'and' ? node.children.flatMap((child) => (child.kind === 'url' ? [child.pattern] : [])) : [];
    const children = node.children.map((child, index) =>
      judge(child, evidence, options, { path: join(path, `children.${index}`), siblingUrls }),
    );
    const verdict = (kind === 'and' ? all : any)(children.map((child) => child.verdict));
    const passed = children.filter((child) => child.verdict === 'pass').length;
    const expected = fact(kind === 'and' ? 'every_child_passes' : 'one_child_passes');
    const why = fact('children_passing', { passed, total: children.length });
    return { verdict, path, kind, expected, observed: null, why, children };
  }
  if (kind === 'not') {
    const child = judge(node.child, evidence, options, { path: join(path, 'child'), siblingUrls: [] });
    const why = fact('child_verdict', { verdict: child.verdict });
    const expected = fact('child_fails');
    return { verdict: negate(child.verdict), path, kind, expected, observed: null, why, children: [child] };
  }
  return { path, kind, children: [], ...find(node, evidence, options, place) };
}

function find(node: Leaf, evidence: Evidence, options: EvaluateOptions, { siblingUrls }: Place): Finding {
  try {
    const { screenshotClasses = {} } = options;
    return kindOf(node).judge(node, evidence, { siblingUrls, screenshotClasses });
  } catch (error) {
    const why = fact('judging_failed', { error: messageOf(error) });
    return { verdict: 'inconclusive', expected: fact('kind_holds', { kind: node.kind }), observed: null, why };
  }
}

function join(path: string, segment: string): string {
  return path === '' ? segment : `${path}.${segment}`;
}
