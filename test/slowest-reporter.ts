import type { Reporter, TestModule } from 'vitest/node';

interface TimedTest {
  file: string;
  name: string;
  ms: number;
}

/** A line for each of the slowest tests, slowest first. */
export function slowestLines(tests: readonly TimedTest[], count: number): string[] {
  return tests
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ file, name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file} > ${name}`);
}

function* timedTests(modules: readonly TestModule[]): Generator<TimedTest> {
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      yield { file: module.relativeModuleId, name: test.fullName, ms: test.diagnostic()?.duration ?? 0 };
    }
  }
}

/** Says at the end of a whole run which tests it waited for longest, so that a slow one is seen on the day it comes. */
export class SlowestReporter implements Reporter {
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = [...timedTests(modules)];
    // Who runs less than a folder sees every test anyway.
    if (tests.length <= this.#count) return;
    const lines = slowestLines(tests, this.#count);
    process.stdout.write(`\nThe ${lines.length} slowest tests:\n${lines.join('\n')}\n`);
  }
}
