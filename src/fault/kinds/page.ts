import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  type FaultKind,
  whyNotInCalls,
  id,
  Milliseconds,
  NamedElement,
  type Injection,
  type FaultOutcome,
  type ShownReply,
} from '../fault-kind.ts';
import { PageEditor } from './page-editor.ts';
import type { BrowserPort, Dialog, FaultPorts } from '../ports.ts';

const FIELDS = {
  /** Absent: drawn from those that the task's solution acts on. */
  element: NamedElement.optional(),
  /** From the beginning of the next call. */
  ms: Milliseconds.default(1_500),
};
const Written = z.strictObject({ id, ...FIELDS });
const Armed = Written.extend({
  element: NamedElement,
  /** The word of an injected order. */
  canary: z.string().optional(),
});
type Written = z.infer<typeof Written>;
export type ArmedPageFault = z.infer<typeof Armed>;

export interface PageChange {
  script: string;
  text?: string | ((fault: ArmedPageFault) => string);
  /** For a change that only opens a dialog, until it is answered: which one is its own, and whether it opens by itself. */
  dialog?: { isOwn: (dialog: Dialog) => boolean; opensItself: boolean };
}

const DIALOG_MS = 2_000;
const LOOK_MS = 20;

/**
 * A kind that changes the page at a named element, once the agent has been shown it.
 * @param order how it is injected, if it orders something by a drawn word
 */
export function pageKind<const K extends string>(
  kind: K,
  about: string,
  change: PageChange,
  order?: (fault: ArmedPageFault, outcome: FaultOutcome, ports: FaultPorts) => Injection,
) {
  const own = { kind: z.literal(kind) };
  return {
    kind,
    where: 'page',
    about,
    schema: Written.extend(own),
    armed: Armed.extend(own),
    givesOrder: order !== undefined,
    whyNot: (entrant) =>
      whyNotInCalls(kind, entrant) ??
      (entrant.showsPages ? null : 'the surface shows no pages, so no element is ever observed'),
    draw: (fault, by, touched) => {
      const element = fault.element ?? touched[by.index('element', Math.max(1, touched.length))];
      if (element === undefined)
        return { impossible: "the fault names no element, and the task's solution acts on none" };
      return { element, ...(order === undefined ? {} : { canary: `canary-${by.word()}` }) };
    },
    inject: (fault, outcome, ports) =>
      order?.(fault, outcome, ports) ?? new PageInjection(change, fault, outcome, ports.browser),
  } as const satisfies FaultKind<Written & { kind: K }, ArmedPageFault & { kind: K }>;
}

export class PageInjection implements Injection {
  readonly #change: PageChange;
  readonly #fault: ArmedPageFault;
  readonly #outcome: FaultOutcome;
  readonly #editor: PageEditor;
  /** Runs from the first call after it was injected. */
  #timer: NodeJS.Timeout | null = null;
  #ending: Promise<void> = Promise.resolve();

  constructor(change: PageChange, fault: ArmedPageFault, outcome: FaultOutcome, browser: BrowserPort) {
    this.#change = change;
    this.#fault = fault;
    this.#outcome = outcome;
    this.#editor = new PageEditor(browser);
  }

  get isDone(): boolean {
    return this.#editor.tab !== null;
  }

