import path from 'node:path';
import { Document, isMap, isScalar, isSeq, visit } from 'yaml';
import { printable } from '../messages/printable.ts';
import type { Task } from '../task/schema.ts';

/** Most characters of a map on one line. */
const LINE = 110;

/** Comments in the file of a recorded task. */
export interface Findings {
  /** The line that names the schema to editors. */
  hint: string;
  /** Things to check, each on a line. */
  remarks: readonly string[];
}

/** Draws the file of a task. Text from the page is always a value, which the library quotes. */
export function recordedTaskText(task: Task, { hint, remarks }: Findings): string {
  const { id, title, startUrl, goal, auth, maxSteps, success, guards, solutions = [], nearMisses } = task;
  const value = {
    id,
    title,
    startUrl,
    goal,
    ...(auth === undefined ? {} : { auth }),
    ...(maxSteps === 30 ? {} : { maxSteps }),
    success,
    ...(guards === undefined ? {} : { guards }),
    solutions: solutions.map(({ steps }) => ({ steps })),
    ...(nearMisses === undefined ? {} : { nearMisses }),
  };
  const document = new Document(value);
  visit(document, {
    Map: (_key, node) => {
      const hasSteps = node.items.some(({ value: inner }) => isSeq(inner) && inner.items.some((item) => isMap(item)));
      const isTop = node === document.contents;
      if (!hasSteps && !isTop && JSON.stringify(node.toJSON()).length <= LINE) node.flow = true;
    },
    Seq: (_key, node) => {
      if (node.items.every((item) => isScalar(item))) node.flow = true;
    },
  });
  const head = [
    'Recorded by "touchstone record-task". Contract, guards and near-misses are proposals, made from what changed:',
    'read them before you rely on them. Does success ask for all that the goal asks for, and for nothing else?',
    'May nothing else change than what guards except? What else would a hasty agent do wrong?',
    ...remarks,
  ];
  const comment = head.map((line) => `# ${printable(line)}\n`).join('');
  return `${hint}${comment}${document.toString({ lineWidth: 0, flowCollectionPadding: true })}`;
}

/** Returns the folder in which a pattern of the suite finds a new task file; null if the suite lists files one by one. */
export function folderForTasks(patterns: readonly string[]): string | null {
  const wide = patterns.find(
    (pattern) => /(?:^|\/)\*(?:\.ya?ml)?$/.test(pattern) && !/[*?]/.test(path.posix.dirname(pattern)),
  );
  return wide === undefined ? null : path.posix.dirname(wide);
}

export function idFrom(goal: string): string {
  const words = goal
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '');
  return words === '' ? 'recorded-task' : words;
}
