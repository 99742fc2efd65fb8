import type { ScreenshotClasses, Surroundings } from './assertion-kind.ts';
import type { Evidence } from './evidence.ts';
import { type Finding, forTheRecord, type Judgement } from './judgement.ts';
import { type Contract, kindOf, type Leaf } from './schema.ts';
import type { Problem } from './validation/problem.ts';
import { validateContract } from './validation/validate.ts';
import { all, any, negate } from './verdict.ts';
import { messageOf } from './message-of.ts';

/** Facts that a contract may use beside the evidence; part of what is hashed with the task. */
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
 * Judges a contract on evidence: no browser, no clock, no I/O, the same verdict for the same bytes at any time.
 * Every node is judged, so that the judgement shows all there is to see. What goes wrong in an assertion makes it
 * inconclusive, and by Kleene's rules that never becomes a pass.
 *
 * A contract that {@link validateContract} refuses is inconclusive as a whole, whoever wrote it and whatever its type
 * promised: one that says no way to compare would compare with everything, one of any depth would end the process.
 */
export function evaluate(contract: Contract, evidence: Evidence, options: EvaluateOptions = {}): Judgement {
  const validated = validateContract(contract);
  const judgement = validated.ok
    ? judge(validated.contract, evidence, options, { path: '', siblingUrls: [] })
    : refused(validated.problems);
  return forTheRecord(judgement, options.redact ?? ((text) => text));
}

function refused(problems: readonly Problem[]): Judgement {
  const [first] = problems.map(({ path, message }) =>
    [path.join('.'), message].filter((part) => part !== '').join(' '),
  );
  const others = problems.length > 1 ? `; and ${problems.length - 1} more` : '';
  const why = `could not be judged, the contract is not valid: ${first}${others}`;
  return {
    verdict: 'inconclusive',
    path: '',
    kind: 'contract',
    expected: 'a valid contract',
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
    const expected = kind === 'and' ? 'every child passes' : 'at least one child passes';
    const why = `${passed} of ${children.length} children pass`;
    return { verdict, path, kind, expected, observed: null, why, children };
  }
  if (kind === 'not') {
    const child = judge(node.child, evidence, options, { path: join(path, 'child'), siblingUrls: [] });
    const [verdict, why] = [negate(child.verdict), `the child is ${child.verdict}`];
    return { verdict, path, kind, expected: 'the child fails', observed: null, why, children: [child] };
  }
  return { path, kind, children: [], ...find(node, evidence, options, place) };
}

function find(node: Leaf, evidence: Evidence, options: EvaluateOptions, { siblingUrls }: Place): Finding {
  try {
    const { screenshotClasses = {} } = options;
    return kindOf(node).judge(node, evidence, { siblingUrls, screenshotClasses });
  } catch (error) {
    const why = `could not be judged: ${messageOf(error)}`;
    return { verdict: 'inconclusive', expected: node.kind, observed: null, why };
  }
}

function join(path: string, segment: string): string {
  return path === '' ? segment : `${path}.${segment}`;
}
