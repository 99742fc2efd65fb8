import type { Pooled, PooledPart } from '../claim/pooled.ts';
import { codeSpan } from './code-span.ts';
import { percent } from './figure-text.ts';
import { outcomeLines } from './outcome-lines.ts';

/** `tables.json`: the tables of seed 000 over one bundle or several. */
export interface TablesReport extends Pooled {
  schema_version: 1;
  /** Episodes that began earlier are left out; null: none is. */
  since: string | null;
  bundles: TablesBundle[];
}

/** One of the bundles that the tables were drawn from. */
export interface TablesBundle {
  name: string;
  campaign_id: string;
  /** Without those in which something was planned to go wrong. */
  planned: number;
  /** In the tables. */
  episodes: number;
  complete: boolean;
  modes: string[];
  world_kinds: string[];
}

/** The same as Markdown. Names of bundles are folders of the reader, and stand in code spans like all that comes from outside. */
export function tablesMarkdown(report: TablesReport): string {
  const { since, bundles, barred, differences, parts } = report;
  const lines = [
    '# Outcomes',
    '',
    ...bundles.map(bundleLine),
    ...(since === null ? [] : [`- Only episodes that began at ${since} or later.`]),
    '- No claim of who does better is made here: that takes one campaign, and what policy asks of it.',
    ...differences.map((difference) => `- Not the same in all: ${codeSpan(difference)}`),
    '',
    ...(barred.length === 0 ? [] : [...barredLines(barred), '']),
    ...parts.flatMap((part) => partLines(part, parts.length > 1)),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function bundleLine(bundle: TablesBundle): string {
  const { name, planned, episodes, complete, modes, world_kinds: worlds } = bundle;
  const state = complete ? '' : ', **not complete**';
  return `- ${codeSpan(name)}: ${episodes} of ${planned} episodes${state}; world: ${worlds.join(', ')}; mode: ${modes.join(', ')}`;
}

function barredLines(barred: readonly string[]): string[] {
  return [
    '**These bundles cannot be compared**, and each has tables of its own:',
    '',
    ...barred.map((each) => `- ${codeSpan(each)}`),
  ];
}

function partLines({ bundles, smallest_detectable: smallest, tables }: PooledPart, named: boolean): string[] {
  return [
    ...(named ? [`# ${bundles.map(codeSpan).join(', ')}`, ''] : []),
    `Smallest difference of success rates that these episodes can show: ${smallest === null ? 'none' : `${percent(smallest)} points`}.`,
    '',
    ...outcomeLines(tables),
  ];
}
