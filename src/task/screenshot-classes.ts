import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import type { Problem } from '../contract/validation/problem.ts';
import { contractTree } from '../contract/validation/tree.ts';
import type { Task } from './schema.ts';

interface Reference {
  classId: string;
  path: (string | number)[];
}

/** Image files by class, sorted. */
export type Exemplars = Record<string, string[]>;

export function classReferences(task: Task): Reference[] {
  return (['success', 'guards'] as const).flatMap((field) =>
    contractTree(task[field]).visits.flatMap(({ node, path }) =>
      node['kind'] === 'screenshot_class' && typeof node['class_id'] === 'string'
        ? [{ classId: node['class_id'], path: [field, ...path, 'class_id'] }]
        : [],
    ),
  );
}

/** @param folder null if the suite names none */
export async function findExemplars(
  task: Task,
  folder: string | null,
): Promise<{ exemplars: Exemplars; problems: Problem[] }> {
  const exemplars: Exemplars = {};
  const problems: Problem[] = [];
  for (const { classId, path } of classReferences(task)) {
    const files = folder === null ? [] : await imagesIn(join(folder, classId));
    if (files.length > 0) exemplars[classId] = files;
    else problems.push({ path, what: missing(classId, folder) });
  }
  return { exemplars, problems };
}

function missing(classId: string, folder: string | null): Fact {
  return fact('exemplars_missing', { class_id: classId, folder: folder === null ? '' : join(folder, classId) });
}

async function imagesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.png')).map(({ name }) => name);
  return names.toSorted().map((name) => join(folder, name));
}
