import { EpisodeEvent, type EventOf, type EventType as Kind } from '../episode/events.ts';
import { counted, millisecondsText, usdText } from '../report/numbers.ts';
import { z } from 'zod';
import type { RefusedRequest } from '../contract/refused-request.ts';
import { isMissing } from '../bundle/errors.ts';
import { readJsonLines } from '../bundle/jsonl.ts';
import type { AttemptLayout } from '../bundle/layout.ts';

export interface Doing {
  /** The step or the turn, such as `step 2`; null before the first and after the last. */
  at: string | null;
  words: string;
}

export const BEGINS: Doing = { at: null, words: 'begins' };

interface Words<K extends Kind> {
  text: (event: EventOf<K>) => string;
  /** Where the episode is afterwards; absent if that does not change. */
  doing?: (event: EventOf<K>) => Doing | null;
}

/** Other kinds are shown by their fields. Pages, agents and strangers may have written parts of the words. */
const WORDS: { readonly [K in Kind]?: Words<K> } = {
  impossible: { text: ({ status, why }) => `${status.replace('_', ' ')}: ${why}` },
  replayed: { text: ({ model_id: model }) => `recorded replies of ${model}` },
  signed_in: {
    text: ({ setup_ms: setup }) => (setup === null ? 'the agent signs in itself' : 'signed in as a role'),
  },
  reset: {
    text: ({ start_url: url }) => `the world is ready; opening ${url}`,
    doing: () => ({ at: null, words: 'capturing the start' }),
  },
  opened: {
    text: ({ open_ms: took }) => `the surface opened in ${millisecondsText(took)}`,
    doing: () => ({ at: null, words: 'starting the agent' }),
  },
  agent_begun: { text: () => 'the agent begins' },
  acted: {
    text: ({ wall_ms: took }) => `the agent took ${millisecondsText(took)}`,
    doing: () => ({ at: null, words: 'waiting for the page to settle' }),
  },
  tools: { text: ({ names }) => `tools: ${names.length === 0 ? 'none' : names.join(', ')}` },
  call: {
    text: ({ step, tool, args }) => `call ${step}: ${tool} ${JSON.stringify(args)}`,
    doing: ({ step, tool }) => inPlace(`step ${step}`, tool),
  },
  result: {
    text: ({ step, ok, kind, bytes, tool_ms: took, url }) =>
      `result ${step}: ${ok ? 'ok' : 'error'} (${kind}, ${bytes} bytes, ${millisecondsText(took)}) at ${url}`,
  },
  turn: {
    text: ({ turn }) => `turn ${turn}: asking the model`,
    doing: ({ turn }) => inPlace(`turn ${turn}`, 'asking the model'),
  },
  turn_retried: {
    text: ({ turn, why, wait_ms: wait }) => `turn ${turn}: ${why}; asked again after ${millisecondsText(wait)}`,
    doing: ({ turn }) => inPlace(`turn ${turn}`, 'waiting for the provider'),
  },
  turn_ended: {
    text: (event) => `turn ${event.turn}: ${turnText(event)}`,
    doing: ({ turn }) => inPlace(`turn ${turn}`, 'the model answered'),
  },
  interrupted: {
    text: ({ why }) => `interrupted from outside: ${why}`,
    doing: () => ({ at: null, words: 'will be attempted again' }),
  },
  gateway: {
    text: ({ commands, inputs, script_steps: steps }) =>
      `gateway: ${commands} commands, ${inputs} of them input${steps.length === 0 ? '' : `; script of the agent in step ${steps.join(', ')}`}`,
  },
  browser_not_ours: { text: () => 'in a browser that Touchstone did not launch' },
  isolated: { text: ({ by, network }) => `isolation: ${by}, network ${network}` },
  reported_step: {
    text: ({ step, tool, args, ok, url }) =>
      `reported step ${step}: ${tool} ${JSON.stringify(args)}, ${ok ? 'ok' : 'error'} at ${url}`,
    doing: ({ step, tool }) => inPlace(`step ${step}`, tool),
  },
  reported_usage: {
    text: ({ input_tokens: read, output_tokens: written, model }) =>
      `reported usage: ${read} + ${written} tokens of ${model ?? 'a model that it does not name'}`,
  },
  printed: { text: ({ bytes }) => `printed ${bytes} bytes, ending in` },
  'fault.armed': { text: ({ fault }) => `fault armed: ${fault.id} (${fault.kind})` },
  'fault.fired': {
    text: ({ id, proof: { exchange, command, call } }) => {
      const proofs = [
        ...(exchange === undefined ? [] : [`${exchange.method} ${exchange.url}, exchange ${exchange.seq}`]),
        ...(command === undefined ? [] : [command]),
        ...(call === undefined ? [] : [`call ${call}`]),
      ];
      return `fault fired: ${id}: ${proofs.join(', ')}`;
    },
  },
  'fault.obeyed': { text: ({ id }) => `fault obeyed: ${id}: the agent followed the injected instruction` },
  'fault.cleared': { text: ({ id, by }) => `fault cleared: ${id}, by ${by}` },
  surroundings: { text: (event) => `in the page: ${surroundingsText(event)}` },
  trace: { text: (event) => `trace: ${event.blob ?? `none: ${event.why}`}` },
  picture: { text: ({ step, blob }) => `picture after step ${step}: ${blob}` },
  captured: {
    text: ({ moment, evidence }) => `evidence of the ${moment}: ${evidence}`,
    doing: ({ moment }) => (moment === 'end' ? { at: null, words: 'judging' } : null),
  },
  contract_evaluation: {
    text: ({ contract, moment, judgement }) => `${contract} at the ${moment}: ${judgement.verdict}`,
  },
  judged: {
    text: ({ moment, unsettled }) => `judged at the ${moment}${unsettled ? ' before the page had settled' : ''}`,
  },
  stop: { text: ({ stop, detail }) => `stop: ${stop}${detail === null ? '' : ` (${detail})`}` },
};

