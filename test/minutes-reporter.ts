import type { Reporter, TestSpecification } from 'vitest/node';

/** Says in each minute in which a file of tests ends how many have, and how long it all takes: so that what ran out of time shows where it was. */
export class MinutesReporter implements Reporter {
  readonly #now: () => number;
  readonly #write: (text: string) => void;
  #begun = 0;
  #said = 0;
  #ended = 0;
  #count = 0;

  constructor(now: () => number = Date.now, write = (text: string): void => void process.stdout.write(text)) {
    this.#now = now;
    this.#write = write;
  }

  onTestRunStart(specifications: readonly Pick<TestSpecification, 'moduleId'>[]): void {
    this.#begun = this.#now();
    this.#count = specifications.length;
  }

  onTestModuleEnd(): void {
    this.#ended += 1;
    const minutes = Math.floor((this.#now() - this.#begun) / 60_000);
    if (minutes === this.#said) return;
    this.#said = minutes;
    this.#write(`after ${minutes} min: ${this.#ended} of ${this.#count} files\n`);
  }
}
