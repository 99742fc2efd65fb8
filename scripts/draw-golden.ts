import { openBlobs } from '../src/bundle/blobs.ts';
import { loadEvidence } from '../src/bundle/evidence-file.ts';
import { readCountedRows } from '../src/bundle/sealed-rows.ts';
import { readCampaignFile } from '../src/plan/campaign-file.ts';
import { judgeLibraries } from '../src/plan/pins.ts';
import { episodesOf } from '../src/plan/plan.ts';
import { hashJson } from '../src/contract/canonical.ts';
import { type Evidence, missing } from '../src/contract/evidence.ts';
import type { Json } from '../src/contract/json.ts';
import { type Contract, leavesIn } from '../src/contract/schema.ts';
import { SEMANTICS } from '../src/contract/semantics.ts';
import { BATCHES, type Batch, PROBES } from '../test/contract/golden/cases.ts';
import {
  bundleOf,
  type Case,
  type Corpus,
  corpusHash,
  readCorpus,
  replay,
  writeCorpus,
} from '../test/contract/golden/corpus.ts';
import { changedWithoutVersion, goldenProblems, pin, readPinned, writePinned } from '../test/contract/golden/pinned.ts';
import { openBundle } from '../src/cli/bundles.ts';
import { committedBundles, packedBundle } from './draw-bundles.ts';

/** Most bytes of evidence to keep: more would show nothing new. */
const MAX_EVIDENCE_BYTES = 400_000;

/** Probes are judged on this much evidence of each bundle. */
const PROBED = 4;

/** Most pieces of evidence of one bundle. */
const MAX_PIECES = 150;

class CorpusWriter {
  readonly #corpus: Corpus = { evidence: [], cases: [] };
  readonly #places = new Map<string, number>();
  readonly #names = new Set<string>();

  get corpus(): Corpus {
    return this.#corpus;
  }

  add(
    where: string,
    contract: Contract,
    evidence: Evidence,
    others: Pick<Case, 'screenshot_classes'> & Malformed,
  ): void {
    const hash = hashJson(evidence);
    const name = `${where} ${hashJson({ contract, evidence: hash, ...others }).slice(0, 8)}`;
    if (this.#names.has(name)) return;
    this.#names.add(name);
    const place = this.#places.get(hash) ?? this.#corpus.evidence.push(evidence) - 1;
    this.#places.set(hash, place);
    this.#corpus.cases.push({ name, contract, evidence: place, ...others });
  }
}

interface Malformed {
  malformed_answer?: Json;
}

function addBatch(
  writer: CorpusWriter,
  { contracts, on, screenshot_classes: classes, malformed_answers }: Batch,
): void {
  const ofClasses = classes === undefined ? {} : { screenshot_classes: classes };
  const answers: Malformed[] = malformed_answers?.map((answer) => ({ malformed_answer: answer })) ?? [{}];
  for (const [name, evidence] of Object.entries(on)) {
    for (const contract of contracts) {
      for (const answer of answers)
        writer.add(`${contract.kind} on ${name}`, contract, evidence, { ...ofClasses, ...answer });
    }
  }
}

/** Takes the evidence of a committed bundle, with the contracts that judged it there. */
async function addBundle(writer: CorpusWriter, name: string): Promise<void> {
  using opened = await openBundle(packedBundle(name));
  const { layout } = opened;
  const { plan } = await readCampaignFile(layout);
  const planned = new Map(episodesOf(plan).map((episode) => [episode.episodeId, episode.planned]));
  const blobs = openBlobs(layout.blobs);
  const known = new Set<string>();
  for (const { episode_id: id, artifacts } of await readCountedRows(layout)) {
    const own = planned.get(id);
    if (known.size >= MAX_PIECES) break;
    if (own === undefined) continue;
    for (const blob of [artifacts.evidence_start, artifacts.evidence_end]) {
      if (blob === undefined || known.has(blob)) continue;
      const { task, screenshot_classes: classes } = own;
      const contracts = [task.success, ...(task.guards === undefined ? [] : [task.guards])];
      const found = withoutPicture(await loadEvidence(blobs, blob), contracts);
      if (JSON.stringify(found).length > MAX_EVIDENCE_BYTES) continue;
      known.add(blob);
      const others = Object.keys(classes).length === 0 ? {} : { screenshot_classes: classes };
      for (const contract of contracts) writer.add(`bundle ${name} ${task.id}`, contract, found, others);
      if (known.size <= PROBED) writer.add(`bundle ${name} probes`, { kind: 'and', children: [...PROBES] }, found, {});
    }
  }
}

function withoutPicture(evidence: Evidence, contracts: readonly Contract[]): Evidence {
  if (contracts.flatMap(leavesIn).some(({ kind }) => kind === 'screenshot_class')) return evidence;
  return { ...evidence, screenshot: missing('it is left out of the corpus') };
}

function readCorpusIfAny(): Corpus | null {
  return readPinned() === null ? null : readCorpus();
}

const setting = { versions: SEMANTICS, libraries: judgeLibraries() };
const [earlier, pinned] = [readCorpusIfAny(), readPinned()];
if (earlier !== null && pinned !== null) {
  const now = pin(replay(earlier), { ...setting, corpus: corpusHash(earlier) });
  if (changedWithoutVersion(pinned, now).size > 0) {
    for (const problem of goldenProblems(pinned, now)) console.error(problem);
    process.exit(1);
  }
}
const writer = new CorpusWriter();
for (const batch of BATCHES) addBatch(writer, batch);
const kept = process.argv.includes('--bundles') ? null : earlier;
if (kept !== null) {
  for (const each of kept.cases) {
    const evidence = kept.evidence[each.evidence];
    if (bundleOf(each) === null || evidence === undefined) continue;
    const { screenshot_classes: classes, name, contract } = each;
    writer.add(
      name.slice(0, name.lastIndexOf(' ')),
      contract,
      evidence,
      classes === undefined ? {} : { screenshot_classes: classes },
    );
  }
}
const drawn = new Set(kept?.cases.map(bundleOf));
for (const name of committedBundles()) if (!drawn.has(name)) await addBundle(writer, name);
writeCorpus(writer.corpus);
const written = readCorpus();
writePinned(pin(replay(written), { ...setting, corpus: corpusHash(written) }));
console.log(`${written.cases.length} golden cases on ${written.evidence.length} pieces of evidence`);
