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
import { type EpisodeEvent, type EventOf, type EventType, type RecordedEvent, withBlobs } from '../episode/events.ts';
import { nothingRecorded, take } from '../row/recorded.ts';
import type { EventSink } from '../episode/episode-setup.ts';
import type { ToolCall } from '../task/tool.ts';

export interface RecorderOptions {
  layout: AttemptLayout;
  blobs: BlobStore;
  /** Replaces secrets in everything but pictures. */
  redactor: Redactor;
  onEvent: (event: EpisodeEvent) => void;
  agent: string;
  startedAt: Date;
  /** Start of the attempt by `performance.now()`. */
  begun: number;
}

/** Writes the events, the evidence and a replayable transcript of one attempt to disk as it runs. */
export class AttemptRecorder implements EventSink {
  readonly #options: RecorderOptions;
  readonly #events: JsonLineWriter;
  readonly #transcript: JsonLineWriter;
  readonly recorded = nothingRecorded();
  #seq = 0;
  #call: { call: ToolCall; seen: SeenHashes } | null = null;
  /** Hash of the argument schema of each tool, as last listed. */
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

  /** Keeps a failure for `close`; an unhandled rejection would end the process. */
  #write(writing: Promise<unknown>): void {
    writing.catch(() => {});
    this.#writing.push(writing);
  }

  event(given: EpisodeEvent): void {
    const event = this.#withoutSecrets(given);
    this.#seq += 1;
    const line: RecordedEvent = {
      schema_version: 2,
      seq: this.#seq,
      at_ms: Math.round(performance.now() - this.#options.begun),
      event: withBlobs(event, (value) => this.#keep(value)),
    };
    this.#write(this.#events.append(line));
    take(this.recorded, line);
    const transcribed = this.#transcriptLine(event);
    if (transcribed !== null) this.#write(this.#transcript.append(transcribed));
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

  /** @throws the error of any write, since an episode with an incomplete record does not count */
  async close(): Promise<void> {
    try {
      await Promise.all(this.#writing);
    } finally {
      await Promise.all([this.#events.close(), this.#transcript.close()]);
    }
  }

  /** Stores as much of a value as a blob may hold. */
  #keep(value: string | Uint8Array): string {
    const kept = beginningOf(Buffer.from(value), MAX_BYTES.blob);
    this.#write(this.#options.blobs.put(kept));
    return sha256Hex(kept);
  }

  readonly #transcribe: { readonly [T in EventType]?: (event: EventOf<T>) => TranscriptLine | null } = {
    reset: ({ task, surface }) => {
      const { agent, startedAt } = this.#options;
      const provenance = { recorded: { agent, date: startedAt.toISOString().slice(0, 10) } };
      return { kind: 'header', schema_version: 1, task, surface, provenance };
    },
    tools: ({ tools }) => {
      this.#schemas = new Map(tools.map(({ name, input_schema: schema }) => [name, hashJson(schema)]));
      return null;
    },
    call: ({ tool, args }) => {
      const schema = this.#schemas.get(tool);
      this.#call = { call: { tool, args }, seen: schema === undefined ? {} : { tool_schema_sha256: schema } };
      return null;
    },
    result: (event) => {
      if (this.#call === null) return null;
      const { call, seen } = this.#call;
      const { page_state_sha256: state } = event;
      return callLine(call, event, state === null ? seen : { ...seen, page_state_sha256: state });
    },
    stop: ({ stop, answer }) => (stop === 'done' ? { kind: 'done', answer } : null),
  };

  #transcriptLine<T extends EventType>(event: EventOf<T> & { type: T }): TranscriptLine | null {
    return this.#transcribe[event.type]?.(event) ?? null;
  }
}

/** Returns the first bytes, without half a character at the end. */
function beginningOf(bytes: Buffer, most: number): Buffer {
  if (bytes.length <= most) return bytes;
  let end = most;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
