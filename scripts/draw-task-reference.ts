import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Instances } from '../src/task/instance.ts';
import { Intent } from '../src/task/intent.ts';
import { OutsideApp } from '../src/task/outside-app.ts';
import { Task } from '../src/task/schema.ts';
import { Suite, SuiteSite } from '../src/task/suite.ts';
import { withDrawnPart } from './drawn-part.ts';

export const TASK_REFERENCE = fileURLToPath(new URL('../docs/task-reference.md', import.meta.url));

interface Field {
  description?: string;
  default?: unknown;
  const?: string | number | boolean;
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  type?: string;
}

/** The schemas whose fields the page lists, by the name of the part. */
const OBJECTS: Readonly<Record<string, z.ZodType>> = {
  suite: Suite,
  site: SuiteSite,
  program: OutsideApp,
  task: Task.omit({ instance: true, caps: true }).extend({
    instances: Instances.optional().describe('[values](#instances) that make several tasks of one file'),
  }),
};

/** Redraws every table of the page from the schemas. */
export function drawTaskReference(page: string): string {
  const parts = Object.entries(OBJECTS).map(([name, schema]): [string, string] => [name, fieldTable(schema)]);
  return [...parts, ['steps', stepTable()] as const].reduce(
    (text, [name, part]) => withDrawnPart(text, `scripts/draw-task-reference.ts: ${name}`, part),
    page,
  );
}

function fieldTable(schema: z.ZodType): string {
  const { properties, required } = fieldsOf(schema);
  const rows = Object.entries(properties).map(([name, field]) => {
    const needed = required.includes(name) ? 'required' : defaultOf(field);
    return `| \`${name}\` | ${needed} | ${meaningOf(field)} |\n`;
  });
  return `| field | default | meaning |\n|---|---|---|\n${rows.join('')}`;
}

function stepTable(): string {
  const rows = Intent.options.map((option) => {
    const { properties, required } = fieldsOf(option);
    const fields = Object.entries(properties).map(([name, field]) => {
      const value = field.const === undefined ? (field.enum?.join(' or ') ?? '') : String(field.const);
      return `${name}${required.includes(name) || field.default !== undefined ? '' : '?'}${value === '' ? '' : `: ${value}`}`;
    });
    return `| \`{ ${fields.join(', ')} }\` | ${option.description ?? ''} |\n`;
  });
  return `| step | effect |\n|---|---|\n${rows.join('')}`;
}

function fieldsOf(schema: z.ZodType): { properties: Record<string, Field>; required: readonly string[] } {
  const drawn = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const Drawn = z.looseObject({
    properties: z.record(z.string(), z.custom<Field>()),
    required: z.array(z.string()).default([]),
  });
  return Drawn.parse(drawn);
}

function defaultOf({ default: value }: Field): string {
  const isEmpty =
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return isEmpty ? 'none' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function meaningOf({ description = '', enum: values = [], maximum, type }: Field): string {
  const limits =
    (type === 'integer' || type === 'number') && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const parts = [
    description,
    values.length === 0 || description.includes('`') ? '' : values.map((value) => `\`${String(value)}\``).join(', '),
    limits ? `at most ${maximum}` : '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(TASK_REFERENCE, drawTaskReference(readFileSync(TASK_REFERENCE, 'utf8')));
}