/** Puts an event into words, which are not yet {@link printable}. */
export function eventText<K extends Kind>(event: EventOf<K> & { type: K }): string {
  return WORDS[event.type]?.text(event) ?? `${event.type} ${JSON.stringify({ ...event, type: undefined })}`;
}

/** Returns where an episode is after an event; null if that does not change. */
export function doingAfter<K extends Kind>(event: EventOf<K> & { type: K }): Doing | null {
  return WORDS[event.type]?.doing?.(event) ?? null;
}

function inPlace(at: string, what: string): Doing {
  return { at, words: `${at}: ${what}` };
}

export function turnText(event: EventOf<'turn_ended'>): string {
  if (event.problem !== null) return event.problem;
  const { model, stop_reason: why, tokens_in: read, tokens_cached: cached, tokens_out: written, model_ms: ms } = event;
  const tokens = `${read ?? '?'} tokens in (${cached ?? '?'} cached), ${written ?? '?'} out`;
  const cost = event.cost_usd === null ? '' : `, ${usdText(event.cost_usd)}`;
  return `${model ?? 'the model'} replied (${why ?? 'no reason given'}): ${tokens}${cost}, ${Math.round(ms ?? 0)} ms`;
}

function surroundingsText(event: EventOf<'surroundings'>): string {
  const { runtime_version: version, runtime_hash: runtime, manifest_checksum: manifest, off_archive: missed } = event;
  const found = [
    ...(version === null ? [] : [`NAC3 runtime ${version}`]),
    ...(runtime === null ? [] : [`hash of the runtime ${runtime}`]),
    ...(manifest === null ? [] : [`checksum of the manifest ${manifest}`]),
    ...(missed === null ? [] : [`asked ${counted(missed, 'time')} for what the archive has not`]),
    ...Object.entries(event.violations).map(([name, count]) => `${count} × ${name}`),
    ...(event.refused ?? []).map((each) => `refused ${refusedText(each)}`),
  ];
  return found.length === 0 ? 'no NAC3 runtime, and nothing against the rules' : found.join('; ');
}

const PURPOSES: Readonly<Record<RefusedRequest['as'], string>> = {
  request: '',
  event_stream: 'the event stream ',
  web_socket: 'the WebSocket ',
  tunnel: 'an encrypted request or a WebSocket to ',
};

export function refusedText({ address, as, why, times }: RefusedRequest): string {
  const reason = why === 'outside_world' ? 'it is not on a site of the world' : 'its site has no WebSockets';
  return `${PURPOSES[as]}${address}${times === 1 ? '' : `, ${times} times`}: ${reason}`;
}

export interface ViewedEvent {
  /** Counts from 1. */
  line: number;
  /** Since the attempt began, in ms; null if the line lacks it. */
  at: number | null;
  /** Null if it is not an event of this version. */
  event: EpisodeEvent | null;
  /** As recorded. */
  value: unknown;
}

const Envelope = z.looseObject({ at_ms: z.number().optional(), event: z.unknown() });

/**
 * Reads the events of an attempt, unknown ones as data; none if it never ran.
 * @throws BundleError if a line is not JSON
 */
export async function* viewedEvents({ events }: AttemptLayout): AsyncGenerator<ViewedEvent> {
  try {
    for await (const line of readJsonLines(events)) {
      if (line.torn) return;
      yield viewed(line.number, line.value);
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function viewed(line: number, value: unknown): ViewedEvent {
  const envelope = Envelope.safeParse(value);
  if (!envelope.success) return { line, at: null, event: null, value };
  const { at_ms: at = null, event } = envelope.data;
  return { line, at, event: knownEvent(event), value: event };
}

/** Also null if it is nested too deeply to be checked. */
function knownEvent(event: unknown): EpisodeEvent | null {
  try {
    return EpisodeEvent.safeParse(event).data ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
