import { messageOf } from '../contract/message-of.ts';
import { filesInZip } from '../world/archive/write-archive.ts';
import type { Status } from '../contract/status.ts';
import type { TracePolicy } from '../task/trace-policy.ts';
import type { EventSink } from './ports.ts';
import type { Traced } from './tracing.ts';

/** Largest trace that is kept, and what it may unpack to, in bytes. */
const MAX_TRACE = 48 * 1024 * 1024;
const MAX_UNPACKED = 512 * 1024 * 1024;

const HOLDS_SECRET = 'a secret stands in it, and a trace holds the bytes as they were';

interface Keeping {
  sink: EventSink;
  trace?: TracePolicy;
}

/** Stores the trace of an attempt, and tells where it is; or tells why there is none. */
export async function keepTrace(traced: Traced, status: Status, { sink, trace }: Keeping): Promise<void> {
  let why = await whyNotKept(traced, status, { sink, trace });
  let blob: string | null = null;
  try {
    if (why === null && 'zip' in traced) blob = (await sink.trace?.(traced.zip)) ?? null;
  } catch (error) {
    why = `it cannot be stored: ${messageOf(error)}`;
  }
  sink.event({ type: 'trace', blob, why });
}

async function whyNotKept(
  traced: Traced,
  status: Status,
  { sink, trace }: { sink: EventSink; trace: TracePolicy | undefined },
): Promise<string | null> {
  if ('why' in traced) return traced.why;
  if (trace === 'failures' && status === 'passed') return 'the attempt passed, and traces are kept of failures';
  if (traced.zip.length > MAX_TRACE) return `it has ${traced.zip.length} bytes, more than ${MAX_TRACE}`;
  try {
    return (await holdsSecret(traced.zip, sink)) ? HOLDS_SECRET : null;
  } catch (error) {
    return `it cannot be searched for secrets: ${messageOf(error)}`;
  }
}

/** Whether a file of it holds what would be replaced everywhere else. What cannot be read is not known to be clean. */
async function holdsSecret(zip: Buffer, sink: EventSink): Promise<boolean> {
  for await (const bytes of filesInZip(zip, MAX_UNPACKED)) {
    const text = bytes.toString('utf8');
    if (sink.clean(text) !== text) return true;
  }
  return false;
}
