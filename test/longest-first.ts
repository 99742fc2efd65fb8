import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, though they are short: what starts last is waited for alone. */
const LONGEST = ['docs/first-walk', 'docs/second-walk', 'bench/smoke', 'fuzz/fuzz', 'verify/memory'];

function rank({ moduleId }: Pick<TestSpecification, 'moduleId'>): number {
  const at = LONGEST.findIndex((part) => moduleId.includes(`/test/${part}.`));
  return at < 0 ? LONGEST.length : at;
}

/** Starts the longest files first, and the rest as Vitest would. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const asUsual = super.sort.bind(this);
    return (await asUsual(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
