/** The texts for a model, by their section in the file. */
export type Prompt = Record<(typeof SECTIONS)[number], string>;

const SECTIONS = [
  'system',
  'multi_turn',
  'one_shot',
  'task',
  'material',
  'done',
  'give_up',
  'no_call',
  'cut_off',
] as const;

/** The placeholders that are filled in, by section. */
export const PLACEHOLDERS: readonly (readonly [section: keyof Prompt, names: readonly string[]])[] = [
  ['task', ['goal', 'start_url', 'max_steps']],
  ['material', ['tools', 'observation']],
];

/** The placeholders that every prompt must have. */
const NEEDED: readonly (readonly [section: keyof Prompt, name: string])[] = [
  ['task', 'goal'],
  ['material', 'tools'],
  ['material', 'observation'],
];

/** Reads a prompt file: Markdown with a section for each text. @throws Error naming a missing section or placeholder */
export function parsePrompt(text: string): Prompt {
  const [, ...parts] = text.split(/^## /m);
  const sections = new Map(parts.map((part) => [part.split('\n', 1)[0]?.trim(), part.replace(/^.*\n/, '').trim()]));
  const section = (name: (typeof SECTIONS)[number]): string => {
    const found = sections.get(name);
    if (found === undefined || found === '') throw new Error(`the prompt has no section "## ${name}"`);
    return found;
  };
  for (const [name, placeholder] of NEEDED) {
    if (section(name).includes(`{{${placeholder}}}`)) continue;
    throw new Error(`the section "## ${name}" of the prompt has no {{${placeholder}}}`);
  }
  return {
    system: section('system'),
    multi_turn: section('multi_turn'),
    one_shot: section('one_shot'),
    task: section('task'),
    material: section('material'),
    done: section('done'),
    give_up: section('give_up'),
    no_call: section('no_call'),
    cut_off: section('cut_off'),
  };
}

/** Fills in placeholders; those in a value stay. */
export function filled(section: string, values: Readonly<Record<string, string | number>>): string {
  return section.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole));
}
