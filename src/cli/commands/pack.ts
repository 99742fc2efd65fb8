import { fact } from '../../messages/messages.ts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { defineCommand } from '../command.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { Options } from '../options.ts';

export const pack = defineCommand({
  name: 'pack',
  args: '<bundle> [file]',
  group: 'share',
  summary: 'Pack a bundle into one zip',
  about:
    'Pack a bundle into one zip, by default <bundle>.zip, to attach or publish it: verify, rejudge, show, compare and publish read it like the folder. The same bundle gives the same bytes.',
  options: Options.pick({}),
  examples: ['touchstone pack bundles/20260101T120000-basics', 'touchstone pack bundles/mine mine.zip'],
  async run({ args: [bundle = '', file] }, terminal) {
    const [{ bundleToWrite }, { packBundle }, { readCampaignFile }, { resumeAdvice }] = await Promise.all([
      import('../bundles.ts'),
      import('../../bundle/pack.ts'),
      import('../../plan/campaign-file.ts'),
      import('../paste.ts'),
    ]);
    const layout = await bundleToWrite(bundle);
    await readCampaignFile(layout);
    const place = file ?? `${path.resolve(bundle)}.zip`;
    if (!path.relative(path.resolve(bundle), path.resolve(place)).startsWith('..')) {
      throw new UsageError(fact('zip_inside_bundle', { place }));
    }
    if (!existsSync(layout.seal)) {
      terminal.note(`this bundle is not finished, and "verify" will say so of the zip; ${resumeAdvice(bundle)}`);
    }
    const files = await packBundle(layout, place);
    terminal.out(`${path.relative('', place)}  ${files} files`);
    return EXIT.done;
  },
});
