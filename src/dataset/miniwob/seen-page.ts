import { z } from 'zod';

/** The goal that a started page shows, and the parts of the page that a contract may use. */
export const SeenPage = z.object({
  utterance: z.string().regex(/\S/).max(1_000),
  fields: z.record(z.string(), z.string()),
  /** Boxes, radio buttons and options, each with the selector by which the judge finds it. */
  choices: z.array(z.object({ selector: z.string(), label: z.string() })),
  numbers: z.array(z.number()),
  /** The element that covers the centre of the target, if one does. */
  coveredBy: z.string().nullable(),
});
export type SeenPage = z.infer<typeof SeenPage>;

/** Reads a page that has started. It runs at import only, in a browser of its own. */
export function readingScript(target: string | null): string {
  return `((target) => {
    const given = core.getUtterance();
    const { utterance, fields } = typeof given === 'string' ? { utterance: given, fields: {} } : given;
    const boxes = [...document.querySelectorAll('#area input:is([type=checkbox], [type=radio])[id]')].map((box) => ({
      selector: '#' + box.id,
      label: box.closest('label')?.textContent.trim() ?? '',
    }));
    const options = [...document.querySelectorAll('#options option')].map((option, at) => ({
      selector: '#options option:nth-child(' + (at + 1) + ')',
      label: option.textContent.trim(),
    }));
    const coverOf = (element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const top = document.elementFromPoint(x + width / 2, y + height / 2);
      return element.contains(top) ? null : top === null ? 'nothing, outside the window' : top.localName + '#' + top.id;
    };
    const found = target === null ? null : document.querySelector(target);
    return {
      utterance,
      fields: Object.fromEntries(Object.entries(fields ?? {}).map(([name, value]) => [name, String(value)])),
      choices: [...boxes, ...options],
      numbers: [...document.querySelectorAll('.display-number')].map((each) => Number(each.textContent)),
      coveredBy: found === null ? null : coverOf(found),
    };
  })(${JSON.stringify(target)})`;
}
