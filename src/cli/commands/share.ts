import path from 'node:path';
import { z } from 'zod';
import { defineCommand, type CommandSpec } from '../command.ts';
import { Options } from '../options.ts';
import { PathValue } from '../planning-options.ts';
import { fact } from '../../messages/messages.ts';
import { existsSync } from 'node:fs';
import { EXIT, UsageError } from '../exit-code.ts';

const PublishOptions = Options.pick({ to: true, json: true });
export type PublishOptions = z.output<typeof PublishOptions>;

const publish = defineCommand({
  name: 'publish',
  args: '<bundle>',
  summary: 'Write the scores of a campaign, and their limits',
  about:
    'Write the scores of a finished campaign, with what they may be used for, to <folder>/<git-sha>.md and .json. The name is the commit of Touchstone, so the campaign must have been run from a clone, not from an installed package.',
  options: PublishOptions,
  examples: ['touchstone publish bundles/20260101T120000-webvoyager --to reports'],
  run: async (request, terminal) => (await import('../actions/publish.ts')).publish(request, terminal),
});

const pack = defineCommand({
  name: 'pack',
  args: '<bundle> [file]',
  summary: 'Pack a bundle into one zip',
  about:
    'Pack a bundle into one zip, by default <bundle>.zip, which commands that only read take like the folder. The same bundle gives the same bytes.',
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
      terminal.note(`this bundle is not finished, which "verify" will report; ${resumeAdvice(bundle)}`);
    }
    const files = await packBundle(layout, place);
    terminal.out(`${path.relative('', place)}  ${files} files`);
    return EXIT.done;
  },
});

const sign = defineCommand({
  name: 'sign',
  args: '<bundle>',
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
    if (!complete) throw new UsageError(fact('bundle_not_sealed', { bundle, advice: resumeAdvice(bundle) }));
    terminal.out(`signed by ${await signBundle(layout, key)}`);
    return EXIT.done;
  },
});

const ExportOptions = Options.pick({ json: true }).extend({
  format: z
    .enum(['parquet', 'jsonl', 'inspect', 'har', 'otel'], { error: 'must be parquet, jsonl, inspect, har or otel' })
    .meta({ flags: '--format <name>', help: 'parquet, jsonl, inspect (logs of inspect_ai), har or otel (traces)' }),
  out: PathValue.meta({ flags: '-o, --out <folder>', help: 'a new or an empty folder' }),
  to: z
    .url({ protocol: /^https?$/, error: 'must be an address such as http://127.0.0.1:4318/v1/traces' })
    .refine((url) => new URL(url).username === '', 'must have no user name: a message may show it')
    .optional()
    .meta({ flags: '--to <url>', help: 'of otel: also post the traces to this collector' }),
});
export type ExportOptions = z.output<typeof ExportOptions>;

const exportCommand = defineCommand({
  name: 'export',
  args: '<bundle>',
  summary: 'Write the episodes of a bundle for other tools',
  about: 'Verify a bundle, and write its episodes in a format of other tools.',
  options: ExportOptions,
  examples: ['touchstone export bundles/mine --format otel --out traces --to http://127.0.0.1:4318/v1/traces'],
  run: async (request, terminal) => (await import('../actions/export.ts')).exportBundle(request, terminal),
});

export const SHARE_COMMANDS: readonly CommandSpec[] = [publish, pack, sign, exportCommand];
