import { hashJson } from '../contract/canonical.ts';
import type { Pins } from './pins.ts';

/** The hash that rows of a task have: of its proof, with app and judge; null where no current proof says that it qualifies. */
export function qualificationHashOf(
  {
    qualifications,
    judge_version: judge,
    app_hashes: apps,
  }: Pick<Pins, 'qualifications' | 'judge_version' | 'app_hashes'>,
  suite: string,
  task: string,
): string | null {
  const name = `${suite}/${task}`;
  const proof = Object.hasOwn(qualifications, name) ? qualifications[name] : undefined;
  if (proof?.verdict !== 'qualified') return null;
  return hashJson({ judge_version: judge, app_hash: apps[suite] ?? null, proof });
}
