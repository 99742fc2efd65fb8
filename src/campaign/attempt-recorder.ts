import { mkdir } from 'node:fs/promises';
import { callLine, type TranscriptLine } from '../agent/transcript-line.ts';
import type { BlobStore } from '../bundle/blobs.ts';
import { storeEvidence } from '../bundle/evidence-file.ts';
import { type JsonLineWriter, openJsonLines } from '../bundle/jsonl.ts';
import type { AttemptLayout } from '../bundle/layout.ts';
import type { Evidence } from '../contract/evidence.ts';
import type { EpisodeEvent } from '../episode/events.ts';
import type { EventSink } from '../episode/ports.ts';
import type { ToolCall } from '../task/tool.ts';

export interface RecorderOptions {
  layout: AttemptLayout;
  blobs: BlobStore;
  /** Told of each event as it is recorded. */
  onEvent: (event: EpisodeEvent) => void;
  /** Names agent and day in the transcript's header. */
  agent: string;
  date: string;
}

/** Writes what happens in one attempt to disk as it happens: events, evidence, and a transcript that can be replayed. */
export class AttemptRecorder implements EventSink {
  readonly #options: RecorderOptions;
  readonly #events: JsonLineWriter;
  readonly #transcript: JsonLineWriter;
  readonly #begun = performance.now();
  /** Artifact name → blob. */
  readonly artifacts: Record<string, string> = {};
  #seq = 0;
  #call: ToolCall | null = null;
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

  event(event: EpisodeEvent): void {
    this.#seq += 1;
    const at = Math.round(performance.now() - this.#begun);
    this.#writing.push(this.#events.append({ schema_version: 1, seq: this.#seq, at_ms: at, ...event }));
    for (const line of this.#transcriptLines(event)) this.#writing.push(this.#transcript.append(line));
    this.#options.onEvent(event);
  }

  async evidence(moment: 'start' | 'end', evidence: Evidence): Promise<string> {
    const stored = await storeEvidence(this.#options.blobs, evidence);
    this.artifacts[`evidence_${moment}`] = stored.evidence;
    if (stored.screenshot !== null) this.artifacts[`screenshot_${moment}`] = stored.screenshot;
    return stored.evidence;
  }

  /** @throws what any write threw: an episode whose record is not whole does not count. */
  async close(): Promise<void> {
    await Promise.all(this.#writing);
    await Promise.all([this.#events.close(), this.#transcript.close()]);
  }

  #transcriptLines(event: EpisodeEvent): TranscriptLine[] {
    const { agent, date } = this.#options;
    if (event.type === 'reset') {
      const provenance = { recorded: { agent, date } };
      return [{ kind: 'header', schema_version: 1, task: event.task, surface: event.surface, provenance }];
    }
    if (event.type === 'call') this.#call = { tool: event.tool, args: event.args };
    if (event.type === 'result' && this.#call !== null) return [callLine(this.#call, event)];
    if (event.type === 'stop' && event.stop === 'done') return [{ kind: 'done', answer: event.answer }];
    return [];
  }
}
