import { createRequire } from 'node:module';

/** The message without Playwright's call log, which tells of our own machinery, but with what it says of the element. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [first = message, log = ''] = message.split('\nCall log:');
  const why = /<.*> (?:from <.*> )?intercepts pointer events|element is not \w+|did not find some options/.exec(
    log,
  )?.[0];
  const text = first.trim().replace(/^(?:\w+\.)?\w+: /, '');
  return why === undefined ? text : `${text} (${why})`;
}

/** Of the library that all surfaces of ours work through. */
export function playwrightVersion(): string {
  const manifest: { version: string } = createRequire(import.meta.url)('playwright-core/package.json');
  return `playwright-core ${manifest.version}`;
}
