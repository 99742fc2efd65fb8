import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { hashJson } from '../../../src/contract/canonical.ts';
import type { Judgement } from '../../../src/contract/judgement.ts';
import type { Semantics } from '../../../src/contract/semantics.ts';

const FILE = new URL('judgements.json', import.meta.url);

/** The judgements of the corpus, and the versions that made them. */
const Pinned = z.strictObject({
  versions: z.record(z.string(), z.number()),
  libraries: z.record(z.string(), z.string()),
  corpus: z.string(),
  /** For each case its verdict and, by kind, a digest of the judgements at its nodes: `pass url:0123456789`. */
  judgements: z.record(z.string(), z.string()),
});
export type Pinned = z.infer<typeof Pinned>;

export function readPinned(): Pinned | null {
  return existsSync(FILE) ? Pinned.parse(JSON.parse(readFileSync(FILE, 'utf8'))) : null;
}

export function writePinned(pinned: Pinned): void {
  writeFileSync(FILE, `${JSON.stringify(pinned, null, 2)}\n`);
}

export function pin(
  judged: ReadonlyMap<string, Judgement>,
  setting: { versions: Semantics; libraries: Record<string, string>; corpus: string },
): Pinned {
  const judgements = Object.fromEntries([...judged].map(([name, judgement]) => [name, digestOf(judgement)]));
  return { ...setting, versions: { ...setting.versions }, judgements };
}

function digestOf(judgement: Judgement): string {
  const byKind = new Map<string, unknown[]>();
  for (const { kind, said } of nodesOf(judgement)) byKind.set(kind, [...(byKind.get(kind) ?? []), said]);
  const digests = [...byKind].map(([kind, said]) => `${kind}:${hashJson(said).slice(0, 10)}`);
  return [judgement.verdict, ...digests.toSorted()].join(' ');
}

const SHARED = new Set(['and', 'or', 'not', 'contract']);

/** The judgement at each node, with the part of the judge that made it. */
function nodesOf({ children, ...said }: Judgement): { kind: string; said: unknown }[] {
  const kind = SHARED.has(said.kind) ? 'contract' : said.kind;
  // The judgement of a connective follows from its children: a change in them is no change of its own.
  const own = kind === 'contract' ? { ...said, of: children.map(({ verdict }) => verdict) } : said;
  return [{ kind, said: own }, ...children.flatMap(nodesOf)];
}

/** The cases of each part of the judge whose judgement differs from the pinned one, at the same version. */
export function changedWithoutVersion(pinned: Pinned, now: Pinned): Map<string, string[]> {
  const changed = new Map<string, string[]>();
  for (const [name, judgement] of Object.entries(now.judgements)) {
    const before = pinned.judgements[name];
    if (before === undefined || before === judgement) continue;
    const [old, present] = [digestsIn(before), digestsIn(judgement)];
    const kinds = [...new Set([...old.keys(), ...present.keys()])].filter(
      (kind) => old.get(kind) !== present.get(kind),
    );
    for (const kind of kinds) changed.set(kind, [...(changed.get(kind) ?? []), name]);
  }
  const raised = new Set(Object.keys(now.versions).filter((kind) => pinned.versions[kind] !== now.versions[kind]));
  // A leaf that judges otherwise changes what the connectives around it come to.
  const others = new Set([...changed].flatMap(([kind, names]) => (kind === 'contract' ? [] : names)));
  const own = (changed.get('contract') ?? []).filter((name) => !others.has(name));
  if (own.length > 0) changed.set('contract', own);
  else changed.delete('contract');
  return new Map([...changed].filter(([kind]) => !raised.has(kind)));
}

function digestsIn(judgement: string): Map<string, string> {
  const [, ...digests] = judgement.split(' ');
  return new Map(digests.map((each) => [each.slice(0, each.indexOf(':')), each]));
}

/** All differences between the pinned judgements and the present ones, in words; the first kind cannot be drawn away. */
export function goldenProblems(pinned: Pinned, now: Pinned): string[] {
  const changed = [...changedWithoutVersion(pinned, now)].map(
    ([kind, names]) =>
      `"${kind}" judges ${names.length} golden cases otherwise, the first is "${names[0]}", and is still at version ${now.versions[kind]}: raise it, which makes the proofs that use it stale`,
  );
  if (changed.length > 0) return changed;
  const parts = ['versions', 'libraries', 'corpus', 'judgements'] as const;
  const stale = parts.filter((part) => hashJson(pinned[part]) !== hashJson(now[part]));
  return stale.map((part) => `the ${part} that are pinned are not those of now: run npm run golden`);
}
