import type { Intent } from '../../task/intent.ts';
import type { UserEvent } from './user-event.ts';

/** One step of a recording, and what is known of the moment at which it was done. */
export interface Deed {
  step: Intent;
  /** Texts that the user could see then. */
  texts: readonly string[];
  /** Names, or options, that the user could have taken in its place. */
  others: readonly string[];
  /** The type of the field, where one was filled. */
  type?: string;
  /** Reasons why the step may not do again what the user did. */
  doubts: readonly string[];
}

/** Where passwords stand that the user has typed, and the names under which the suite knows them. */
export interface Secrets {
  /** Credentials of the suite. */
  known: Readonly<Record<string, string>>;
}

/** The placeholder of a password that the suite does not know. */
export const PASSWORD = 'PASSWORD';

/** The keys by which a button is pressed that has the focus, or a form is sent: then the click tells it. */
const PRESSING = 'Enter';

/**
 * Turns what a user does into steps of a solution. Typing comes key by key and becomes one step; a key that presses a button becomes a
 * click on it, which means the same on every surface.
 */
export class Deeds {
  readonly #deeds: Deed[] = [];
  readonly #secrets: Secrets;
  /** Passwords that were typed and that the suite does not know. They are written nowhere. */
  readonly typedSecrets = new Set<string>();
  #typing: string | null = null;
  readonly #notes: string[] = [];
  #tab = 0;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  get all(): readonly Deed[] {
    return this.#deeds;
  }

  /** Deeds for which there is no step. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** @param tab where it was done, in the order in which tabs were opened */
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
    if (event.kind === 'click' && event.byKey && this.#isPressing()) this.#deeds.pop();
    this.#goTo(tab, texts);
    const { step, type } = this.#stepOf(event);
    const aimed = event.kind === 'press' ? null : event;
    const doubts = aimed === null ? [] : doubtsOf(aimed.name, aimed.isFirst);
    this.#deeds.push({ step, texts, others: aimed?.others ?? [], ...(type === undefined ? {} : { type }), doubts });
  }

  answered({ accepted, text }: { accepted: boolean; text: string | null }): void {
    const action = accepted ? 'accept' : 'dismiss';
    const step: Intent = text === null || text === '' ? { do: 'dialog', action } : { do: 'dialog', action, text };
    this.#deeds.push({ step, texts: [], others: [], doubts: [] });
  }

  went(url: string, tab: number): void {
    this.#goTo(tab, []);
    this.#deeds.push({ step: { do: 'go', url }, texts: [], others: [], doubts: [] });
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
    const last = this.#deeds.at(-1);
    if (last?.step.do !== 'fill') return;
    // The beginning of a password is none, and may well stand in what has nothing to do with it.
    if (isSecret && this.#typing !== null) this.typedSecrets.delete(this.#typing);
    this.#deeds[this.#deeds.length - 1] = { ...last, step: { ...last.step, text: this.#written({ text, isSecret }) } };
  }

  #written({ text, isSecret }: { text: string; isSecret: boolean }): string {
    this.#typing = isSecret ? text : null;
    if (!isSecret) return text;
    const known = Object.entries(this.#secrets.known).find(([, value]) => value === text)?.[0];
    if (known === undefined && text !== '') this.typedSecrets.add(text);
    return `\${${known ?? PASSWORD}}`;
  }

  #isPressing(): boolean {
    const step = this.#deeds.at(-1)?.step;
    return step?.do === 'press' && step.key === PRESSING;
  }

  #goTo(tab: number, texts: readonly string[]): void {
    if (tab === this.#tab) return;
    this.#tab = tab;
    this.#deeds.push({ step: { do: 'switch_tab', index: tab }, texts, others: [], doubts: [] });
  }
}

function doubtsOf(name: string, isFirst: boolean): string[] {
  if (name === '') return ['it has no name'];
  return isFirst ? [] : ['it is not the first of this name, and a step means the first'];
}

/** Most characters of a text that is waited for. */
const LONGEST_TEXT = 60;

/**
 * The deeds as a solution: where new text stood on the page before a deed, it is waited for first.
 * @param shownAtStart texts that were there before anything was done
 * @param shownAtEnd texts that were there when all was done
 */
export function solutionFrom(
  deeds: readonly Deed[],
  shownAtStart: readonly string[],
  shownAtEnd: readonly string[],
): Intent[] {
  const steps: Intent[] = [];
  const seen = new Set(shownAtStart);
  const typed = deeds.flatMap(({ step }) => (step.do === 'fill' ? [step.text] : []));
  const waitFor = (texts: readonly string[]): boolean => {
    const fresh = texts.filter((text) => !seen.has(text));
    for (const text of texts) seen.add(text);
    const text = clearest(fresh, typed);
    if (text !== null) steps.push({ do: 'wait_for', text });
    return text !== null;
  };
  for (const { step, texts } of deeds) {
    if (steps.length > 0) waitFor(texts);
    else for (const text of texts) seen.add(text);
    steps.push(step);
  }
  if (!waitFor(shownAtEnd)) steps.push({ do: 'settle' });
  return steps;
}

/** The text that says best that a page has come: in words, short, and nothing that the user has typed. */
function clearest(texts: readonly string[], typed: readonly string[]): string | null {
  const fit = texts.filter((text) => text.length >= 3 && text.length <= LONGEST_TEXT && /\p{L}{2}/u.test(text));
  const isPlain = (text: string): boolean => !/\d/.test(text) && !typed.some((own) => own !== '' && text.includes(own));
  return fit.find(isPlain) ?? fit[0] ?? null;
}
