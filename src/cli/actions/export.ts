import { sha256Hex } from '../../contract/canonical.ts';
import { readCampaignSeal } from '../../bundle/campaign-seal.ts';
import type { Row } from '../../bundle/row.ts';
import { countOf } from '../../claim/group.ts';
import { type ExportedBundle, passedOf } from '../../export/exported-bundle.ts';
import { FORMATS } from '../../export/formats.ts';
import { postTraces } from '../../export/otel.ts';
import { fact } from '../../messages/messages.ts';
import { readCampaignFile } from '../../plan/campaign-file.ts';
import { packageVersion } from '../../plan/package-root.ts';
import { counted } from '../../report/numbers.ts';
import { makeNewFolder, refuseUsedFolder } from '../../run/new-folder.ts';
import { openBundle, verifiedRows } from '../bundles.ts';
import type { Request } from '../command.ts';
import type { ExportOptions } from '../commands/share.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { bundleNamed } from '../latest.ts';
import { printResult, type Terminal } from '../terminal.ts';

export async function exportBundle(
  { args, options: { format, out, to, json } }: Request<ExportOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  if (to !== undefined && format !== 'otel') throw new UsageError(fact('to_without_traces'));
  await refuseUsedFolder(out);
  using opened = await openBundle(bundleNamed(args[0]));
  const { layout } = opened;
  await readCampaignFile(layout);
  const rows: Row[] = [];
  const { campaign, complete } = await verifiedRows(layout, (row) => {
    rows.push(row);
  });
  const source = {
    campaign_id: campaign.campaign_id,
    plan_hash: campaign.plan_hash,
    seal_hash: complete ? sha256Hex((await readCampaignSeal(layout)).bytes) : null,
    touchstone: packageVersion(),
  };
  const bundle: ExportedBundle = { layout, campaign, rows, source };
  await makeNewFolder(out);
  const files = await FORMATS[format].write(bundle, out);
  if (to !== undefined) {
    const why = await postTraces(bundle, to);
    if (why !== null) throw new UsageError(fact('traces_not_taken', { collector: new URL(to).origin, why, out }));
  }
  const count = (passed: boolean | null) => countOf(rows, (row) => passedOf(row) === passed);
  const counts = { passed: count(true), not_passed: count(false), no_verdict: count(null) };
  printResult(terminal, json, { format, source, counts, files }, () => [
    `${counted(files.length, 'file')} in ${out}`,
    `${counted(rows.length, 'episode')} of ${source.campaign_id}: ${counts.passed} passed, ${counts.not_passed} did not, ${counts.no_verdict} have no verdict`,
    `seal ${source.seal_hash ?? 'none: the bundle is not finished'}`,
  ]);
  return EXIT.done;
}
