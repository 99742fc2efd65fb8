import type { z } from 'zod';
import type { Json } from '../contract/json.ts';
import type { Contract } from '../contract/schema.ts';
import { type Parsed, parsePlainly } from '../contract/validation/problem.ts';
import type { Fact } from '../messages/message.ts';

/** The place where a task can be judged. Only a task with a contract that qualifies enters claims. */
export type TaskStanding = 'deterministic here' | 'draft' | 'needs a contract' | 'judged by a model upstream';

/** A task as the list of an import has it. */
export interface ListedTask {
  id: string;
  goal: string;
  start_urls: string[];
  standing: TaskStanding;
  /** The part of the row that judges it upstream, unchanged. */
  upstream: Json;
  /** The contract that judges it here, or why it has none. */
  success?: Contract;
  why?: Fact;
}

/** A reader of one data set. The rest of an import is the same for all. */
export interface Importer {
  name: string;
  repository: string;
  licence: string;
  /** Raised when the same checkout gives another list. */
  version: number;
  /** Globs of the files of rows, JSON lists or JSON Lines. */
  files: readonly string[];
  listed(row: unknown, file: string): Parsed<ListedTask>;
}

/** Defines an importer by the form of its rows, and their tasks. */
export function defineImporter<T extends z.ZodType>({
  schema,
  task,
  ...about
}: Omit<Importer, 'listed'> & { schema: T; task: (row: z.output<T>, file: string) => ListedTask }): Importer {
  return {
    ...about,
    listed(row, file) {
      const parsed = parsePlainly(schema, row);
      return parsed.ok ? { ok: true, value: task(parsed.value, file) } : parsed;
    },
  };
}
