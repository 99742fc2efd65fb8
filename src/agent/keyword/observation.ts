interface SeenElement {
  role: string;
  name: string;
  /** The options of a list, in order; empty for other roles. */
  options: string[];
}

/** The content of a reply of the surface `aria`. */
export interface Observation {
  /** Enabled elements with a name, in page order. */
  elements: SeenElement[];
  texts: string[];
  /** Number of tabs, and whether the last of them is in front; null when the reply lists none. */
  tabs: { count: number; isLastInFront: boolean } | null;
  hasDialog: boolean;
}

export const FIELDS = new Set(['textbox', 'searchbox', 'spinbutton']);
export const LISTS = new Set(['combobox', 'listbox']);
export const CLICKABLE = new Set(
  'button link tab checkbox radio switch treeitem menuitem menuitemcheckbox menuitemradio'.split(' '),
);

const ELEMENT = /(?:^|[\s'[\]])([a-z]+) "((?:[^"\\]|\\.)*)"(?= \[|$|['\s:])(.*)$/;
// An open quote is read to the end of the line once.
const QUOTED = /"((?:[^"\\]|\\.)*)("|\\?$)/g;
const DIALOG = /^(?:alert|confirm|prompt|beforeunload) dialog:/m;

export function observe(reply: string): Observation {
  const elements: SeenElement[] = [];
  const texts: string[] = [];
  let list: SeenElement | null = null;
  for (const line of reply.split(/\r\n|[\n\r\u2028\u2029]/)) {
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

function elementIn(line: string): (SeenElement & { isDisabled: boolean }) | null {
  const [, role = '', quoted = '', rest = ''] = ELEMENT.exec(line) ?? [];
  const isKnown = FIELDS.has(role) || LISTS.has(role) || CLICKABLE.has(role) || role === 'option';
  if (!isKnown || quoted === '') return null;
  return { role, name: unquoted(quoted), options: [], isDisabled: /\bdisabled\b/.test(rest) };
}

function unquoted(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

/** Returns the quoted texts of a line and the text after its colon. */
function textIn(line: string): string {
  const quoted = [...line.matchAll(QUOTED)].flatMap(([, text = '', end]) =>
    end === '"' && text !== '' ? unquoted(text) : [],
  );
  const rest = /(?:\]|\w): (.+)$/.exec(line)?.[1] ?? '';
  return [...quoted, rest].join(' ').trim();
}

function tabsIn(reply: string): Observation['tabs'] {
  const tabs = /^Tabs: (.*)$/m.exec(reply)?.[1]?.split(/, (?=\d+(?: \([^()]*\))?: )/);
  const last = tabs?.at(-1);
  return tabs === undefined || last === undefined
    ? null
    : { count: tabs.length, isLastInFront: last.includes('(current') };
}
