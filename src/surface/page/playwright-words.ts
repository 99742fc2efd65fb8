import { createRequire } from 'node:module';

const INTERCEPTS = ' intercepts pointer events';

/** The message without Playwright's call log, which tells of our own machinery, but with what it says of the element. */
export function reasonOf(error: unknown): string {
  const message = messageIn(error);
  const [first = message, log = ''] = message.split('\nCall log:');
  const why = log
    .split('\n')
    .map((line) => inTheWay(line) ?? /element is not \w+|did not find some options/.exec(line)?.[0])
    .find((words) => words !== undefined);
  const text = plain(first);
  return why === undefined ? text : `${text} (${why})`;
}

function messageIn(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Without the name of the call. */
function plain(message: string): string {
  return message.trim().replace(/^(?:\w+\.)?\w+: /, '');
}

/** Read by places and not by a pattern: a page names its elements at any length, with any number of `<`. */
function inTheWay(line: string): string | undefined {
  const start = line.indexOf('<');
  const end = line.lastIndexOf(INTERCEPTS);
  return start === -1 || end < start ? undefined : line.slice(start, end + INTERCEPTS.length);
}

/** Whether Playwright has waited in vain. Its own class would cost whoever asks for it the whole library; an aborted signal has the same name. */
export function isPlaywrightTimeout(error: unknown): error is Error {
  return error instanceof Error && error.name === 'TimeoutError' && !(error instanceof DOMException);
}

/** The library that all surfaces of ours work through. */
export function playwrightVersion(): string {
  const manifest: { version: string } = createRequire(import.meta.url)('playwright-core/package.json');
  return `playwright-core ${manifest.version}`;
}
