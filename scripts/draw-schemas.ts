import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Row } from '../src/bundle/row.ts';
import { CampaignRequest } from '../src/cli/campaign-request.ts';
import { RunEvent } from '../src/cli/live/event-lines.ts';
import { AnswerItem } from '../src/contract/answer/type.ts';
import { Contract } from '../src/contract/schema.ts';
import { Report } from '../src/report/report.ts';
import { Task } from '../src/task/schema.ts';
import { Instances } from '../src/task/instance.ts';
import { Suite } from '../src/task/suite.ts';

/** The folder that the schemas are in. */
export const SCHEMAS = fileURLToPath(new URL('../schemas/', import.meta.url));

/** The schemas that we publish, by file name. */
const PUBLISHED: Record<string, { title: string; schema: z.ZodType }> = {
  contract: { title: 'Touchstone contract', schema: Contract },
  // What a task file may hold: the instances that tasks are made of are gone when it is loaded.
  task: { title: 'Touchstone task', schema: Task.omit({ caps: true }).extend({ instances: Instances.optional() }) },
  campaign: { title: 'Touchstone campaign', schema: CampaignRequest },
  suite: { title: 'Touchstone suite', schema: Suite },
  'run-event': { title: 'Line of standard error of touchstone run --json', schema: RunEvent },
  row: { title: 'Touchstone row', schema: Row },
  report: { title: 'Touchstone report', schema: Report },
};

const LOOSER =
  'A help for editors. "touchstone validate" checks more: selectors, patterns, and which fields go together.';

/** The text of every schema file, by file name. */
export function drawSchemas(published = PUBLISHED): Record<string, string> {
  const entries = Object.entries(published).map(([name, { title, schema }]): [string, string] => [
    `${name}.json`,
    `${JSON.stringify(draw(name, title, schema), null, 2)}\n`,
  ]);
  return Object.fromEntries(entries);
}

/** JSON Schema (2020-12) of what one may write: fields with a default may be left out. A contract and an answer's value refer to themselves by name; JSON of any kind is `{}`. */
function draw(name: string, title: string, schema: z.ZodType) {
  const names = z.registry<{ id: string }>().add(Contract, { id: 'Contract' }).add(AnswerItem, { id: 'AnswerItem' });
  const { $schema, ...drawn } = z.toJSONSchema(schema, {
    io: 'input',
    metadata: names,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const description = z.globalRegistry.get(zodSchema)?.description;
      if (description !== undefined) jsonSchema.description = description;
    },
  });
  return { $schema, $id: `urn:touchstone:schema:${name}:1`, title, $comment: LOOSER, ...drawn };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(SCHEMAS, { recursive: true });
  for (const [file, text] of Object.entries(drawSchemas())) writeFileSync(path.join(SCHEMAS, file), text);
}
