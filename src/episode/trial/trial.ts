import type { JudgedBrowser } from '../../browser/judged-browser.ts';
import type { JsonObject } from '../../contract/json.ts';
import { elementFor } from '../../surface/aria/elements.ts';
import type { ElementStep, SurfaceIntent } from '../../task/intent.ts';
import type { SnapshotElement } from '../../task/snapshot-text.ts';
import { elementsBy } from '../../surface/mcp/binding.ts';
import type { BindingFile } from '../../surface/mcp/server-file.ts';
import type { EndpointSurface, SurfaceSession } from '../../surface/surface.ts';
import type { ToolCall, ToolReply } from '../../task/tool.ts';
import { defineTask } from '../../task/validate.ts';
import type { World } from '../../world/world-proxy.ts';
import { CALL_TIMEOUT_MS } from '../act.ts';
import { openEndpointPlace } from '../place.ts';
import { openSurface } from '../open-surface.ts';
import { ON_THE_PAGE, PAINTED, TRIAL_ORIGIN, type TrialPage } from './trial-page.ts';

/** Time for the page to report a step, in ms. */
const RECORDED_TIMEOUT_MS = 2_000;

/** The reply of a step whose element `elements` does not find. */
export const NOT_SHOWN = 'no line of what it shows is the element of this step';

/** A line of a reply, and the element that the binding reads from it. */
export interface MatchedLine extends SnapshotElement {
  line: string;
}

export interface TriedStep {
  step: string;
  /** `done`: the page reports it, or has nothing to report; `other`: the page reports something else; `unbound`: the file has no call. */
  outcome: 'done' | 'other' | 'failed' | 'unbound';
  /** The last call; null if none could be made. */
  call: ToolCall | null;
  reply: string | null;
  /** The report expected of the page, and the one it made, as JSON; null if it has nothing to report. */
  expected: string | null;
  reported: readonly string[];
}

export interface Trial {
  version: string | null;
  tools: readonly { name: string; description: string; input_schema: JsonObject }[];
  /** The reply to `look`; null without a binding. */
  look: { ok: boolean; text: string } | null;
  matched: readonly MatchedLine[];
  /** Elements of the page that no line yielded. */
  missed: readonly { role: string; name: string }[];
  steps: readonly TriedStep[];
}

interface Step {
  name: string;
  /** The step is about the last of them. */
  intents: readonly SurfaceIntent[];
  expected: JsonObject | null;
}

const SEND: SurfaceIntent = { do: 'click', role: 'button', name: 'Send' };
const ASK: SurfaceIntent = { do: 'click', role: 'button', name: 'Ask' };
const MENU = { role: 'button', name: 'Menu' };
const STEPS: Readonly<Record<Exclude<keyof BindingFile, 'look' | 'closer_look' | 'elements' | 'labels'>, Step>> = {
  go: { name: 'go', intents: [{ do: 'go', url: `${TRIAL_ORIGIN}/again` }], expected: { went: '/again' } },
  wait_for: { name: 'wait_for', intents: [{ do: 'wait_for', text: 'Ready' }], expected: null },
  click: { name: 'click', intents: [SEND], expected: { clicked: 'Send' } },
  fill: { name: 'fill', intents: [{ do: 'fill', label: 'Amount', text: '8' }], expected: { filled: '8' } },
  hover: { name: 'hover', intents: [{ do: 'hover', ...MENU }], expected: { hovered: 'Menu' } },
  double_click: {
    name: 'double_click',
    intents: [{ do: 'double_click', ...MENU }],
    expected: { double_clicked: 'Menu' },
  },
  right_click: { name: 'right_click', intents: [{ do: 'right_click', ...MENU }], expected: { right_clicked: 'Menu' } },
  drag: {
    name: 'drag',
    intents: [{ do: 'drag', role: 'link', name: 'Card', to: { role: 'button', name: 'Bin' } }],
    expected: { dropped: 'Card' },
  },
  click_at: { name: 'click_at', intents: [{ do: 'click_at', ...PAINTED }], expected: { clicked: 'painted' } },
  press: { name: 'press', intents: [{ do: 'press', key: 'Escape' }], expected: { pressed: 'Escape' } },
  choose: {
    name: 'choose',
    intents: [{ do: 'choose', label: 'Colour', option: 'green' }],
    expected: { chosen: 'green' },
  },
  upload: {
    name: 'upload',
    intents: [{ do: 'upload', role: 'button', name: 'Photo', files: ['photo.txt'] }],
    expected: { uploaded: 'photo.txt' },
  },
  accept: {
    name: 'accept',
    intents: [ASK, { do: 'dialog', action: 'accept', text: 'Ada' }],
    expected: { answered: 'Ada' },
  },
  dismiss: { name: 'dismiss', intents: [ASK, { do: 'dialog', action: 'dismiss' }], expected: { answered: null } },
  switch_tab: {
    name: 'switch_tab',
    intents: [
      { do: 'click', role: 'link', name: 'Terms' },
      { do: 'switch_tab', index: 1 },
      { do: 'click', role: 'button', name: 'Agree' },
    ],
    expected: { clicked: 'Agree' },
  },
};

