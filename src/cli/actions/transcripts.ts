import { fact } from '../../messages/messages.ts';
import path from 'node:path';
import {
  parseTranscript,
  type Transcript,
  transcriptDiff,
  transcriptText,
  transcriptFile,
} from '../../agent/transcript.ts';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../../bundle/atomic-file.ts';
import type { BundleLayout } from '../../bundle/layout.ts';
import { MAX_BYTES } from '../../bundle/limits.ts';
import { readPlainFile } from '../../bundle/plain-file.ts';
import type { Row } from '../../bundle/row.ts';
import { readCountedRows } from '../../bundle/sealed-rows.ts';
import { raised, readBaselineIfAny, writeBaseline } from '../../plan/baseline.ts';
import { readCampaignFile } from '../../plan/campaign-file.ts';
import { problemText } from '../../contract/validation/problem.ts';
import { canonicalJson, sha256Hex } from '../../contract/canonical.ts';
import { OWN } from '../../surface/surface-ids.ts';
import { confineIfThere } from '../../task/suite-paths.ts';
import type { LoadedSuite } from '../../task/load-suite.ts';
import { nameOfInstance, taskName } from '../../task/instance.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { openBundle } from '../bundles.ts';
import { sourcesOf, suitesToResume } from '../resumed-plan.ts';
import { loadSuites, refuseInstalled, relative } from '../suites.ts';
import type { Terminal } from '../terminal.ts';
import type { Request } from '../command.ts';
import type { TranscriptsOptions } from '../commands/write.ts';
import { counted } from '../../report/numbers.ts';

export async function transcripts(
  { args, options: { agent: agents, surface: surfaces, accept, baseline } }: Request<TranscriptsOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  const [folder = '', ...named] = args;
  using opened = await openBundle(folder);
  const { layout } = opened;
  const campaign = await readCampaignFile(layout);
  const suites = await loadSuites(suitesToResume(folder, sourcesOf(campaign), named), terminal);
  const entrant = { agent: only(agents, '--agent'), surface: only(surfaces, '--surface') };
  const recorded = await recordedIn(layout, entrant, suites);
  const differing = recorded.filter(({ diff }) => diff.length > 0);
  for (const each of recorded) printDiff(each, terminal);
  const raise = baseline === undefined ? null : await raiseOf(baseline, entrant.surface, recorded);
  if (accept) {
    refuseInstalled(differing.map(({ file }) => file));
    for (const { file } of differing) await refuseLink(file);
    for (const { file, text } of differing) {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFileAtomically(file, text);
    }
    await raise?.write();
  }
  const open = differing.length + (raise?.isDue === true ? 1 : 0);
  terminal.out(summary(recorded.length, differing.length, raise, accept));
  return open === 0 || accept ? EXIT.done : EXIT.gateNotMet;
}

/** A transcript of a bundle, and that of the suite. */
interface Recorded {
  suite: string;
  task: string;
  contractHash: string;
  file: string;
  isNew: boolean;
  diff: string[];
  /** The new content of the file. */
  text: string;
}

/** @throws UsageError when a suite's folder of transcripts lies outside it, where nothing may be written */
async function refuseLink(file: string): Promise<void> {
  const suite = path.dirname(path.dirname(file));
  const confined = await confineIfThere(suite, path.relative(suite, file), [suite]);
  if (confined.ok) return;
  throw new UsageError(fact('transcript_outside', { problems: confined.problems.map(problemText) }));
}

function only(names: readonly string[], flag: string): string {
  const [name, ...others] = names;
  if (name !== undefined && others.length === 0) return name;
  throw new UsageError(fact('several_entrants', { flag, count: names.length }));
}

