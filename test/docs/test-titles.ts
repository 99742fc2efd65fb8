import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Stands between the name of a group of tests and what is in it. */
const INSIDE = ' › ';

/** What a test file says of its tests. */
export interface TestTitles {
  /** Full names, with the placeholders of `test.each` as they are written, for example `a page that %s gains nothing`. */
  titles: string[];
  /** Texts in the file and in those of the same folder that it imports: what a placeholder may stand for. */
  texts: Set<string>;
}

/** Reads the names of tests from their source, without running any of it. */
export function titlesIn(file: string): TestTitles {
  const source = sourceOf(file);
  const titles: string[] = [];
  collect(source, [], titles);
  const imported = source.statements.flatMap((each) => {
    if (!ts.isImportDeclaration(each) || !ts.isStringLiteral(each.moduleSpecifier)) return [];
    const { text } = each.moduleSpecifier;
    return text.startsWith('./') ? [path.join(path.dirname(file), text)] : [];
  });
  const sources = [source, ...imported.filter((each) => existsSync(each)).map(sourceOf)];
  return { titles, texts: new Set(sources.flatMap(textsIn)) };
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

function sourceOf(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

function collect(node: ts.Node, groups: readonly string[], titles: string[]): void {
  const called = ts.isCallExpression(node) ? declared(node) : null;
  if (called?.kind === 'test') titles.push([...groups, called.title].join(INSIDE));
  const inside = called?.kind === 'describe' ? [...groups, called.title] : groups;
  ts.forEachChild(node, (child) => {
    collect(child, inside, titles);
  });
}

/** `test('…')`, `it.each(…)('…')` and the like. */
function declared({ expression, arguments: [title] }: ts.CallExpression) {
  if (title === undefined || !ts.isStringLiteralLike(title)) return null;
  const each = ts.isCallExpression(expression) ? expression.expression : null;
  const base = each !== null && ts.isPropertyAccessExpression(each) ? each.expression : expression;
  if (!ts.isIdentifier(base) || !['test', 'it', 'describe'].includes(base.text)) return null;
  return { kind: base.text === 'describe' ? ('describe' as const) : ('test' as const), title: title.text };
}

function textsIn(source: ts.SourceFile): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isIdentifier(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}
