import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { withDrawnPart } from './drawn-part.ts';

export const ATTACKERS = ['page', 'tool server', 'agent', 'archive', 'bundle', 'author'] as const;
export const GAINS = ['a pass', 'a headline', 'a file', 'a shell', 'script in a report', 'the terminal'] as const;

const Attack = z.strictObject({
  attack: z.string(),
  gain: z.enum(GAINS),
  stopped_by: z.string(),
  file: z.string(),
  test: z.string(),
});
export type Attack = z.infer<typeof Attack> & { attacker: string };

const ATTACKS = fileURLToPath(new URL('../test/attacks.yaml', import.meta.url));
export const ATTACKS_PAGE = fileURLToPath(new URL('../docs/attacks.md', import.meta.url));

/** Reads the list of attacks, in its order. */
export function readAttacks(): Attack[] {
  const lists = z.record(z.enum(ATTACKERS), z.array(Attack)).parse(parse(readFileSync(ATTACKS, 'utf8')));
  return ATTACKERS.flatMap((attacker) => lists[attacker].map((attack) => ({ attacker, ...attack })));
}

/** Replaces the tables on the page: one per attacker. */
export function drawAttacks(page: string, attacks: readonly Attack[]): string {
  const tables = ATTACKERS.map((attacker) => {
    const rows = attacks.filter((each) => each.attacker === attacker).map(row);
    return `## By ${attacker === 'author' ? 'the author of a suite' : `a ${attacker}`.replace(/^a (?=[aeiou])/, 'an ')}\n
| attack | to gain | stopped by |\n|---|---|---|\n${rows.join('')}`;
  });
  return withDrawnPart(page, 'scripts/draw-attacks.ts from test/attacks.yaml', tables.join('\n'));
}

function row({ attack, gain, stopped_by: stoppedBy, file }: Attack): string {
  return `| ${attack} | ${gain} | [${stoppedBy}](../${file}) |\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(ATTACKS_PAGE, drawAttacks(readFileSync(ATTACKS_PAGE, 'utf8'), readAttacks()));
}
