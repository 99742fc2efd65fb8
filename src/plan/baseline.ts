import { existsSync } from 'node:fs';
import { z } from 'zod';
import { addProblem } from '../contract/validation/wording.ts';
import { writeFileAtomically } from '../bundle/atomic-file.ts';
import { AgentName, Name } from '../bundle/name.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { TaskName } from '../task/instance.ts';
import { readChecked } from '../task/source/read-source.ts';
import { formatProblem } from '../task/source/source.ts';
import { fact } from '../messages/messages.ts';
import { CampaignError } from './error.ts';

const Expected = z.strictObject({
  status: z.literal('passed'),
  contract_hash: Sha256,
  /** Null for an agent without one. */
  transcript_sha256: Sha256.nullable(),
});
export type Expected = z.infer<typeof Expected>;

/** The results that one entrant must reach on a suite. Committed next to the suite; its count of passes only rises. */
export const Baseline = z
  .strictObject({
    schema_version: z.literal(1),
    suite: Name,
    agent: AgentName,
    surface: Name,
    /** All that are listed. */
    expected_pass_count: z.int().min(0),
    tasks: z.record(TaskName, Expected),
  })
  .superRefine(({ expected_pass_count: expected, tasks }, context) => {
    const listed = Object.keys(tasks).length;
    if (listed === expected) return;
    addProblem(fact('expected_passes', { expected, listed }), context, ['expected_pass_count']);
  });
export type Baseline = z.infer<typeof Baseline>;

/** @throws CampaignError `bad_baseline` */
export async function readBaseline(file: string): Promise<Baseline> {
  if (!existsSync(file)) throw new CampaignError(fact('no_baseline', { file }));
  const read = await readChecked(file, Baseline);
  if (read.ok) return read.value;
  throw new CampaignError(fact('bad_baseline', { problems: read.problems.map(formatProblem) }));
}

export async function readBaselineIfAny(file: string): Promise<Baseline | null> {
  return existsSync(file) ? await readBaseline(file) : null;
}

export type BaselineOf = Pick<Baseline, 'suite' | 'agent' | 'surface'>;

/**
 * Adds tasks that passed, with their contracts and transcripts. Earlier ones stay, so the count never falls: expecting less is
 * an edit by hand, which a review sees.
 * @throws CampaignError `bad_baseline` when the earlier one is of another entrant or suite.
 */
export function raised(
  before: Baseline | null,
  of: BaselineOf,
  accepted: ReadonlyMap<string, Omit<Expected, 'status'>>,
): Baseline {
  if (before !== null && (['suite', 'agent', 'surface'] as const).some((field) => before[field] !== of[field])) {
    throw new CampaignError(fact('baseline_of_others', { baseline: nameOf(before), transcripts: nameOf(of) }));
  }
  const added = [...accepted].map(([task, hashes]) => [task, { status: 'passed', ...hashes }] as const);
  const tasks = { ...before?.tasks, ...Object.fromEntries(added) };
  return { schema_version: 1, ...of, expected_pass_count: Object.keys(tasks).length, tasks };
}

export async function writeBaseline(file: string, baseline: Baseline): Promise<void> {
  await writeFileAtomically(file, `${JSON.stringify(baseline, null, 2)}\n`);
}

function nameOf({ suite, agent, surface }: BaselineOf): string {
  return `${agent}/${surface} on ${suite}`;
}