const FILES = [{ name: 'photo.txt', bytes: Buffer.from('a photo') }];

/**
 * Opens a page of ours through a tool server, and does each bound step once.
 * @param binding of the surface's file; undefined: only the tools are listed
 * @throws Error when the server does not start
 */
export async function tryOut(
  surface: EndpointSurface,
  binding: BindingFile | undefined,
  { browser, world, page }: { browser: JudgedBrowser; world: World; page: TrialPage },
): Promise<Trial> {
  const task = defineTask({
    id: 'trial',
    title: 'Trial',
    startUrl: `${TRIAL_ORIGIN}/`,
    goal: 'Try a surface.',
    success: { kind: 'url', pattern: '/done$' },
  });
  const place = await openEndpointPlace(surface, browser, world, task, FILES);
  try {
    await place.start(task.startUrl);
    const opened = await openSurface(place);
    if ('failure' in opened) throw new Error(opened.failure);
    const session = opened.surface;
    try {
      return { version: session.version ?? null, tools: session.tools, ...(await walk(session, binding, page)) };
    } finally {
      await session.close();
    }
  } finally {
    await place.close();
  }
}

async function walk(
  session: SurfaceSession,
  binding: BindingFile | undefined,
  page: TrialPage,
): Promise<Pick<Trial, 'look' | 'matched' | 'missed' | 'steps'>> {
  if (binding === undefined) return { look: null, matched: [], missed: [], steps: [] };
  const walker = new Walker(session, page);
  const look = await walker.follow({ do: 'read' });
  const text = look.reply?.text ?? look.why ?? '';
  const elements = elementsBy(binding);
  const matched = text.split('\n').flatMap((line, at, lines) => {
    const before = lines[at - 1] ?? '';
    // The line before may be its label.
    const both = elements(`${before}\n${line}`);
    return both.slice(elements(before).length).map((element) => ({ line, ...element }));
  });
  const missed = ON_THE_PAGE.filter((each) => elementFor(stepOn(each), matched) === undefined);
  const steps: TriedStep[] = [];
  for (const [key, step] of Object.entries(STEPS)) {
    const isBound = Object.entries(binding).some(([name, pattern]) => name === key && pattern !== undefined);
    steps.push(isBound ? await walker.tried(step) : unbound(step));
  }
  return { look: { ok: look.reply?.ok ?? false, text }, matched, missed, steps };
}

function stepOn({ role, name }: (typeof ON_THE_PAGE)[number]): ElementStep {
  if (role === 'textbox') return { do: 'fill', label: name, text: '' };
  return role === 'combobox' ? { do: 'choose', label: name, option: '' } : { do: 'click', role, name };
}

function unbound({ name }: Step): TriedStep {
  return { step: name, outcome: 'unbound', call: null, reply: null, expected: null, reported: [] };
}

/** The last call of an intent and its reply, or why it was not made. */
interface Followed {
  call: ToolCall | null;
  reply: ToolReply | null;
  why: string | null;
}

/** Follows steps as the reference does, and reads what the page reports. */
class Walker {
  readonly #session: SurfaceSession;
  readonly #page: TrialPage;
  #last: ToolReply | null = null;

  constructor(session: SurfaceSession, page: TrialPage) {
    this.#session = session;
    this.#page = page;
  }

  async tried({ name, intents, expected }: Step): Promise<TriedStep> {
    this.#page.take();
    let followed: Followed = { call: null, reply: null, why: null };
    for (const intent of intents) {
      followed = await this.follow(intent);
      if (followed.why !== null) break;
    }
    const text = expected === null ? null : JSON.stringify(expected);
    if (followed.why === null && text !== null) await this.#untilRecorded(text);
    const reported = this.#page.take();
    const { call, reply, why } = followed;
    const outcome =
      why !== null || reply?.ok === false ? 'failed' : text === null || reported.at(-1) === text ? 'done' : 'other';
    return { step: name, outcome, call, reply: why ?? reply?.text ?? null, expected: text, reported };
  }

  async follow(intent: SurfaceIntent): Promise<Followed> {
    let looked = false;
    for (;;) {
      const binding = await this.#session.bind(intent, this.#last);
      if (binding.kind === 'impossible') return { call: null, reply: null, why: binding.why };
      if (binding.kind === 'observe' && looked) {
        return { call: binding.call, reply: null, why: NOT_SHOWN };
      }
      this.#last = await this.#session.call(binding.call, AbortSignal.timeout(CALL_TIMEOUT_MS));
      if (binding.kind === 'call') return { call: binding.call, reply: this.#last, why: null };
      looked = binding.kind === 'observe' || looked;
    }
  }

  async #untilRecorded(text: string): Promise<void> {
    const until = performance.now() + RECORDED_TIMEOUT_MS;
    while (this.#page.recorded.at(-1) !== text && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