  beforeCall(): Promise<void> {
    if (this.#change.dialog === undefined && this.#outcome.hasFired && this.#timer === null) {
      this.#timer = setTimeout(() => {
        this.#ending = this.#over('time');
      }, this.#fault.ms);
    }
    return Promise.resolve();
  }

  async afterCall(number: number, reply: ShownReply): Promise<void> {
    this.#followDialog(number);
    if (this.isDone || !this.#isShown(reply)) return;
    const { script, dialog, text = '' } = this.#change;
    const written = typeof text === 'string' ? text : text(this.#fault);
    if (!(await this.#editor.run(script, written, this.#fault.element))) return;
    if (dialog === undefined) this.#outcome.fire({ call: number, command: 'Runtime.callFunctionOn' });
    if (dialog?.opensItself === true) await this.#dialogOpens();
    this.#followDialog(number);
  }

  async end(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#ending;
    this.#followDialog(null);
    const open = this.#editor.tab?.dialog ?? null;
    if (open !== null && this.#change.dialog?.isOwn(open) === true) await this.#editor.acceptDialog();
    await this.#over('harness');
  }

  async #over(by: 'time' | 'harness'): Promise<void> {
    await this.#editor.undo();
    this.#outcome.clear(by);
  }

  /** By the name in its text, or by a picture. */
  #isShown({ ok, text, image }: ShownReply): boolean {
    return ok && (image !== undefined || text.includes(this.#fault.element.name));
  }

  /** It fires when it opens, and is over when it is answered. */
  #followDialog(call: number | null): void {
    const { dialog, lastDialog } = this.#editor.tab ?? { dialog: null, lastDialog: null };
    if (lastDialog === null || this.#change.dialog?.isOwn(lastDialog) !== true) return;
    this.#outcome.fire({ command: 'Page.javascriptDialogOpening', ...(call === null ? {} : { call }) });
    if (dialog === null) this.#outcome.clear('agent');
  }

  async #dialogOpens(): Promise<void> {
    const giveUpAt = performance.now() + DIALOG_MS;
    while (performance.now() < giveUpAt && (this.#editor.tab?.lastDialog ?? null) === null) await sleep(LOOK_MS);
  }
}

const STYLE = 'position:fixed;inset:0;z-index:2147483647;background:#ddd;color:#222;font:24px sans-serif;padding:20%';

const TEXT = 'Your session is being renewed.';

export const PAGE_KINDS = [
  pageKind('rerendered', 'the element is gone for a time', {
    script: `() => {
    const gap = page.createComment('');
    element.replaceWith(gap);
    return () => { if (gap.isConnected) gap.replaceWith(element); };
  }`,
  }),
  pageKind('renamed', 'the element has another name for a time', {
    text: 'Continue',
    script: `() => {
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== '');
    const before = texts.map((node) => node.data);
    const undo = attribute('aria-label', text);
    if (texts.length > 0) texts[0].data = text;
    return () => { undo(); texts.forEach((node, index) => { node.data = before[index]; }); };
  }`,
  }),
  pageKind('covered', 'something covers the whole page for a time', {
    text: 'One moment, please…',
    script: `() => added('div', '${STYLE}', page.documentElement)`,
  }),
  pageKind('disabled', 'the element is disabled for a time', {
    script: `() => {
    if (!('disabled' in element)) { const undo = [attribute('aria-disabled', 'true'), swallow()]; return () => undo.forEach((each) => each()); }
    const before = element.disabled;
    element.disabled = true;
    return () => { element.disabled = before; };
  }`,
  }),
  pageKind('moved', 'the element is shown elsewhere for a time', {
    script: `() => {
    const before = element.style.cssText;
    element.style.setProperty('transform', 'translate(30px, 60px)', 'important');
    return () => { element.style.cssText = before; };
  }`,
  }),
  pageKind('reordered', 'the list that contains the element is in reverse order for a time', {
    script: `() => {
    let list = element.parentElement;
    while (list !== null && list.children.length < 2) list = list.parentElement;
    const order = [...(list === null ? [] : list.childNodes)];
    for (const node of order) list.prepend(node);
    return () => { if (order.every((node) => node.parentNode === list)) list.append(...order); };
  }`,
  }),
  pageKind('late_hydration', 'the element is shown, but takes no events for a time', {
    script: 'swallow',
  }),
  pageKind('modal', 'a dialog opens, and the page waits for an answer', {
    text: TEXT,
    script: '() => { setTimeout(() => { alert(text); }, 0); return () => {}; }',
    dialog: { isOwn: ({ message }) => message === TEXT, opensItself: true },
  }),
  pageKind('beforeunload', 'leaving the page opens a dialog, which fires the fault', {
    text: 'Changes may be lost.',
    script: `() => {
    const hold = (event) => { event.preventDefault(); event.returnValue = text; };
    addEventListener('beforeunload', hold);
    return () => { removeEventListener('beforeunload', hold); };
  }`,
    dialog: { isOwn: ({ type }) => type === 'beforeunload', opensItself: false },
  }),
] as const;
