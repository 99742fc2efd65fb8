import type { Intent } from '../../task/intent.ts';
import { z } from 'zod';

const Name = z.string().max(200);
/** Texts that the frame showed when the user acted. */
const Texts = z.array(z.string().max(100)).max(200);
/** `isFirst`: of its role and name, as steps mean the first. */
const Aimed = { name: Name, isFirst: z.boolean(), others: z.array(z.string().max(500)).max(5), texts: Texts };

/** A user's event, as the recorder in the page reports it. */
export const UserEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('click'), role: z.string().max(50), byKey: z.boolean(), ...Aimed }),
  z.object({ kind: z.literal('fill'), type: z.string().max(30), text: z.string(), isSecret: z.boolean(), ...Aimed }),
  /** More of the same field. */
  z.object({ kind: z.literal('typed'), text: z.string(), isSecret: z.boolean(), texts: Texts }),
  z.object({ kind: z.literal('choose'), option: z.string().max(500), ...Aimed }),
  z.object({ kind: z.literal('press'), key: z.string().max(30), texts: Texts }),
  /** An event that has no step. */
  z.object({ kind: z.literal('unnamed'), what: z.string().max(300), texts: Texts }),
]);
export type UserEvent = z.infer<typeof UserEvent>;

/** Reads the event in a message; null if it is invalid. */
export function userEventIn(message: string): UserEvent | null {
  try {
    return UserEvent.safeParse(JSON.parse(message)).data ?? null;
  } catch {
    return null;
  }
}

/** One step of a recording, and the page at that moment. */
export interface UserAction {
  step: Intent;
  texts: readonly string[];
  /** Names or options that the user could have chosen instead. */
  others: readonly string[];
  /** Type of the filled field. */
  type?: string;
  /** Reasons why the step may not repeat what the user did. */
  doubts: readonly string[];
}

export interface Secrets {
  /** Credentials of the suite, by name. */
  known: Readonly<Record<string, string>>;
}

/** The placeholder of a password that the suite does not know. */
export const PASSWORD = 'PASSWORD';

/** The key that presses a focused button or sends a form, which the browser also reports as a click. */
const PRESSING = 'Enter';

/**
 * Turns a user's events into steps. Keys typed into a field become one step; a key that presses a button becomes a click, which
 * every surface has.
 */
export class UserActions {
  readonly #actions: UserAction[] = [];
  readonly #secrets: Secrets;
  /** Typed passwords that the suite's credentials do not have. They are never written. */
  readonly typedSecrets = new Set<string>();
  #typing: string | null = null;
  readonly #notes: string[] = [];
  #tab = 0;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  get all(): readonly UserAction[] {
    return this.#actions;
  }

  /** Actions that no step can express. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** @param tab its index in order of opening */
  took(event: UserEvent, tab: number): void {
    if (event.kind === 'unnamed') {
      this.#notes.push(event.what);
      return;
    }
    const { texts } = event;
    if (event.kind === 'typed') {
      this.#typed(event.text, event.isSecret);
      return;
    }
    if (event.kind === 'click' && event.byKey && this.#isPressing()) this.#actions.pop();
    this.#goTo(tab, texts);
    const { step, type } = this.#stepOf(event);
    const aimed = event.kind === 'press' ? null : event;
    const doubts = aimed === null ? [] : doubtsOf(aimed.name, aimed.isFirst);
    this.#actions.push({ step, texts, others: aimed?.others ?? [], ...(type === undefined ? {} : { type }), doubts });
  }

  answered({ accepted, text }: { accepted: boolean; text: string | null }): void {
    const action = accepted ? 'accept' : 'dismiss';
    const step: Intent = text === null || text === '' ? { do: 'dialog', action } : { do: 'dialog', action, text };
    this.#actions.push({ step, texts: [], others: [], doubts: [] });
  }

  went(url: string, tab: number): void {
    this.#goTo(tab, []);
    this.#actions.push({ step: { do: 'go', url }, texts: [], others: [], doubts: [] });
  }

  #stepOf(event: Exclude<UserEvent, { kind: 'unnamed' | 'typed' }>): { step: Intent; type?: string } {
    switch (event.kind) {
      case 'click':
        return { step: { do: 'click', role: event.role, name: event.name } };
      case 'fill':
        return { step: { do: 'fill', label: event.name, text: this.#written(event) }, type: event.type };
      case 'choose':
        return { step: { do: 'choose', label: event.name, option: event.option } };
      case 'press':
        return { step: { do: 'press', key: event.key } };
    }
  }

  #typed(text: string, isSecret: boolean): void {
    const last = this.#actions.at(-1);
    if (last?.step.do !== 'fill') return;
    // The beginning of a password is not secret, and may occur in unrelated text.
    if (isSecret && this.#typing !== null) this.typedSecrets.delete(this.#typing);
    this.#actions[this.#actions.length - 1] = {
      ...last,
      step: { ...last.step, text: this.#written({ text, isSecret }) },
    };
  }

  #written({ text, isSecret }: { text: string; isSecret: boolean }): string {
    this.#typing = isSecret ? text : null;
    if (!isSecret) return text;
    const known = Object.entries(this.#secrets.known).find(([, value]) => value === text)?.[0];
    if (known === undefined && text !== '') this.typedSecrets.add(text);
    return `\${${known ?? PASSWORD}}`;
  }

  #isPressing(): boolean {
    const step = this.#actions.at(-1)?.step;
    return step?.do === 'press' && step.key === PRESSING;
  }

  #goTo(tab: number, texts: readonly string[]): void {
    if (tab === this.#tab) return;
    this.#tab = tab;
    this.#actions.push({ step: { do: 'switch_tab', index: tab }, texts, others: [], doubts: [] });
  }
}

function doubtsOf(name: string, isFirst: boolean): string[] {
  if (name === '') return ['it has no name'];
  return isFirst ? [] : ['it is not the first of this name, and a step means the first'];
}

/** Most characters of a text to wait for. */
const LONGEST_TEXT = 60;

/** Makes a solution from actions. Before each action it waits for a text that had newly appeared. */
export function solutionFrom(
  actions: readonly UserAction[],
  shownAtStart: readonly string[],
  shownAtEnd: readonly string[],
): Intent[] {
  const steps: Intent[] = [];
  const seen = new Set(shownAtStart);
  const typed = actions.flatMap(({ step }) => (step.do === 'fill' ? [step.text] : []));
  const waitFor = (texts: readonly string[]): boolean => {
    const fresh = texts.filter((text) => !seen.has(text));
    for (const text of texts) seen.add(text);
    const text = clearest(fresh, typed);
    if (text !== null) steps.push({ do: 'wait_for', text });
    return text !== null;
  };
  for (const { step, texts } of actions) {
    if (steps.length > 0) waitFor(texts);
    else for (const text of texts) seen.add(text);
    steps.push(step);
  }
  if (!waitFor(shownAtEnd)) steps.push({ do: 'settle' });
  return steps;
}

/** The text that best shows that a page has loaded: short words that the user has not typed. */
function clearest(texts: readonly string[], typed: readonly string[]): string | null {
  const fit = texts.filter((text) => text.length >= 3 && text.length <= LONGEST_TEXT && /\p{L}{2}/u.test(text));
  const isPlain = (text: string): boolean => !/\d/.test(text) && !typed.some((own) => own !== '' && text.includes(own));
  return fit.find(isPlain) ?? fit[0] ?? null;
}
