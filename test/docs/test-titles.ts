import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Argument, type CallExpression, parseSync, type Program, Visitor } from 'oxc-parser';

/** Separates the name of a group of tests from its content. */
const INSIDE = ' › ';

export interface TestTitles {
  /** Full names, with the placeholders of `test.each` as they are written, for example `a page that %s gains nothing`. */
  titles: string[];
  /** Texts in the file and in those of the same folder that it imports: what a placeholder may stand for. */
  texts: Set<string>;
}

export function titlesIn(file: string): TestTitles {
  const source = sourceOf(file);
  const imported = source.body.flatMap((each) => {
    if (each.type !== 'ImportDeclaration' || !each.source.value.startsWith('./')) return [];
    return [path.join(path.dirname(file), each.source.value)];
  });
  const sources = [source, ...imported.filter((each) => existsSync(each)).map(sourceOf)];
  return { titles: titlesOf(source), texts: new Set(sources.flatMap(textsIn)) };
}

/** Whether there is a test of exactly this name, each `%s` in it filled with a text of its file. */
export function hasTest({ titles, texts }: TestTitles, name: string): boolean {
  return titles.some((title) => {
    const parts = title.split(/(%[sdij#]|\$\w+)/);
    const pattern = parts
      .map((part, at) => (at % 2 === 0 ? part.replaceAll(/[^\w\s]/g, String.raw`\$&`) : '(.+)'))
      .join('');
    const filled = new RegExp(`^${pattern}$`).exec(name)?.slice(1);
    const placeholders = parts.filter((_, at) => at % 2 === 1);
    return filled?.every((text, at) => placeholders[at] !== '%s' || texts.has(text)) ?? false;
  });
}

function sourceOf(file: string): Program {
  return parseSync(file, readFileSync(file, 'utf8')).program;
}

function titlesOf(source: Program): string[] {
  const titles: string[] = [];
  const groups: string[] = [];
  new Visitor({
    CallExpression: (node) => {
      const called = declared(node);
      if (called?.kind === 'test') titles.push([...groups, called.title].join(INSIDE));
      if (called?.kind === 'describe') groups.push(called.title);
    },
    'CallExpression:exit': (node) => {
      if (declared(node)?.kind === 'describe') groups.pop();
    },
  }).visit(source);
  return titles;
}

/** `test('…')`, `it.each(…)('…')` and the like. */
function declared({ callee, arguments: [first] }: CallExpression) {
  const title = first === undefined ? null : plainText(first);
  if (title === null) return null;
  const each = callee.type === 'CallExpression' ? callee.callee : null;
  const base = each?.type === 'MemberExpression' ? each.object : callee;
  if (base.type !== 'Identifier' || !['test', 'it', 'describe'].includes(base.name)) return null;
  return { kind: base.name === 'describe' ? ('describe' as const) : ('test' as const), title };
}

/** The text of a literal, or of a template with nothing filled in. */
function plainText(node: Argument): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return null;
  return node.quasis[0]?.value.cooked ?? null;
}

function textsIn(source: Program): string[] {
  const texts: string[] = [];
  const take = (text: string | null): void => {
    if (text !== null) texts.push(text);
  };
  new Visitor({
    Literal: (node) => take(plainText(node)),
    TemplateLiteral: (node) => take(plainText(node)),
    Identifier: ({ name }) => take(name),
  }).visit(source);
  return texts;
}
