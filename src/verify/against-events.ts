import { z } from 'zod';
import { readJsonLines } from '../bundle/jsonl.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';

/** What of an event a row can contradict. */
const Line = z.looseObject({
  event: z.looseObject({
    type: z.string(),
    stop: z.string().optional(),
    moment: z.string().optional(),
    evidence: z.string().optional(),
    blob: z.string().nullish(),
  }),
});

interface Told {
  stop: string | null;
  /** Moment → name of the evidence that was judged. */
  evidence: Map<string, string>;
  /** The trace that was kept; absent where none was. */
  trace?: string | undefined;
}

/** @throws Error when `events.jsonl` tells of another stop or other evidence than the row. What never ran has no events. */
export async function refuseOtherEvents(row: Row, layout: BundleLayout): Promise<void> {
  const { stop, artifacts } = row;
  if (stop === null) return;
  const told = await readEvents(layout.attempt(row.episode_id, row.attempt).events);
  if (told.stop !== stop) throw new Error(`events.jsonl: its last stop is ${told.stop ?? 'missing'}, and not ${stop}`);
  if (told.trace !== artifacts['trace']) throw new Error('events.jsonl: the trace is another');
  for (const moment of ['start', 'end']) {
    const [judged, kept] = [told.evidence.get(moment), artifacts[`evidence_${moment}`]];
    // After a breakdown, evidence can be kept that nobody came to judge.
    const isCutShort = stop === 'infra_error' && judged === undefined;
    if (judged !== kept && !isCutShort) throw new Error(`events.jsonl: the evidence of the ${moment} is another`);
  }
}

async function readEvents(path: string): Promise<Told> {
  const told: Told = { stop: null, evidence: new Map() };
  for await (const line of readJsonLines(path)) {
    const read = Line.safeParse(line.torn ? null : line.value);
    if (!read.success) throw new Error(`events.jsonl: line ${line.number} is no event`);
    const { type, stop, moment, evidence, blob } = read.data.event;
    if (type === 'trace') told.trace = blob ?? undefined;
    if (type === 'stop') told.stop = stop ?? null;
    if (type === 'contract_evaluation' && moment !== undefined && evidence !== undefined) {
      told.evidence.set(moment, evidence);
    }
  }
  return told;
}
