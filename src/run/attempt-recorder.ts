import { mkdir } from 'node:fs/promises';
import { callLine, type SeenHashes, type TranscriptLine } from '../agent/transcript.ts';
import type { BlobStore } from '../bundle/blobs.ts';
import { partsOfEvidence } from '../bundle/evidence-file.ts';
import { type JsonLineWriter, openJsonLines } from '../bundle/jsonl.ts';
import type { AttemptLayout } from '../bundle/layout.ts';
import { MAX_BYTES } from '../bundle/limits.ts';
import type { Redactor } from '../bundle/redact.ts';
import { hashJson, sha256Hex } from '../contract/canonical.ts';
import type { Evidence } from '../contract/evidence.ts';
import { type EpisodeEvent, type RecordedEvent, withBlobs } from '../episode/events.ts';
import { nothingRecorded, take } from '../row/recorded.ts';
import type { EventSink } from '../episode/episode-setup.ts';
import type { ToolCall } from '../task/tool.ts';
import { wellFormedJson } from '../contract/strings.ts';

export interface RecorderOptions {
  layout: AttemptLayout;
  blobs: BlobStore;
  /** Replaces secrets in all that is written; pictures stay as they are. */
  redactor: Redactor;
  /** Called for each event as it is recorded. */
  onEvent: (event: EpisodeEvent) => void;
  /** Name agent and day in the transcript's header. */
  agent: string;
  startedAt: Date;
  /** When the attempt began, as `performance.now()` has it. */
  begun: number;
}

/** Writes what happens in one attempt to disk as it happens: events, evidence, and a transcript that can be replayed. */
export class AttemptRecorder implements EventSink {
  readonly #options: RecorderOptions;
  readonly #events: JsonLineWriter;
  readonly #transcript: JsonLineWriter;
  /** The sum of the events so far. */
  readonly recorded = nothingRecorded();
  #seq = 0;
  #call: { call: ToolCall; seen: SeenHashes } | null = null;
  /** Digest of the schema of each tool's arguments, as it was listed last. */
  #schemas = new Map<string, string>();
  #writing: Promise<unknown>[] = [];

  private constructor(options: RecorderOptions, events: JsonLineWriter, transcript: JsonLineWriter) {
    this.#options = options;
    this.#events = events;
    this.#transcript = transcript;
  }

  static async open(options: RecorderOptions): Promise<AttemptRecorder> {
    await mkdir(options.layout.folder, { recursive: true });
    const [events, transcript] = await Promise.all([
      openJsonLines(options.layout.events),
      openJsonLines(options.layout.transcript),
    ]);
    return new AttemptRecorder(options, events, transcript);
  }

  /** Keeps a failure for `close`: until then nothing awaits it, and a rejection would end the process. */
  #write(writing: Promise<unknown>): void {
    writing.catch(() => {});
    this.#writing.push(writing);
  }

  /** Replaces lone surrogates, which text of pages, agents and servers may hold, and nothing that is compared may. */
  event(given: EpisodeEvent): void {
    const event = wellFormedJson(this.#withoutSecrets(given));
    this.#seq += 1;
    const line: RecordedEvent = {
      schema_version: 2,
      seq: this.#seq,
      at_ms: Math.round(performance.now() - this.#options.begun),
      event: withBlobs(event, (value) => this.#keep(value)),
    };
    this.#write(this.#events.append(line));
    take(this.recorded, line);
    for (const each of this.#transcriptLines(event)) this.#write(this.#transcript.append(each));
    this.#options.onEvent(line.event);
  }

  clean<T>(value: T): T {
    return this.#options.redactor.json(value);
  }

  #withoutSecrets(event: EpisodeEvent): EpisodeEvent {
    if (event.type !== 'result' || event.image === undefined) return this.clean(event);
    const { image, ...rest } = event;
    return { ...this.clean(rest), image };
  }

  evidence(moment: 'start' | 'end', evidence: Evidence): void {
    const { parts, ...names } = partsOfEvidence(evidence);
    for (const part of parts) this.#write(this.#options.blobs.put(part));
    this.event({ type: 'captured', moment, ...names });
  }

  async trace(zip: Buffer): Promise<string> {
    return await this.#options.blobs.put(zip);
  }

  picture(jpeg: Buffer): string {
    return this.#keep(jpeg);
  }

  /** @throws what any write threw: an episode whose record is not whole does not count. */
  async close(): Promise<void> {
    try {
      await Promise.all(this.#writing);
    } finally {
      await Promise.all([this.#events.close(), this.#transcript.close()]);
    }
  }

  /** Stores as much of a value as a blob may hold: one that an entrant has made longer must not break the record. */
  #keep(value: string | Uint8Array): string {
    const kept = beginningOf(Buffer.from(value), MAX_BYTES.blob);
    this.#write(this.#options.blobs.put(kept));
    return sha256Hex(kept);
  }

  #transcriptLines(event: EpisodeEvent): TranscriptLine[] {
    const { agent, startedAt } = this.#options;
    if (event.type === 'reset') {
      const provenance = { recorded: { agent, date: startedAt.toISOString().slice(0, 10) } };
      return [{ kind: 'header', schema_version: 1, task: event.task, surface: event.surface, provenance }];
    }
    if (event.type === 'tools') {
      this.#schemas = new Map(event.tools.map(({ name, input_schema: schema }) => [name, hashJson(schema)]));
    }
    if (event.type === 'call') {
      const schema = this.#schemas.get(event.tool);
      const seen = schema === undefined ? {} : { tool_schema_sha256: schema };
      this.#call = { call: { tool: event.tool, args: event.args }, seen };
    }
    if (event.type === 'result' && this.#call !== null) {
      const { call, seen } = this.#call;
      const state = event.page_state_sha256 ?? null;
      return [callLine(call, event, state === null ? seen : { ...seen, page_state_sha256: state })];
    }
    if (event.type === 'stop' && event.stop === 'done') return [{ kind: 'done', answer: event.answer }];
    return [];
  }
}

/** The first bytes of text or a picture, and not the first half of a character. */
function beginningOf(bytes: Buffer, most: number): Buffer {
  if (bytes.length <= most) return bytes;
  let end = most;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
