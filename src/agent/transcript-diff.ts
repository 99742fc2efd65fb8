import { canonicalJson } from '../contract/canonical.ts';
import type { Transcript } from './transcript.ts';
import type { TranscriptCall } from './transcript-line.ts';

/**
 * Compare a transcript with an earlier one: a line for each difference, `-` before what goes and `+` before what
 * comes; empty when there is nothing. Who recorded it, and when, is no difference; nor is what was recorded earlier and
 * could not be seen this time.
 */
export function transcriptDiff(before: Transcript | null, after: Transcript): string[] {
  if (before === null) return after.entries.map((entry, index) => `+ ${index + 1} ${callText(entry)}`);
  return [
    ...changed('calls', before.header.calls, after.header.calls),
    ...callLines(before.entries, after.entries),
    ...(before.ended ? [] : ['+ done']),
    ...changed('answer', before.answer, after.answer),
  ];
}

function callText({ tool, args }: TranscriptCall): string {
  return `${tool} ${JSON.stringify(args)}`;
}

/** The calls that one has and the other lacks, and what came of those that both have, in the order in which they are made. */
function callLines(before: readonly TranscriptCall[], after: readonly TranscriptCall[]): string[] {
  const common = commonLengths(before, after);
  const lines: string[] = [];
  let [old, now] = [0, 0];
  for (;;) {
    const [gone, come] = [before[old], after[now]];
    if (gone === undefined && come === undefined) return lines;
    if (gone !== undefined && come !== undefined && isSameCall(gone, come)) {
      lines.push(...resultLines(now + 1, gone, come));
      old += 1;
      now += 1;
    } else if (
      come === undefined ||
      (gone !== undefined && lengthAt(common, old + 1, now) >= lengthAt(common, old, now + 1))
    ) {
      if (gone !== undefined) lines.push(`- ${old + 1} ${callText(gone)}`);
      old += 1;
    } else {
      lines.push(`+ ${now + 1} ${callText(come)}`);
      now += 1;
    }
  }
}

/** By [position in one][position in the other], how many calls the two have in common from there on. */
function commonLengths(before: readonly TranscriptCall[], after: readonly TranscriptCall[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => Array.from({ length: after.length + 1 }, () => 0));
  for (const [old, gone] of [...before.entries()].toReversed()) {
    for (const [now, come] of [...after.entries()].toReversed()) {
      const length = isSameCall(gone, come)
        ? lengthAt(lengths, old + 1, now + 1) + 1
        : Math.max(lengthAt(lengths, old + 1, now), lengthAt(lengths, old, now + 1));
      lengths[old]?.splice(now, 1, length);
    }
  }
  return lengths;
}

function lengthAt(lengths: readonly (readonly number[])[], old: number, now: number): number {
  return lengths[old]?.[now] ?? 0;
}

function isSameCall(a: TranscriptCall, b: TranscriptCall): boolean {
  return a.tool === b.tool && a.args_digest_sha256 === b.args_digest_sha256;
}

function resultLines(step: number, gone: TranscriptCall, come: TranscriptCall): string[] {
  const place = `${step} ${come.tool}:`;
  return [
    ...changed(`${place} reply kind`, gone.response_kind, come.response_kind),
    ...changed(`${place} tool schema`, short(gone.tool_schema_sha256), short(come.tool_schema_sha256)),
    ...changed(`${place} page state`, short(gone.page_state_sha256), short(come.page_state_sha256)),
  ];
}

function short(sha256: string | undefined): string | undefined {
  return sha256?.slice(0, 12);
}

function changed(what: string, before: unknown, after: unknown): string[] {
  if (after === undefined || canonicalJson(before ?? null) === canonicalJson(after)) return [];
  const old = before === undefined ? [] : [`- ${what} ${JSON.stringify(before)}`];
  return [...old, `+ ${what} ${JSON.stringify(after)}`];
}
