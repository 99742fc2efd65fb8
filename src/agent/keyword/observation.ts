import type { SeenElement, Sight } from '../../task/sight.ts';
import type { ToolReply } from '../../task/tool.ts';

/** The content of a reply, as far as it can be told without knowing the surface. */
export interface Observation extends Sight {
  /** Number of tabs that the reply names, and whether the last of them is in front; null when it names none. */
  tabs: { count: number; isLastInFront: boolean } | null;
  hasDialog: boolean;
}

export const FIELDS = new Set(['textbox', 'searchbox', 'spinbutton']);
export const LISTS = new Set(['combobox', 'listbox', 'select']);
export const CLICKABLE = new Set(
  'button link tab checkbox radio switch treeitem menuitem menuitemcheckbox menuitemradio'.split(' '),
);

// `button "Send" …` as most surfaces have it, `button: Send` as Stagehand does.
const ELEMENT = /(?:^|[\s'[\]])([a-z]+)(?: "((?:[^"\\]|\\.)*)"|: (.+?))(?= \[|$|['\s:])(.*)$/;
// A quote that never ends is read to its end once.
const QUOTED = /"((?:[^"\\]|\\.)*)("|\\?$)/g;
const DIALOG = /\b(?:alert|confirm|prompt|beforeunload)"? dialog\b|\bdialog is open\b|^# Open dialog/im;

/** Return what an agent has before it: the surface's own list of what it showed, else what the lines of its reply say. */
export function seenIn({ text }: ToolReply, sight: Sight | null): Observation {
  if (sight === null) return observe(text);
  // Above the page stands what is not of the page.
  const [head = ''] = text.split('\n\n', 1);
  return { ...observe(head), ...sight };
}

/** Reads a reply line by line, whatever surface it is from: roles and names stand in it, tabs, dialogs, and plain text. */
export function observe(reply: string): Observation {
  const elements: SeenElement[] = [];
  const texts: string[] = [];
  let list: SeenElement | null = null;
  for (const line of linesOf(reply)) {
    const element = elementIn(line);
    if (element?.role === 'option') list?.options.push(element.name);
    else if (element !== null) {
      list = LISTS.has(element.role) ? element : null;
      if (!element.isDisabled) elements.push(element);
    }
    const text = textIn(line);
    if (text !== '') texts.push(text);
  }
  return { elements, texts, tabs: tabsIn(reply), hasDialog: DIALOG.test(reply) };
}

/** Without any end of a line in them, which a pattern for the rest of a line would stop at. */
function linesOf(reply: string): string[] {
  return reply.split(/\r\n|[\n\r\u2028\u2029]/);
}

function elementIn(line: string): (SeenElement & { isDisabled: boolean }) | null {
  const [, role = '', quoted, plain = '', rest = ''] = ELEMENT.exec(line) ?? [];
  const name = quoted === undefined ? plain.trim() : unquoted(quoted);
  const isKnown = FIELDS.has(role) || LISTS.has(role) || CLICKABLE.has(role) || role === 'option';
  return isKnown && name !== '' ? { role, name, options: [], isDisabled: /\bdisabled\b/.test(rest) } : null;
}

function unquoted(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

/** Return the text of a line: what stands in quotes, else what stands behind the colon. */
function textIn(line: string): string {
  const quoted = [...line.matchAll(QUOTED)].flatMap(([, text = '', end]) =>
    end === '"' && text !== '' ? unquoted(text) : [],
  );
  const behind = /(?:\]|\w): (.+)$/.exec(line)?.[1] ?? '';
  return [...quoted, behind].join(' ').trim();
}

/** `Tabs: 0: …, 1 (current): …` in one line, or a line for each: `- 1: (current) …`, `2: … [selected]`. */
function tabsIn(reply: string): Observation['tabs'] {
  const inOne = /^Tabs: (.*)$/m.exec(reply)?.[1]?.split(/, (?=\d+(?: \([^()]*\))?: )/);
  const tabs = inOne ?? linesOf(reply).filter((line) => /^(?:- )?\d+: .*\w:/.test(line));
  const last = tabs.at(-1);
  return last === undefined ? null : { count: tabs.length, isLastInFront: /\(current|\[selected\]/.test(last) };
}
