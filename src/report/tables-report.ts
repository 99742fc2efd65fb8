import type { Pooled, PooledPart } from '../claim/pooled.ts';
import type { Mode } from '../bundle/row-words.ts';
import { modeText } from './glossary.ts';
import { type Blocks, bullets, quote, type Section, section, strong, type Content, text } from './document.ts';
import { percent } from './numbers.ts';
import { outcomeBlocks } from './sections/results.ts';

/** `tables.json`: the tables of seed 000 over bundles. */
export interface TablesReport extends Pooled {
  schema_version: 1;
  /** Leaves out earlier episodes; null: none. */
  since: string | null;
  bundles: TablesBundle[];
}

export interface TablesBundle {
  name: string;
  campaign_id: string;
  /** Without those with a planned fault. */
  planned: number;
  episodes: number;
  complete: boolean;
  modes: Mode[];
  world_kinds: string[];
}

export function tablesSections(report: TablesReport): Section[] {
  const { since, bundles, barred, differences, parts } = report;
  return [
    section(
      'outcomes',
      'Outcomes',
      bullets([
        ...bundles.map(bundleText),
        ...(since === null ? [] : [`Only episodes that began at ${since} or later.`]),
        'Tables make no claim of who does better: that takes one campaign that meets the policy.',
        ...differences.map((difference): Content => ['Not the same in all: ', quote(difference)]),
      ]),
      ...(barred.length === 0
        ? []
        : [
            text(strong('These bundles cannot be compared'), ', and each has tables of its own:'),
            bullets(barred.map(quote)),
          ]),
      ...(parts.length === 1 ? parts.flatMap(partBlocks) : []),
    ),
    ...(parts.length === 1 ? [] : parts.map((part) => section('part', part.bundles.join(', '), ...partBlocks(part)))),
  ];
}

function bundleText({ name, planned, episodes, complete, modes, world_kinds: worlds }: TablesBundle): Content {
  return [
    quote(name),
    `: ${episodes} of ${planned} episodes`,
    complete ? '' : [', ', strong('not complete')],
    `; world: ${worlds.join(', ')}; mode: ${modes.map((mode) => modeText(mode)).join(', ')}`,
  ];
}

function partBlocks({ smallest_detectable: smallest, tables }: PooledPart): Blocks {
  return [
    text(
      `Smallest difference of success rates that these episodes can show: ${smallest === null ? 'none' : `${percent(smallest)} points`}.`,
    ),
    ...(tables.entrants.length === 0 ? [] : outcomeBlocks(tables)),
  ];
}
