import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { contractFrom } from '../src/dataset/webarena-infinity/contract.ts';
import { upstreamEnds, upstreamVerdicts } from '../src/dataset/webarena-infinity/upstream.ts';
import { wilsonInterval } from '../src/stats/proportion.ts';
import { damaged, passesHere } from './webarena-infinity-states.ts';

/**
 * Judges stored states of each task of WebArena-Infinity twice, by its own verifier and by the contract that an import drafts: the
 * start, the right end of its sanity check, and that end with records deleted that the task does not concern. Nothing of the
 * checkout is changed, and none of its servers is started. Exits with 1 if the draft accepts a start or a damaged end.
 *
 *   npm run bench:webarena-infinity -- <checkout> [app…]
 */
const [checkout = '', ...chosen] = process.argv.slice(2);
const apps = path.join(checkout, 'apps');
if (!existsSync(apps)) throw new Error(`${apps} does not exist: name a checkout of WebArena-Infinity`);
const all = (await readdir(apps)).filter((name) => existsSync(path.join(apps, name, 'real-tasks.json'))).toSorted();
const unknown = chosen.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`no app ${unknown.join(', ')}: choose from ${all.join(', ')}`);

const ENDS = ['right', 'start', 'damaged'] as const;
const JUDGES = ['own', 'here'] as const;
const Rows = z.array(z.object({ id: z.string(), instruction: z.string() }));

interface Audited {
  task: string;
  own: Verdicts;
  /** Null without a draft. */
  here: Verdicts | null;
  deleted: number;
}

type Verdicts = Record<(typeof ENDS)[number], boolean>;

function accepts(judge: (end: (typeof ENDS)[number]) => boolean): Verdicts {
  return { right: judge('right'), start: judge('start'), damaged: judge('damaged') };
}

async function audit(app: string): Promise<Audited[]> {
  const folder = path.join(apps, app);
  const goals = Rows.parse(JSON.parse(await readFile(path.join(folder, 'real-tasks.json'), 'utf8')));
  const { seed, ends } = await upstreamEnds(folder);
  const cases = goals.map(({ id, instruction }) => {
    const right = ends.get(id);
    if (right === undefined) throw new Error(`${app}: the sanity check has no right end of ${id}`);
    const { state, lists } = damaged(seed, right);
    return { task: id, goal: instruction, right, start: seed, damaged: state, deleted: lists.length };
  });
  const verdicts = await upstreamVerdicts(
    folder,
    cases.flatMap((each) => ENDS.map((end) => ({ task: each.task, state: each[end] }))),
  );
  return cases.map(({ task, goal, deleted, ...states }, place) => {
    const draft = contractFrom(seed, states.right, goal);
    return {
      task: `${app}/${task}`,
      deleted,
      own: accepts((end) => verdicts[place * ENDS.length + ENDS.indexOf(end)] === true),
      here: draft.ok ? accepts((end) => passesHere(draft.contracts, seed, states[end])) : null,
    };
  });
}

const percent = (value: number): string => (value * 100).toFixed(1);

function share(audited: readonly Audited[], judge: (typeof JUDGES)[number], end: (typeof ENDS)[number]): string {
  const judged = audited.flatMap((each) => (each[judge] === null ? [] : [each[judge][end]]));
  const accepted = judged.filter(Boolean).length;
  const { low, high } = wilsonInterval(accepted, judged.length) ?? { low: 0, high: 1 };
  return `${accepted} of ${judged.length} (${percent(low)}–${percent(high)} %)`;
}

function row(name: string, audited: readonly Audited[]): string {
  const cells = JUDGES.flatMap((judge) => ENDS.map((end) => share(audited, judge, end).padEnd(28)));
  return `${name.padEnd(30)}${cells.join('')}`.trimEnd();
}

const audited: Audited[] = [];
console.log(`${''.padEnd(30)}${'accepted by its own verifier'.padEnd(84)}accepted by the draft contract here`);
console.log(`${'app'.padEnd(30)}${[...ENDS, ...ENDS].map((end) => end.padEnd(28)).join('')}`.trimEnd());
for (const app of chosen.length === 0 ? all : chosen) {
  process.stderr.write(`${app}…\n`);
  const own = await audit(app);
  audited.push(...own);
  console.log(row(app, own));
}
console.log(row('all', audited));
console.log('\nIn brackets: Wilson intervals, 95 %.');
const withoutDraft = audited.filter(({ here }) => here === null);
const untouched = audited.filter(({ deleted }) => deleted === 0);
const refusing = audited.filter(({ here }) => here !== null && !here.right);
for (const [what, those] of [
  ['no draft', withoutDraft],
  ['nothing to delete', untouched],
  ['right end refused here', refusing],
  ['own verifier accepts the start', audited.filter(({ own }) => own.start)],
  ['own verifier refuses the damaged end', audited.filter(({ own }) => !own.damaged)],
] as const) {
  console.log(`${what}: ${those.length === 0 ? 'none' : those.map(({ task }) => task).join(', ')}`);
}
const isStrict = audited.every(({ here }) => here === null || (!here.start && !here.damaged));
process.exitCode = isStrict ? 0 : 1;
