import { fact } from '../../messages/messages.ts';
import { defineCommand } from '../command.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { Options } from '../options.ts';

export const sign = defineCommand({
  name: 'sign',
  args: '<bundle>',
  group: 'share',
  summary: 'Sign the seal of a bundle',
  about: 'Sign the seal of a finished bundle that verifies, with a private Ed25519 key; writes signature.json.',
  options: Options.pick({ key: true }),
  examples: [
    'openssl genpkey -algorithm ed25519 -out key.pem',
    'touchstone sign bundles/20260101T120000-basics --key key.pem',
  ],
  async run({ args: [bundle = ''], options: { key } }, terminal) {
    const [{ bundleToWrite }, { signBundle }, { verifiedBundle }, { resumeAdvice }] = await Promise.all([
      import('../bundles.ts'),
      import('../../bundle/signature.ts'),
      import('../bundles.ts'),
      import('../paste.ts'),
    ]);
    const layout = await bundleToWrite(bundle);
    const { complete } = await verifiedBundle(layout);
    if (!complete) {
      throw new UsageError(fact('bundle_not_sealed', { bundle, advice: resumeAdvice(bundle) }));
    }
    terminal.out(`signed by ${await signBundle(layout, key)}`);
    return EXIT.done;
  },
});
