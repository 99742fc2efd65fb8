import { readFileSync } from 'node:fs';
import type { Language } from '../../apps/invoice/seed-book.ts';

interface Control {
  id: string;
  label_i18n: Record<Language, string>;
}

const MANIFEST = new URL('../../apps/invoice/manifest.json', import.meta.url);
const { elements }: { elements: Control[] } = JSON.parse(readFileSync(MANIFEST, 'utf8'));

/** The name of a control of the app in a language, for example of `line.remove.{line}` with `{ line: 3 }`. */
export function nameOf(id: string, language: Language, values: Record<string, string | number> = {}): string {
  const control = elements.find((each) => each.id === id);
  if (control === undefined) throw new Error(`the app has no control ${id}`);
  return control.label_i18n[language].replaceAll(/\{(\w+)\}/g, (_whole, name: string) => String(values[name]));
}
