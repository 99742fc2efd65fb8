import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '../bundle/atomic-file.ts';
import { Name } from '../bundle/name.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { type Semantics, semanticsOf } from '../contract/semantics.ts';
import { parsePlainly } from '../contract/validation/problem.ts';
import { isRecord } from '../contract/validation/record.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { TaskName, taskName } from '../task/instance.ts';
import { contractHash, isProofOf, type Task } from '../task/schema.ts';
import type { Waived } from '../task/suite.ts';
import { readSource } from '../task/source/read-source.ts';
import { type FileProblem, formatProblem, inFile } from '../task/source/source.ts';
import { fact } from '../messages/messages.ts';
import { CampaignError } from './error.ts';
import type { Pins } from './pins.ts';
import { pinnable, TaskQualification, waiversIn } from './task-qualification.ts';

/** `qualification.json` next to a suite: the proof that its tasks measure what they claim, and what it rests on. */
export const Qualification = z.strictObject({
  schema_version: z.literal(3),
  suite: Name,
  surface: Name,
  seed: z.int(),
  repetitions: z.int().min(0),
  perturbations: z.int().min(0),
  app_hash: Sha256,
  tasks: z.record(TaskName, TaskQualification),
});
export type Qualification = z.infer<typeof Qualification>;

/** Some 5 000 tasks. */
const MAX_PROOF_BYTES = 16 * 1_048_576;

/** A suite by its file. */
export type SuitePlace = Pick<LoadedSuite, 'file'>;

export function qualificationFile({ file }: SuitePlace): string {
  return path.join(path.dirname(file), 'qualification.json');
}

/** The proof next to a suite; null without one. @throws CampaignError `bad_qualification` */
export async function readQualification(suite: SuitePlace): Promise<Qualification | null> {
  const read = await loadQualification(suite);
  if (read.ok) return read.proof;
  throw new CampaignError(fact('bad_qualification', { problems: read.problems.map(formatProblem) }));
}

/** The same, with its problems in place. */
export async function loadQualification(
  suite: SuitePlace,
): Promise<{ ok: true; proof: Qualification | null } | { ok: false; problems: FileProblem[] }> {
  const file = qualificationFile(suite);
  if (!existsSync(file)) return { ok: true, proof: null };
  const read = await readSource(file, MAX_PROOF_BYTES);
  if (!read.ok) return read;
  // An earlier version named the judging code by its bytes, so its proofs cannot be placed.
  if (isRecord(read.value.value) && read.value.value['schema_version'] === 2) return { ok: true, proof: null };
  const parsed = parsePlainly(Qualification, read.value.value);
  return parsed.ok
    ? { ok: true, proof: parsed.value }
    : { ok: false, problems: inFile(file, read.value, parsed.problems) };
}

export async function writeQualification(suite: SuitePlace, proof: Qualification): Promise<void> {
  await writeFileAtomically(qualificationFile(suite), `${JSON.stringify(proof, null, 2)}\n`);
}

/** The current proofs of a suite's tasks, by `suite/task`. */
export async function qualificationPins(suite: LoadedSuite, appHash: string): Promise<Pins['qualifications']> {
  const proof = await readQualification(suite);
  if (proof === null || proof.app_hash !== appHash) return {};
  return Object.fromEntries(
    suite.tasks.flatMap(({ task }) => {
      const found = entryOf(proof, taskName(task));
      return found !== null && isCurrent(proof, task, suite)
        ? [[`${suite.id}/${taskName(task)}`, pinnable(found)]]
        : [];
    }),
  );
}

/** Returns the part of a suite's proof that is about a task, current or stale. */
export function entryOf(proof: Qualification | null, name: string): TaskQualification | null {
  return (proof !== null && Object.hasOwn(proof.tasks, name) ? proof.tasks[name] : undefined) ?? null;
}

/** Whether a suite's proof is of a task as it is now; its world is not compared. */
export function isCurrent(proof: Qualification, task: Task, suite: LoadedSuite): boolean {
  const found = entryOf(proof, taskName(task));
  return found !== null && changedSince(found, task, waiversOf(suite, taskName(task))).length === 0;
}

/** Lists the differences between a task, or how it is judged, and its proof; empty if the proof is current. */
export function changedSince(proof: TaskQualification, task: Task, waivers: Waived[]): string[] {
  const isSameContract = proof.contract_hash === contractHash(task);
  const isSameClock = proof.clock === task.setup?.clock;
  const isSameTask = isProofOf(proof.task_hash, task);
  return [
    ...(isSameContract ? [] : ['the contract']),
    // The hash of the task covers its contract, so other changes cannot be distinguished from that one.
    ...(isSameClock ? [] : ['its clock']),
    ...(isSameTask || !isSameContract || !isSameClock ? [] : ['the task, though not its contract']),
    ...versionsChanged(proof.semantics, semanticsOf(task), isSameContract),
    ...(isWithWaivers(proof, waivers) ? [] : ['its waivers']),
  ];
}

function versionsChanged(proved: Semantics | undefined, now: Semantics, isSameContract: boolean): string[] {
  if (canonicalJson(proved ?? null) === canonicalJson(now)) return [];
  const raised = Object.entries(now).filter(([kind, version]) => (proved?.[kind] ?? version) !== version);
  if (raised.length > 0) return raised.map(([kind]) => `the version of ${kind}`);
  // Another contract has other kinds, which is then the change.
  return isSameContract ? ['the versions of the kinds of assertions'] : [];
}

function isWithWaivers(proof: TaskQualification, waivers: Waived[]): boolean {
  const { needless_waivers: needless } = proof;
  const needed = waivers.filter(({ mutant }) => !needless.includes(mutant));
  // A needless waiver disqualifies its task until it is removed, and then the proof is of other waivers.
  if (waivers.length - needed.length !== needless.length) return false;
  return canonicalJson(byMutant(waiversIn(proof))) === canonicalJson(byMutant(needed));
}

export function waiversOf({ waivers }: Pick<LoadedSuite, 'waivers'>, task: string): Waived[] {
  return waivers.flatMap(({ mutant, reason, task: of }) => (of === task ? [{ mutant, reason }] : []));
}

function byMutant(waivers: Waived[]): Waived[] {
  return waivers.toSorted((a, b) => (a.mutant < b.mutant ? -1 : 1));
}
