import { z } from 'zod';

/** A part of a started page, with the selector by which the judge finds it. */
const SeenElement = z.object({
  selector: z.string(),
  name: z.string(),
  /** Its own text, without that of the elements in it. */
  text: z.string(),
  /** The text next to a control. */
  label: z.string(),
  value: z.string(),
  attributes: z.record(z.string(), z.string()),
});
export type SeenElement = z.infer<typeof SeenElement>;

/** The goal that a started page shows, and the parts of the page that a contract may use. */
export const SeenPage = z.object({
  utterance: z.string().regex(/\S/).max(1_000),
  fields: z.record(z.string(), z.string()),
  elements: z.array(SeenElement),
  /** Lists of the page's own, by the names that it gives them. */
  lists: z.object({
    PATTERNS: z.array(z.array(z.array(z.number()))).optional(),
    SYNONYMS: z.array(z.array(z.string())).optional(),
    COLOR_MAP: z.record(z.string(), z.array(z.string())).optional(),
    ITEMS: z.array(z.string()).optional(),
  }),
  /** The element that covers the centre of the target, if one does. */
  coveredBy: z.string().nullable(),
});
export type SeenPage = z.infer<typeof SeenPage>;

/** Reads a page that has started. It runs at import only, in a browser of its own. */
export function readingScript(target: string | null): string {
  return `((target) => {
    const given = core.getUtterance();
    const { utterance, fields } = typeof given === 'string' ? { utterance: given, fields: {} } : given;
    const lean = (text) => text.replace(/\\s+/g, ' ').trim();
    const selectorOf = (element) => {
      const own = '#' + CSS.escape(element.id);
      if (element.id !== '' && document.querySelectorAll(own).length === 1) return own;
      const place = [...element.parentElement.children].indexOf(element) + 1;
      return selectorOf(element.parentElement) + ' > :nth-child(' + place + ')';
    };
    const ownText = ({ childNodes }) =>
      lean([...childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.data : '')).join(''));
    const labelOf = (element) => {
      let around = element.parentElement;
      while (around.id !== 'area' && lean(around.textContent) === '') around = around.parentElement;
      return around.id === 'area' ? '' : lean(around.textContent);
    };
    const elements = [...document.querySelectorAll('#query *, #area *')].map((element) => ({
      selector: selectorOf(element),
      name: element.localName,
      text: ownText(element),
      label: element.matches('#area input') ? labelOf(element) : '',
      value: typeof element.value === 'string' ? element.value : '',
      attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    }));
    const coverOf = (element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const top = document.elementFromPoint(x + width / 2, y + height / 2);
      return element.contains(top) ? null : top === null ? 'nothing, outside the window' : top.localName + '#' + top.id;
    };
    const found = target === null ? null : document.querySelector(target);
    const { PATTERNS, SYNONYMS, COLOR_MAP, ITEMS } = window;
    return {
      utterance,
      fields: Object.fromEntries(Object.entries(fields ?? {}).map(([name, value]) => [name, String(value)])),
      elements,
      lists: { PATTERNS, SYNONYMS, COLOR_MAP, ITEMS },
      coveredBy: found === null ? null : coverOf(found),
    };
  })(${JSON.stringify(target)})`;
}
