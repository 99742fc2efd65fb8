import type { Fact, Param, StoredFact } from './message.ts';
import { fill, type Template, type ParamsOf } from './template.ts';
import { AGENT } from './agent.ts';
import { BROWSER } from './browser.ts';
import { BUNDLE } from './bundle.ts';
import { VERIFY } from './verify.ts';
import { CAMPAIGN } from './campaign.ts';
import { DATASETS } from './datasets.ts';
import { FINDINGS } from './findings.ts';
import { PROBLEMS } from './problems.ts';
import { QUEUE } from './queue.ts';
import { REASONS } from './reasons.ts';
import { USAGE } from './usage.ts';
import { WORLD } from './world.ts';

/** Every message, by its code. Each code is in one of these tables. */
export const MESSAGES = {
  ...VERIFY,
  ...BUNDLE,
  ...REASONS,
  ...FINDINGS,
  ...PROBLEMS,
  ...BROWSER,
  ...QUEUE,
  ...CAMPAIGN,
  ...USAGE,
  ...AGENT,
  ...WORLD,
  ...DATASETS,
} as const satisfies Record<string, Template>;
export type Messages = typeof MESSAGES;
export type MessageCode = keyof Messages;

type Given<C extends MessageCode> = keyof ParamsOf<Messages[C]> extends never
  ? []
  : object extends ParamsOf<Messages[C]>
    ? [params?: ParamsOf<Messages[C]>]
    : [params: ParamsOf<Messages[C]>];

/** Makes a fact. The compiler checks that its message exists and takes these parameters. */
export function fact<C extends MessageCode>(code: C, ...[params]: Given<C>): Fact<C> {
  const given = Object.entries<Param | undefined>(params ?? {});
  return {
    code,
    params: Object.fromEntries(given.filter((entry): entry is [string, Param] => entry[1] !== undefined)),
  };
}

/** Puts a fact into words. A fact whose code this version does not know is shown as it was stored. */
export function messageFor(stored: StoredFact): string {
  if (typeof stored === 'string') return stored;
  const { code, params } = stored;
  const message = templateOf(code);
  if (message === null) return `${code} ${JSON.stringify(params)}`;
  return fill(typeof message === 'string' ? message : message.text, params);
}

/** Returns what to do about a fact; null if its message names no remedy. */
export function remedyOf({ code, params }: Fact): string | null {
  const message = templateOf(code);
  return message === null || typeof message === 'string' ? null : fill(message.remedy, params);
}

function templateOf(code: string): Template | null {
  return Object.hasOwn(MESSAGES, code) ? (new Map<string, Template>(Object.entries(MESSAGES)).get(code) ?? null) : null;
}
