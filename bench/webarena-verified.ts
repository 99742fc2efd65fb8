import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { Json } from '../src/contract/json.ts';
import { messageFor } from '../src/messages/messages.ts';
import { formatProblem } from '../src/task/source/source.ts';
import { readRows } from '../src/dataset/row-file.ts';
import { withoutLookAround } from '../src/dataset/webarena-verified/expected-pattern.ts';
import { exchangesIn } from '../src/dataset/webarena-verified/har.ts';
import { judgeRow, type RunRecord } from '../src/dataset/webarena-verified/judge-row.ts';
import { ROWS_FILE } from '../src/dataset/webarena-verified/importer.ts';
import { VerifiedRow } from '../src/dataset/webarena-verified/rows.ts';
import { alteredRecords, rightRecord, SITES } from './webarena-verified-records.ts';

/**
 * Holds the judge of WebArena-Verified to a checkout: the published answers, the two stored runs, and requests made from each
 * expectation and altered in one field at a time. Exits with 1 if one of them is judged otherwise.
 */
const checkout = process.argv[2] ?? '';
const rows = await readRows(path.join(checkout, ROWS_FILE), VerifiedRow);
if (!rows.ok) throw new Error(rows.problems.map(formatProblem).join('\n'));
const byId = new Map(rows.value.map((row) => [row.task_id, row]));
const wrong: string[] = [];

function expect(name: string, row: VerifiedRow, record: RunRecord, wanted: 'pass' | 'fail'): boolean {
  const { verdict, findings } = judgeRow(row, record, SITES);
  if (verdict === wanted) return true;
  wrong.push(`${name}: ${verdict}, not ${wanted}; ${findings.map(messageFor).join('; ')}`);
  return false;
}

const Answers = z.record(z.string(), Json);
const Published = z.record(z.string(), z.object({ exact_match: Json, valid: Answers, invalid: Answers }));
const published = Published.parse(
  JSON.parse(await readFile(path.join(checkout, 'tests/assets/e2e_test_retrieved_data.json'), 'utf8')),
);
const stale: string[] = [];

/** The same check with the texts that the file of answers expects. */
function expecting(check: VerifiedRow['eval'][number], retrieved_data: Json): VerifiedRow['eval'][number] {
  if (check.evaluator !== 'AgentResponseEvaluator' || !Array.isArray(retrieved_data)) return check;
  return {
    ...check,
    results_schema: { type: 'array', items: { type: 'string' } },
    expected: { ...check.expected, retrieved_data },
  };
}

const counts = { valid: [0, 0], invalid: [0, 0] };
for (const [id, cases] of Object.entries(published)) {
  const row = byId.get(Number(id));
  if (row === undefined) throw new Error(`task ${id} is not in the data set`);
  const [own] = row.eval;
  const isStale =
    JSON.stringify(own?.expected) !== JSON.stringify({ ...own?.expected, retrieved_data: cases.exact_match });
  if (isStale) stale.push(id);
  for (const kind of ['valid', 'invalid'] as const) {
    for (const [name, retrieved_data] of Object.entries(cases[kind])) {
      const response = JSON.stringify({ task_type: 'RETRIEVE', status: 'SUCCESS', retrieved_data });
      const only = {
        ...row,
        eval: row.eval.slice(0, 1).map((check) => (isStale ? expecting(check, cases.exact_match) : check)),
      };
      const isRight = expect(
        `${id} ${kind} ${name}`,
        only,
        { response, exchanges: null },
        kind === 'valid' ? 'pass' : 'fail',
      );
      counts[kind][0] = (counts[kind][0] ?? 0) + Number(isRight);
      counts[kind][1] = (counts[kind][1] ?? 0) + 1;
    }
  }
}
console.log(`published answers: ${counts.valid.join(' of ')} accepted, ${counts.invalid.join(' of ')} refused`);
console.log(
  `  judged by the expectations of their own file, since those of the data set are others: tasks ${stale.join(', ')}`,
);

let stored = 0;
for (const [id, wanted] of [
  ['107', 'fail'],
  ['108', 'pass'],
] as const) {
  const folder = path.join(checkout, 'examples/agent_logs/demo', id);
  const exchanges = exchangesIn(JSON.parse(await readFile(path.join(folder, 'network.har'), 'utf8')));
  const row = byId.get(Number(id));
  if (row === undefined || !exchanges.ok) throw new Error(`run ${id} cannot be read`);
  const response = await readFile(path.join(folder, 'agent_response.json'), 'utf8');
  stored += Number(expect(`run ${id}`, row, { response, exchanges: exchanges.value }, wanted));
}
console.log(`stored runs: ${stored} of 2 judged as published`);

const network = rows.value.filter((row) => row.eval.some(({ evaluator }) => evaluator === 'NetworkEventEvaluator'));
let [made, altered, refused] = [0, 0, 0];
for (const row of network) {
  made += Number(expect(`${row.task_id} made from its expectation`, row, rightRecord(row), 'pass'));
  for (const { field, record } of alteredRecords(row)) {
    altered += 1;
    refused += Number(expect(`${row.task_id} with another ${field}`, row, record, 'fail'));
  }
}
console.log(
  `requests made from expectations: ${made} of ${network.length} tasks pass; ${refused} of ${altered} altered in one field fail`,
);

const rewritten = new Map<string, number[]>();
for (const row of rows.value) {
  for (const [pattern = ''] of JSON.stringify(row.eval).matchAll(/"\^(?:[^"\\]|\\.)*\$"/g)) {
    const source = String(JSON.parse(pattern));
    if (/\(\?<?[=!]/.test(source)) rewritten.set(source, [...(rewritten.get(source) ?? []), row.task_id]);
  }
}
for (const [pattern, ids] of rewritten) {
  const { needs, bars } = withoutLookAround(pattern);
  console.log(
    `look-around in ${[...new Set(ids)].join(', ')}: ${pattern}\n  matches ${needs.join(' and ')}; not ${bars.join(' or ') || '-'}`,
  );
}
for (const line of wrong) console.log(`wrong: ${line}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
