import type { Verdict } from '../../contract/verdict.ts';
import { DatasetError } from '../../dataset/dataset-error.ts';
import { rowsAt } from '../../dataset/row-file.ts';
import { type JudgedTask, judgeRow } from '../../dataset/webarena-verified/judge-row.ts';
import { ROWS_FILE } from '../../dataset/webarena-verified/importer.ts';
import { VerifiedRow } from '../../dataset/webarena-verified/rows.ts';
import { readRunRecord, readSites, taskFolders } from '../../dataset/webarena-verified/run-folder.ts';
import { fact, messageFor } from '../../messages/messages.ts';
import { counted } from '../../report/numbers.ts';
import type { Request } from '../command.ts';
import type { JudgeRunsOptions } from '../commands/judge.ts';
import { isBundle, runsInBundle, type StoredRun } from './judge-bundle.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { tableOf } from '../terminal-sections.ts';
import { printResult, type Terminal } from '../terminal.ts';

const FORMATS = ['webarena-verified'];

export async function judge(
  { args: [format = '', folder = ''], options: { dataset, sites: config, json } }: Request<JudgeRunsOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  if (!FORMATS.includes(format)) throw new UsageError(fact('unknown_action', { action: format, actions: FORMATS }));
  const rows = await rowsAt(dataset, format, ROWS_FILE, VerifiedRow);
  const byId = new Map(rows.map((row) => [String(row.task_id), row]));
  const sites = config === undefined ? new Map<string, string[]>() : await readSites(config);
  const judged: JudgedRun[] = [];
  const ofBundle = isBundle(folder);
  for (const { id, run, record } of ofBundle ? await runsInBundle(folder, format) : await runsIn(folder)) {
    const row = byId.get(id);
    if (row === undefined) throw new DatasetError(fact('row_not_in_dataset', { folder: run, id }));
    judged.push({ ...judgeRow(row, record, sites), run });
  }
  const count = (verdict: Verdict): number => judged.filter((each) => each.verdict === verdict).length;
  const counts = { pass: count('pass'), fail: count('fail'), inconclusive: count('inconclusive') };
  printResult(terminal, json, { format, counts, tasks: judged.map(worded) }, () => [
    ...tableOf([TASK, ...(ofBundle ? [EPISODE] : []), ...VERDICT], judged, terminal),
    `${counted(judged.length, 'task')}: ${counts.pass} pass, ${counts.fail} fail, ${counts.inconclusive} inconclusive`,
  ]);
  return counts.pass === judged.length ? EXIT.done : EXIT.gateNotMet;
}

async function runsIn(folder: string): Promise<StoredRun[]> {
  const folders = await taskFolders(folder);
  return await Promise.all(
    folders.map(async ({ id, place }) => ({ id, run: place, record: await readRunRecord(place) })),
  );
}

interface JudgedRun extends JudgedTask {
  run: string;
}

const TASK = { head: 'task', text: ({ task_id: id }: JudgedRun) => String(id) };
const EPISODE = { head: 'run', words: true, text: ({ run }: JudgedRun) => run };

const VERDICT = [
  { head: 'verdict', words: true, text: ({ verdict }: JudgedTask) => verdict },
  { head: 'why', words: true, text: ({ findings }: JudgedTask) => findings.map(messageFor).join('; ') },
];

function worded({ findings, ...row }: JudgedRun): object {
  return {
    ...row,
    findings: findings.map(({ code, params }) => ({ code, params, text: messageFor({ code, params }) })),
  };
}