/** @throws UsageError when nothing of this entrant passed */
async function recordedIn(
  layout: BundleLayout,
  { agent, surface }: Pick<Row, 'agent' | 'surface'>,
  suites: readonly LoadedSuite[],
): Promise<Recorded[]> {
  const all = (await readCountedRows(layout)).filter((row) => row.status === 'passed' && row.surface !== OWN);
  const rows = all.filter((row) => row.agent === agent && row.surface === surface);
  if (rows.length === 0) {
    const others = [...new Set(all.map((row) => `--agent ${row.agent} --surface ${row.surface}`))].join('; ');
    throw new UsageError(fact('nothing_passed', { bundle: layout.root, agent, surface, others }));
  }
  const first = new Map(
    rows.toReversed().map((row) => [`${row.suite}/${nameOfInstance(row.task, row.instance)}`, row]),
  );
  return await Promise.all([...first.values()].toReversed().map((row) => recordedBy(row, layout, suites)));
}

async function recordedBy(row: Row, layout: BundleLayout, suites: readonly LoadedSuite[]): Promise<Recorded> {
  const suite = suites.find(({ id }) => id === row.suite);
  const name = nameOfInstance(row.task, row.instance);
  if (suite?.tasks.some(({ task }) => taskName(task) === name) !== true) {
    throw new UsageError(fact('task_is_gone', { suite: row.suite, task: name }));
  }
  const file = transcriptFile(path.dirname(suite.file), name, row.surface);
  const kept = existsSync(file) ? await readFile(file, 'utf8') : null;
  const before = kept === null ? null : parseTranscript(kept, file);
  const source = layout.attempt(row.episode_id, row.attempt).transcript;
  const heard = parseTranscript(readPlainFile(source, MAX_BYTES.attemptFile).toString('utf8'), source);
  const after = asKept(heard, row, before);
  const diff = transcriptDiff(before, after);
  const text = kept === null || diff.length > 0 ? transcriptText(after) : kept;
  return { suite: row.suite, task: name, contractHash: row.contract_hash, file, isNew: before === null, diff, text };
}

/** Names the origin of a transcript, and counts its calls. */
function asKept(heard: Transcript, { decider }: Row, before: Transcript | null): Transcript {
  const whose = decider === 'transcript' && before !== null ? before.header.provenance : heard.header.provenance;
  return { ...heard, header: { ...heard.header, provenance: whose, calls: heard.entries.length } };
}

function printDiff({ file, isNew, diff }: Recorded, terminal: Terminal): void {
  const name = relative({ file }).file;
  terminal.out(`${name}: ${diff.length === 0 ? 'no difference' : isNew ? 'new' : 'differs'}`);
  for (const line of diff) terminal.out(`  ${line}`);
}

/** Makes a baseline that expects these transcripts. */
interface Raise {
  isDue: boolean;
  write: () => Promise<void>;
}

async function raiseOf(file: string, surface: string, recorded: readonly Recorded[]): Promise<Raise> {
  const [suite = '', ...others] = new Set(recorded.map((each) => each.suite));
  if (others.length > 0) throw new UsageError(fact('baseline_of_several'));
  const before = await readBaselineIfAny(file);
  const hashes = new Map(
    recorded.map(({ task, contractHash, text }) => [
      task,
      { contract_hash: contractHash, transcript_sha256: sha256Hex(text) },
    ]),
  );
  const baseline = raised(before, { suite, agent: 'transcript', surface }, hashes);
  const isDue = canonicalJson(before) !== canonicalJson(baseline);
  return { isDue, write: async () => (isDue ? await writeBaseline(file, baseline) : undefined) };
}

function summary(count: number, differing: number, raise: Raise | null, accept: boolean): string {
  const transcriptCount = `${differing} of ${counted(count, 'transcript')}`;
  const baseline = raise?.isDue === true ? ' and the baseline' : '';
  if (differing === 0 && baseline === '') return `${counted(count, 'transcript')}, no difference`;
  return accept
    ? `wrote ${transcriptCount}${baseline}`
    : `${transcriptCount}${baseline} would change; --accept writes what is shown`;
}
