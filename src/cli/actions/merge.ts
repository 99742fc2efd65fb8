import { fact } from '../../messages/messages.ts';
import { bundleLayout } from '../../bundle/layout.ts';
import { mergeParts, type VerifiedPart } from '../../run/merge-parts.ts';
import { refuseUsedFolder } from '../../run/new-folder.ts';
import { episodesReported, type Report } from '../../report/report.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { doesNotVerify } from '../gates.ts';
import { type OpenedBundle, openBundle, verifiedRows } from '../bundles.ts';
import { resumeAdvice } from '../paste.ts';
import type { Terminal } from '../terminal.ts';
import { writeReports } from '../written-reports.ts';
import type { Request } from '../command.ts';
import type { MergeOptions } from '../commands/run.ts';
import { counted } from '../../report/numbers.ts';

export async function merge(
  { args, options: { out, json } }: Request<MergeOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  await refuseUsedFolder(out);
  const opened: OpenedBundle[] = [];
  try {
    for (const name of args) opened.push(await openBundle(name));
    const campaign = await mergeParts(await Promise.all(opened.map(finishedPart)), out);
    const report = await writeReports(out, campaign, { listsAll: json }, terminal);
    printMerged(report, { out, json, parts: args.length }, terminal);
    // The parts were whole, so they or the merged bundle were changed since.
    return doesNotVerify(report) ? EXIT.gateNotMet : EXIT.done;
  } finally {
    for (const each of opened) each[Symbol.dispose]();
  }
}

/** @throws UsageError naming a bundle that does not verify or is not finished */
async function finishedPart({ layout }: OpenedBundle): Promise<VerifiedPart> {
  const { campaign, complete } = await verifiedRows(layout, () => {});
  if (complete) return { layout, campaign };
  const { name } = layout;
  throw new UsageError(fact('bundle_not_finished', { bundle: name, advice: resumeAdvice(name) }));
}

function printMerged(
  report: Report,
  { out, json, parts }: { out: string; json: boolean; parts: number },
  terminal: Terminal,
): void {
  if (json) {
    terminal.out(JSON.stringify({ bundle: out, ...report }));
    return;
  }
  terminal.out(`merged         ${counted(parts, 'part')}, ${counted(episodesReported(report), 'episode')}`);
  terminal.out(`outcome hash   ${report.outcome_hash}`);
  terminal.out(`report         ${bundleLayout(out).report('html')}`);
}
