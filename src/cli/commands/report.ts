import path from 'node:path';
import { writeFileAtomically } from '../../bundle/atomic-file.ts';
import { bundleLayout } from '../../bundle/layout.ts';
import { printable } from '../../report/printable.ts';
import { defineCommand } from '../command.ts';
import { drawReport, reportFiles } from '../drawn-files.ts';
import { EXIT } from '../exit-code.ts';
import { Options } from '../options.ts';
import { verifiedBundle } from '../verified-bundle.ts';

export const report = defineCommand({
  usage: 'report <bundle>',
  about: 'Draw report.json and report.md again from the rows of a bundle, if its records verify.',
  options: Options.pick({ json: true }),
  async run(args, { json }, terminal) {
    const bundle = args[0] ?? '';
    const layout = bundleLayout(bundle);
    const { campaign, rows, complete } = await verifiedBundle(bundle);
    const drawn = drawReport(campaign, rows, complete);
    for (const { name, text } of reportFiles(drawn)) await writeFileAtomically(path.join(layout.root, name), text);
    terminal.out(json ? printable(JSON.stringify(drawn)) : `${layout.report('md')}\n${layout.report('json')}`);
    return EXIT.done;
  },
});
