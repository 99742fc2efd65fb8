import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialogs } from './dialogs.ts';

/** Longest that one action on an element may take, in ms, and longest that a text is waited for. */
export const LIBRARY_TIMEOUT_MS = 5_000;
/** Longest that the opening of an address may take, in ms. */
export const NAVIGATION_TIMEOUT_MS = 15_000;
/** Longest that a snapshot may take, in ms. */
export const SNAPSHOT_TIMEOUT_MS = 10_000;
/** Time between looks for what is waited for, in ms. */
export const POLL_INTERVAL_MS = 50;

/** A tab as agents are told of it; they count from 0 in the order in which the tabs were opened. */
export interface LibraryTab {
  url: string;
  /** The tools work on this one. */
  isCurrent: boolean;
}

/**
 * A library at work on one browser: its own calls behind the tools that all libraries share. What it cannot do it says by
 * throwing, and the agent is told.
 */
export interface Driver {
  /** Those that the library has told of. */
  readonly dialogs: Dialogs;
  tabs(): Promise<readonly LibraryTab[]>;
  selectTab(index: number): Promise<void>;
  navigate(url: string, signal: AbortSignal): Promise<void>;
  back(signal: AbortSignal): Promise<void>;
  /** The current tab as text. */
  snapshot(signal: AbortSignal): Promise<string>;
  click(selector: string, signal: AbortSignal): Promise<void>;
  fill(selector: string, text: string, signal: AbortSignal): Promise<void>;
  select(selector: string, option: string, signal: AbortSignal): Promise<void>;
  press(key: string): Promise<void>;
  /** Whether the current tab shows a text now. */
  shows(text: string): Promise<boolean>;
  answerDialog(accept: boolean, text: string | undefined): Promise<void>;
}

export async function describeTabs(driver: Driver): Promise<string> {
  const tabs = (await driver.tabs()).map(
    ({ url, isCurrent }, index) => `${index}${isCurrent ? ' (current)' : ''}: ${url}`,
  );
  return `Tabs: ${tabs.join(', ')}`;
}

/** Asks again and again whether something is so, for as long as an action may take. */
export async function comesTrue(isSo: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const giveUpAt = performance.now() + LIBRARY_TIMEOUT_MS;
  for (;;) {
    if (await isSo()) return true;
    if (signal.aborted || performance.now() >= giveUpAt) return false;
    await sleep(POLL_INTERVAL_MS);
  }
}
