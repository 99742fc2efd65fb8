import { signBundle } from '../../bundle/signature.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { bundleToWrite } from '../opened-bundle.ts';
import { Options } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import { verifiedBundle } from '../verified-bundle.ts';

export const sign = defineCommand({
  usage: 'sign <bundle>',
  about: 'Sign the seal of a finished bundle that verifies, with a private Ed25519 key; writes signature.json.',
  options: Options.pick({ key: true }),
  examples: [
    'openssl genpkey -algorithm ed25519 -out key.pem',
    'touchstone sign bundles/20260101T120000-basics --key key.pem',
  ],
  async run(args, { key }, terminal) {
    const bundle = args[0] ?? '';
    const layout = await bundleToWrite(bundle);
    const { complete } = await verifiedBundle(layout);
    if (!complete) {
      const remedy = `finish it with "touchstone run --resume ${bundle}"`;
      throw new UsageError(`${bundle} is not finished, and has no seal to sign`, remedy);
    }
    terminal.out(`signed by ${await signBundle(layout, key)}`);
    return EXIT.done;
  },
});
