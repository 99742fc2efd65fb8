import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeModels, startFakeModels } from '../../bench/mock-models/fake-models.ts';
import { scriptsIn } from '../../bench/mock-models/scripts.ts';
import { NOT_RUN } from './not-run-here.ts';
import { type Shown, SHOWN } from './shown-commands.ts';
import { type Clone, cloneOfThis, type Ended, Stage } from './stage.ts';
import { BEFORE, EXITS, typedOf, UNTIL, WHERE } from './walk.ts';

const notRun = new Set(NOT_RUN.flatMap(({ lines }) => lines));
const SOLUTIONS =
  'touchstone run basics --task example-h1 --agent reference --surface aria,dom --out bundles/solutions';

/** The commands of a page that its walk runs: all that no other one runs, and none twice. */
export function walkOf(page: string, all: readonly Shown[] = SHOWN): Shown[] {
  const ran = new Set<string>();
  return all.filter((shown) => {
    const typed = typedOf(shown.line);
    if (shown.page !== page || notRun.has(shown.line) || ran.has(typed) || isElsewhere(shown, all)) return false;
    ran.add(typed);
    return true;
  });
}

/** Commands that look at what there is, and leave nothing that a later line reads. */
const LOOKS = /touchstone (?:-- )?(?:compare|list|plan|qualify|rejudge|show|surface try|validate|verify) /;

/** Whether another place runs it, the first block if there is one: of a line that leaves nothing which later ones of its page build on. */
function isElsewhere({ page, place, line }: Shown, all: readonly Shown[]): boolean {
  const leavesSomething =
    !LOOKS.test(line) && /--out|--accept|\/tmp\/|bundles\/|my-|key\.pem|queue|>> |init/.test(line);
  if (place !== page && leavesSomething) return false;
  const same = all.filter((other) => typedOf(other.line) === typedOf(line));
  const runs = same.find((other) => other.place !== other.page) ?? same[0];
  return runs?.page !== page;
}

/** Every page that has something to run, in two parts that run side by side: about as many commands in each. */
export const WALKS: readonly [first: readonly string[], second: readonly string[]] = inTwo();

function inTwo(): [string[], string[]] {
  const many = [...new Set(SHOWN.map(({ page }) => page))].map((page) => ({ page, count: walkOf(page).length }));
  const parts: [string[], string[]] = [[], []];
  let lead = 0;
  for (const { page, count } of many.filter((each) => each.count > 0).toSorted((a, b) => b.count - a.count)) {
    parts[lead > 0 ? 1 : 0].push(page);
    lead += lead > 0 ? -count : count;
  }
  return parts;
}

/** Runs a line as its document means it, and returns how it ended: null while it is still running. */
export async function walked(stage: Stage, line: string): Promise<Ended> {
  for (const before of BEFORE[line] ?? []) expect(problemOf(before, await walked(stage, before))).toBeNull();
  const where = WHERE[line] ?? '';
  const until = UNTIL[line];
  return until === undefined ? await stage.run(typedOf(line), where) : await stage.start(line, where, until);
}

/** Returns the fault in a line's exit code or output; null when it is as documented. */
export function problemOf(line: string, { exit, said }: Ended): string | null {
  const expected = line in UNTIL ? null : (EXITS[line] ?? 0);
  return exit === expected ? null : `${line}: ended with ${exit}, not with ${expected}\n${said}`;
}

/** A test for each command of these pages, in the order in which a page has them. */
export function walkPages(pages: readonly string[]): void {
  let clone: Clone;
  let fakes: FakeModels;
  const openStage = async (): Promise<Stage> => {
    const { OPENAI_API_KEY: key = '', OPENAI_BASE_URL: address = '' } = fakes.variables;
    const variables = { ...fakes.variables, OPENAI_COMPATIBLE_API_KEY: key };
    return await Stage.open(clone, variables, { '127.0.0.1:11434': new URL(address).host });
  };

  beforeAll(async () => {
    clone = await cloneOfThis();
    const stage = await Stage.open(clone);
    expect(problemOf(SOLUTIONS, await stage.run(SOLUTIONS, ''))).toBeNull();
    fakes = await startFakeModels(await scriptsIn(`${stage.folder}/bundles/solutions`));
    await stage.close();
  });
  afterAll(async () => {
    await fakes.close();
    await clone.remove();
  });

  describe.each(pages)('%s', (page) => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await openStage();
      for (const line of BEFORE[page] ?? []) expect(problemOf(line, await walked(stage, line))).toBeNull();
    });
    afterAll(async () => {
      await stage.close();
    });

    it.each(walkOf(page))('$line', async ({ line }) => {
      expect(problemOf(line, await walked(stage, line))).toBeNull();
    });
  });

  if (pages !== WALKS[0]) return;
  it('an invalid command, or one that does not end as documented, is noticed', async () => {
    const stage = await openStage();
    for (const wrong of ['touchstone frobnicate', 'touchstone validate basics --task no-such-task', 'nothing-of-ours'])
      expect(problemOf(wrong, await walked(stage, wrong))).toContain(`${wrong}: ended with `);
    await expect(stage.start('touchstone list', '', 'Ready to accept connections')).rejects.toThrow('without saying');
    await stage.close();
  });
}
