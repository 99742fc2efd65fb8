import { createRequire } from 'node:module';
import type { TargetFacts } from '../../task/target.ts';

// All texts of Playwright (1.65) on which we match.

const INTERCEPTS = ' intercepts pointer events';

/** The message without Playwright's call log, but with what this reports of the element. */
export function reasonOf(error: unknown): string {
  const message = messageIn(error);
  const [first = message, log = ''] = message.split('\nCall log:');
  const why = log
    .split('\n')
    .map((line) => inTheWay(line) ?? /element is not \w+|did not find some options/.exec(line)?.[0])
    .find((words) => words !== undefined);
  // Without the name of the call.
  const text = first.trim().replace(/^(?:\w+\.)?\w+: /, '');
  return why === undefined ? text : `${text} (${why})`;
}

function messageIn(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Not by a pattern: a page may name its elements at any length, with any number of `<`. */
function inTheWay(line: string): string | undefined {
  const start = line.indexOf('<');
  const end = line.lastIndexOf(INTERCEPTS);
  return start === -1 || end < start ? undefined : line.slice(start, end + INTERCEPTS.length);
}

/** By its name, since its class would load the whole library; an aborted signal has the same name. */
export function isPlaywrightTimeout(error: unknown): error is Error {
  return error instanceof Error && error.name === 'TimeoutError' && !(error instanceof DOMException);
}

export function isCovered(error: Error): boolean {
  return error.message.includes(INTERCEPTS);
}

/** Whether a page navigated to another, or was closed, before it could answer. */
export function isLeft(error: unknown): boolean {
  return error instanceof Error && /context was destroyed|has been closed/.test(error.message);
}

/** Whether an element owns no frame, or its frame is gone. */
export function lacksFrame(error: unknown): boolean {
  return error instanceof Error && /frame/i.test(error.message);
}

export function lacksOption(error: unknown): boolean {
  return error instanceof Error && error.message.includes('did not find some options');
}

export function isUnknownKey(message: string): boolean {
  return message.startsWith('Unknown key');
}

/** The facts that an error reports about the element of an action. */
export function factsOfError(error: unknown): Partial<TargetFacts> {
  if (error instanceof NoSuchOptionError) return { actionable: true, invented: ['option'] };
  const text = messageIn(error);
  // The event was sent, even if what followed timed out.
  if (/(?:click|dblclick|hover) action done/.test(text)) return { actionable: true, dispatched: true };
  if (isPlaywrightTimeout(error) || /[Ee]lement is not/.test(text)) return { actionable: false };
  return {};
}

export class NoSuchOptionError extends Error {}

/** The library that all surfaces of ours work through. */
export function playwrightVersion(): string {
  const manifest: { version: string } = createRequire(import.meta.url)('playwright-core/package.json');
  return `playwright-core ${manifest.version}`;
}
