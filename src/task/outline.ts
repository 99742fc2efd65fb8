import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { z } from 'zod';
import { candidatesIn, expandInstances } from './expand-instances.ts';
import { readSource } from './source/read-source.ts';
import type { ReadSource } from './source/source.ts';
import { parseText } from './source/text.ts';
import { suiteFileIn } from './suite-file.ts';
import { resolveTaskFiles } from './suite-paths.ts';

export interface SuiteOutline {
  id: string;
  title: string;
  tasks: { task: TaskOutline }[];
}

const TaskOutline = z.object({
  id: z.string(),
  title: z.string(),
  category: z.string().optional(),
  instance: z.object({ name: z.string() }).optional(),
});
type TaskOutline = z.infer<typeof TaskOutline>;

const SuiteHead = z.object({ id: z.string(), title: z.string(), tasks: z.array(z.string()) });

const READ = new Set([...Object.keys(TaskOutline.shape), 'instances']);

/**
 * The names and titles of a suite and its tasks. Contracts are not checked, so use this only for suites that were checked
 * before: it is five times as fast.
 * @returns null if the suite is malformed; `loadSuite` lists the problems.
 */
export async function outlineSuite(folder: string): Promise<SuiteOutline | null> {
  const file = suiteFileIn(folder);
  const read = file === null ? null : await readSource(file);
  const head = SuiteHead.safeParse(read?.ok === true ? read.value.value : null);
  if (!head.success) return null;
  const { files, problems } = await resolveTaskFiles(folder, head.data.tasks);
  const tasks = await Promise.all(files.map(outlineTasks));
  const all = tasks.flatMap((ofFile) => ofFile ?? []);
  if (problems.length > 0 || tasks.includes(null)) return null;
  return { id: head.data.id, title: head.data.title, tasks: all.map((task) => ({ task })) };
}

async function outlineTasks(file: string): Promise<TaskOutline[] | null> {
  const read = await readFields(file);
  if (!read.ok) return null;
  const values = candidatesIn(read.value.value).flatMap(({ value }): unknown[] => {
    const expanded = expandInstances(value);
    return expanded.ok ? expanded.value.map((each) => each.value) : [null];
  });
  const parsed = z.array(TaskOutline).safeParse(values);
  return parsed.success ? parsed.data : null;
}

async function readFields(file: string): Promise<ReadSource> {
  if (!['.yaml', '.yml'].includes(extname(file))) return await readSource(file);
  const fields = fieldsIn(await readFile(file, 'utf8'));
  return fields === null ? await readSource(file) : parseText(fields, 'yaml');
}

/** The lines of the fields that are read; null unless the text is a map with a field on each line that is not indented. */
function fieldsIn(text: string): string | null {
  const kept: string[] = [];
  let field: string | null = null;
  for (const line of text.split('\n')) {
    field = /^(\w+):(?:\s|$)/.exec(line)?.[1] ?? (/^(?:[\s#]|- |$)/.test(line) ? field : null);
    if (field === null && line !== '' && !line.startsWith('#')) return null;
    if (field !== null && READ.has(field)) kept.push(line);
  }
  return kept.join('\n');
}
