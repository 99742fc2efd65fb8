import path from 'node:path';
import { packBundle } from '../../bundle/pack.ts';
import { readCampaignFile } from '../../plan/campaign-file.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { bundleToWrite } from '../opened-bundle.ts';
import { Options } from '../options.ts';
import { UsageError } from '../usage-error.ts';

export const pack = defineCommand({
  usage: 'pack <bundle> [file]',
  about:
    'Pack a bundle into one zip, by default <bundle>.zip, to attach or publish it: verify, rejudge, show, compare, publish and report read it as they read the folder. The same bundle gives the same bytes.',
  options: Options.pick({}),
  examples: ['touchstone pack bundles/20260101T120000-basics', 'touchstone pack bundles/mine mine.zip'],
  async run([bundle = '', file], _options, terminal) {
    const layout = await bundleToWrite(bundle);
    await readCampaignFile(layout);
    const place = file ?? `${path.resolve(bundle)}.zip`;
    if (!path.relative(path.resolve(bundle), path.resolve(place)).startsWith('..')) {
      throw new UsageError(`${place} lies in the bundle itself`, 'name a file beside it');
    }
    const files = await packBundle(layout, place);
    terminal.out(`${path.relative('', place)}  ${files} files`);
    return EXIT.done;
  },
});
