import { fact } from '../../messages/messages.ts';
import path from 'node:path';
import type { Row } from '../../bundle/row.ts';
import { CountedRows } from '../../report/counted-rows.ts';
import { junitReport } from '../../report/junit.ts';
import { markdownSections } from '../../report/markdown.ts';
import { tablesSections } from '../../report/tables-report.ts';
import { drawReport, reportFiles, writeNamedFile } from '../drawn-files.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { bundleToWrite, tablesOf, verifiedRows } from '../bundles.ts';
import { bundleNamed } from '../latest.ts';
import { forReader } from '../terminal-sections.ts';
import { printResult, type Terminal } from '../terminal.ts';
import type { Request } from '../command.ts';
import type { ReportOptions } from '../commands/judge.ts';

export async function report(
  { args, options: { since, to, junit, json } }: Request<ReportOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  const [first, ...others] = args;
  const bundle = bundleNamed(first);
  const isTables = others.length > 0 || since !== undefined || to !== undefined;
  if (isTables && junit !== undefined) throw new UsageError(fact('junit_of_tables'));
  if (isTables) await reportTables([bundle, ...others.map((name) => bundleNamed(name))], { since, to, json }, terminal);
  else await redraw(bundle, { junit, json }, terminal);
  return EXIT.done;
}

async function redraw(
  bundle: string,
  { junit, json }: { junit: string | undefined; json: boolean },
  terminal: Terminal,
): Promise<void> {
  const layout = await bundleToWrite(bundle);
  const counted = new CountedRows();
  // Only JUnit needs whole rows.
  const rows: Row[] = [];
  const { campaign, complete } = await verifiedRows(layout, (row) => {
    counted.take(row);
    if (junit !== undefined) rows.push(row);
  });
  const drawn = drawReport(campaign, counted, complete);
  const files = [
    ...(await Promise.all(
      reportFiles(drawn, layout).map(async ({ name, text }) => ({
        place: path.join(layout.root, name),
        text: await text(),
      })),
    )),
    ...(junit === undefined ? [] : [{ place: junit, text: junitReport(campaign.campaign_id, rows) }]),
  ];
  // The file that the user named comes first, since it may not be writable.
  for (const { place, text } of files.toReversed()) await writeNamedFile(place, text);
  printResult(terminal, json, drawn, () => files.map(({ place }) => place));
}

interface TablesOptions {
  since: string | undefined;
  to: string | undefined;
  json: boolean;
}

async function reportTables(bundles: readonly string[], options: TablesOptions, terminal: Terminal): Promise<void> {
  const { since = null, to, json } = options;
  const tables = await tablesOf(bundles, since);
  const sections = tablesSections(tables);
  if (to === undefined) {
    printResult(terminal, json, tables, () => forReader(sections, terminal));
    return;
  }
  const place = path.join(to, 'tables');
  await writeNamedFile(`${place}.json`, `${JSON.stringify(tables, null, 2)}\n`);
  await writeNamedFile(`${place}.md`, markdownSections(sections, 1));
  printResult(terminal, json, tables, () => [`${place}.md`, `${place}.json`]);
}
