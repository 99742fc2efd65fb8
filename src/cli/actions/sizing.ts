import { readCampaignFile } from '../../plan/campaign-file.ts';
import { measureCampaign } from '../campaign-measures.ts';
import type { Request } from '../command.ts';
import type { SizingOptions } from '../commands/sizing.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { openBundle } from '../opened-bundle.ts';
import { sizingLines, sizingOf } from '../sizing.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

export async function sizing(
  { args: [bundle = ''], options: { json, ...wanted } }: Request<SizingOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  using opened = await openBundle(bundle);
  const { parts } = await readCampaignFile(opened.layout);
  const measured = await measureCampaign(opened.layout);
  if (measured.episodes === 0 || measured.busy_ms === 0) {
    const remedy = 'name a bundle in which episodes have ended';
    throw new UsageError(`${bundle} has no episode whose time could be measured`, remedy);
  }
  if (parts !== undefined || measured.elsewhere) {
    const remedy = 'name a bundle that one machine has run, such as a part before it was merged';
    throw new UsageError(`${bundle} does not say how many machines ran it`, remedy);
  }
  const sized = sizingOf(measured, wanted);
  if (json) terminal.out(JSON.stringify({ measured, wanted, sizing: sized }));
  else for (const line of sizingLines(measured, wanted, sized)) terminal.out(line);
  return EXIT.done;
}
