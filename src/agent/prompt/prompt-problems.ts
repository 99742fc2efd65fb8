import { messageOf } from '../../contract/message-of.ts';
import { literalsOf } from '../../task/literals.ts';
import type { FileProblem } from '../../task/source/source.ts';
import type { Task } from '../../task/schema.ts';
import { parsePrompt, PLACEHOLDERS } from './prompt.ts';

/** All that a prompt may name in backticks: what ends an episode, and the fields of that and of a plan. */
const KNOWN = new Set(['done', 'give_up', 'answer', 'not_possible', 'reason', 'calls', 'tool', 'args']);

/**
 * What is wrong with a prompt file: a section that is missing, a placeholder that nobody fills in, a tool that is not the
 * agent's own (one prompt serves every surface), and a literal of a task, which would be an answer in a prompt.
 */
export function promptProblems(file: string, text: string, tasks: readonly Task[]): FileProblem[] {
  const found = (index: number, message: string): FileProblem => {
    const line = text.slice(0, index).split('\n').length;
    return { file, line, column: null, path: [], message };
  };
  try {
    parsePrompt(text);
  } catch (error) {
    return [{ file, line: null, column: null, path: [], message: messageOf(error) }];
  }
  // What stands before the first section is for people.
  const start = text.search(/^## /m);
  const said = [...text.matchAll(/\{\{(\w+)\}\}|`([A-Za-z_][\w-]*)`/g)].filter(({ index }) => index > start);
  const strange = said.flatMap(({ index, 1: placeholder, 2: name }) => {
    if (placeholder !== undefined && !isFilledIn(placeholder, sectionAt(text, index))) {
      return [found(index, `nobody fills in {{${placeholder}}} here`)];
    }
    if (name === undefined || KNOWN.has(name)) return [];
    return [found(index, `\`${name}\` is no tool that every surface has; describe what is to be done instead`)];
  });
  const given = tasks.flatMap((task) =>
    [...literalsOf(task)].flatMap((literal) =>
      placesOf(literal, text)
        .filter((index) => index > start)
        .map((index) => found(index, `${JSON.stringify(literal)} is a literal of the task "${task.id}"; leave it out`)),
    ),
  );
  return [...strange, ...given];
}

function isFilledIn(placeholder: string, section: string): boolean {
  return PLACEHOLDERS.some(([name, fields]) => name === section && fields.includes(placeholder));
}

function sectionAt(text: string, index: number): string {
  return [...text.slice(0, index).matchAll(/^## (.*)$/gm)].at(-1)?.[1]?.trim() ?? '';
}

function isWord(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}]/u.test(sign);
}

/** Where a text stands as a whole, and not within a longer word or number. */
function placesOf(literal: string, text: string): number[] {
  const places: number[] = [];
  const flat = text.replaceAll(/\s/g, ' ');
  for (let at = flat.indexOf(literal); at !== -1; at = flat.indexOf(literal, at + 1)) {
    const isWithin =
      (isWord(flat[at - 1]) && isWord(literal[0])) || (isWord(flat[at + literal.length]) && isWord(literal.at(-1)));
    if (!isWithin) places.push(at);
  }
  return places;
}
