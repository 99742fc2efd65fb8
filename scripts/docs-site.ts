import path from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../src/contract/message-of.ts';
import { packageRoot } from '../src/plan/package-root.ts';
import { buildPages, GENERATOR, installGenerator, SiteError } from './site/build.ts';
import { serveSite } from './site/serve.ts';
import { stagePages } from './site/stage.ts';

function note(line: string): void {
  console.error(line);
}

/** Builds the site from the documents, and with `--serve` shows it on this machine. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      serve: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      // The path under which a host serves it, such as `/touchstone/`.
      base: { type: 'string', default: '/' },
    },
  });
  if (!/^\/(?:.*\/)?$/.test(values.base)) throw new SiteError('--base begins and ends with a slash');
  const built = path.join(GENERATOR, 'dist');
  const staged = path.join(GENERATOR, '.pages');
  installGenerator(note);
  note('writing the pages …');
  await stagePages(packageRoot(), staged);
  await buildPages(staged, built, { base: values.base, note });
  console.log(`the site is in ${path.relative('.', built)}`);
  if (!values.serve) {
    console.log('look at it: npm run docs:site -- --serve');
    return;
  }
  const { address } = await serveSite(built, { base: values.base, port: Number(values.port) });
  console.log(`${address} (stop with Ctrl-C)`);
}

try {
  await main();
} catch (error) {
  console.error(`error: ${messageOf(error)}`);
  process.exitCode = 1;
}
