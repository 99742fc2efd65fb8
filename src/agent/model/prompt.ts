/** What a model is told, by the name of its section in the file. */
export type Prompt = Record<(typeof SECTIONS)[number], string>;

const SECTIONS = ['system', 'task', 'done', 'give_up', 'no_call', 'cut_off'] as const;

/**
 * Reads a prompt file: Markdown, a section for each thing that is said.
 * @throws Error naming the section that is missing.
 */
export function parsePrompt(text: string): Prompt {
  const [, ...parts] = text.split(/^## /m);
  const sections = new Map(parts.map((part) => [part.split('\n', 1)[0]?.trim(), part.replace(/^.*\n/, '').trim()]));
  const section = (name: (typeof SECTIONS)[number]): string => {
    const found = sections.get(name);
    if (found === undefined || found === '') throw new Error(`the prompt has no section "## ${name}"`);
    return found;
  };
  return {
    system: section('system'),
    task: section('task'),
    done: section('done'),
    give_up: section('give_up'),
    no_call: section('no_call'),
    cut_off: section('cut_off'),
  };
}

/** Puts values into a section; what stands in a value is not looked at again. */
export function filled(section: string, values: Readonly<Record<string, string | number>>): string {
  return section.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole));
}
