import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { messageOf } from '../contract/message-of.ts';
import { folded, type Span, placesOf, literalsOf } from '../task/literals.ts';
import type { FileProblem } from '../task/source/source.ts';
import type { Brief } from '../task/brief.ts';
import type { Task } from '../task/schema.ts';

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

const PLACEHOLDERS: readonly (readonly [section: keyof Prompt, names: readonly string[]])[] = [
  ['task', ['goal', 'start_url', 'max_steps']],
  ['material', ['tools', 'observation']],
];

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

export function taskText({ task }: Prompt, { goal, startUrl, caps, files = [] }: Brief): string {
  const text = filled(task, { goal, start_url: startUrl, max_steps: caps.steps });
  return files.length === 0 ? text : `${text}\n\nFiles: ${files.join(', ')}`;
}

export function filled(section: string, values: Readonly<Record<string, string | number>>): string {
  return section.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The names that a prompt may use: the tools that end an episode, their fields, and those of a plan. */
const KNOWN = new Set(['done', 'give_up', 'answer', 'not_possible', 'reason', 'calls', 'tool', 'args']);

/** A placeholder, or a name: in backticks, in quotation marks, or joined by hyphens or underscores. */
const NAMES =
  /\{\{(\w+)\}\}|`([A-Za-z_][\w-]*)`|["“”„«]([^"“”„«»\n]*)["“”»]|(?<![\p{L}\p{N}])'([^'\n]*)'(?![\p{L}\p{N}])|([\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)+)/gu;

interface Found extends Span {
  what: Fact;
}

/**
 * Finds the problems of a prompt file: a missing section, an unknown placeholder, a name that is not the agent's own (one prompt serves
 * every surface and app), and a literal of a task, which would give an answer away.
 */
export function promptProblems(file: string, text: string, tasks: readonly Task[]): FileProblem[] {
  try {
    parsePrompt(text);
  } catch (error) {
    return [{ file, line: null, column: null, path: [], what: fact('as_written', { text: messageOf(error) }) }];
  }
  const given = literalsIn(text, tasks);
  const strange = namesIn(text).filter(({ from, to }) => !given.some((each) => each.from <= from && to <= each.to));
  // The text before the first section is not part of the prompt.
  const start = text.search(/^## /m);
  return [...strange, ...given]
    .filter(({ from }) => from > start)
    .map(({ from, what }) => ({ file, line: text.slice(0, from).split('\n').length, column: null, path: [], what }));
}

/** Names and placeholders that no surface, app or section has, outside headings. */
function namesIn(text: string): Found[] {
  const names = [...text.replaceAll(/^## .*$/gm, (heading) => ' '.repeat(heading.length)).matchAll(NAMES)];
  return names.flatMap(({ index, 0: whole, 1: placeholder, 2: ticked, 3: quoted, 4: single, 5: joined }) => {
    const found = (what: Fact): Found[] => [{ from: index, to: index + whole.length, what }];
    if (placeholder !== undefined) {
      if (isFilledIn(placeholder, sectionAt(text, index))) return [];
      return found(fact('prompt_placeholder', { placeholder: `{{${placeholder}}}` }));
    }
    const name = ticked ?? quoted ?? single ?? joined ?? '';
    if (KNOWN.has(name) || !/\p{L}/u.test(name)) return [];
    return found(fact('prompt_name', { name: whole, ticked: ticked !== undefined }));
  });
}

function literalsIn(text: string, tasks: readonly Task[]): Found[] {
  const holders = new Map<string, Set<string>>();
  for (const task of tasks) {
    for (const literal of literalsOf(task)) {
      holders.set(literal, (holders.get(literal) ?? new Set()).add(task.id));
    }
  }
  const sought = folded(text);
  return [...holders].flatMap(([literal, ids]) => {
    const [task = '', ...others] = ids;
    const what = fact('prompt_literal', { literal: JSON.stringify(literal), task, more: others.length });
    return placesOf(literal, sought).map((place) => ({ ...place, what }));
  });
}

function isFilledIn(placeholder: string, section: string): boolean {
  return PLACEHOLDERS.some(([name, fields]) => name === section && fields.includes(placeholder));
}

function sectionAt(text: string, index: number): string {
  return [...text.slice(0, index).matchAll(/^## (.*)$/gm)].at(-1)?.[1]?.trim() ?? '';
}
