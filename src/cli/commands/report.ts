import { writeFileAtomically } from '../../bundle/atomic-file.ts';
import { bundleLayout } from '../../bundle/layout.ts';
import { readCampaignFile } from '../../campaign/campaign-file.ts';
import { episodeCount } from '../../campaign/plan.ts';
import { readCountedRows } from '../../bundle/sealed-rows.ts';
import { markdownReport } from '../../report/markdown.ts';
import { buildReport } from '../../report/report.ts';
import { printable } from '../../report/printable.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { Options } from '../options.ts';

export const report = defineCommand({
  usage: 'report <bundle>',
  about: 'Draw report.json and report.md again from the rows of a bundle.',
  options: Options.pick({ json: true }),
  async run(args, { json }, terminal) {
    const layout = bundleLayout(args[0] ?? '');
    const campaign = await readCampaignFile(layout);
    const { campaign_id: id, plan } = campaign;
    const drawn = buildReport(id, episodeCount(plan), await readCountedRows(layout), plan.entrants);
    await writeFileAtomically(layout.report('json'), `${JSON.stringify(drawn, null, 2)}\n`);
    await writeFileAtomically(layout.report('md'), markdownReport(drawn));
    terminal.out(json ? printable(JSON.stringify(drawn)) : `${layout.report('md')}\n${layout.report('json')}`);
    return EXIT.done;
  },
});
