import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Row } from '../bundle/row.ts';
import { groupBy } from '../claim/group.ts';
import { type ExportedBundle, type ExportFormat, goalIn, passedOf, sampleName } from './exported-bundle.ts';
import { CONTRACT, sampleOf, usageByModel, type Sample } from './inspect-sample.ts';
import { movesOf } from './moves.ts';

/** Logs of inspect_ai, format version 2: one for each entrant, with an episode as a sample and a repetition as an epoch. */
export const INSPECT: ExportFormat = {
  async write(bundle, folder) {
    const files: string[] = [];
    for (const rows of groupBy(bundle.rows, ({ agent, surface }) => `${agent}/${surface}`).values()) {
      files.push(await writeLog({ ...bundle, rows }, folder));
    }
    return files;
  },
};

/** Becomes `NaN` in the file, as inspect writes the value of an unscored sample. JSON has no such number, and null is refused. */
const UNSCORED = `unscored-${randomUUID()}`;

async function writeLog(bundle: ExportedBundle, folder: string): Promise<string> {
  const zip = new ZipFile();
  const add = (name: string, value: unknown): void => {
    const text = JSON.stringify(value).replaceAll(`"${UNSCORED}"`, 'NaN');
    zip.addBuffer(Buffer.from(text), name, { mtime: new Date(bundle.campaign.created_at) });
  };
  const goal = goalIn(bundle.campaign);
  const samples: Sample[] = [];
  const start = startOf(bundle);
  add('_journal/start.json', start);
  for (const row of bundle.rows) {
    const sample = sampleOf(row, {
      goal: goal(row),
      unscored: UNSCORED,
      ...(await movesOf(bundle.layout, row)),
    });
    add(`samples/${sample.id}_epoch_${sample.epoch}.json`, sample);
    samples.push(sample);
  }
  const summaries = samples.map(summaryOf);
  const reduced = reducedOf(bundle.rows);
  add('_journal/summaries/1.json', summaries);
  add('summaries.json', summaries);
  add('reductions.json', [{ scorer: CONTRACT, reducer: 'mean', samples: reduced }]);
  add('header.json', { ...start, ...endOf(bundle, reduced) });
  zip.end();
  const { agent, surface } = firstOf(bundle);
  const time = bundle.campaign.created_at.replace(/\.\d+Z$/, '+00:00').replaceAll(':', '-');
  const file = `${time}_${agent}-${surface}_${start.eval.eval_id}.eval`;
  await pipeline(zip.outputStream, createWriteStream(path.join(folder, file), { flags: 'wx' }));
  return file;
}

function firstOf({ rows }: ExportedBundle): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('an entrant without episodes');
  return row;
}

/** The head of a log, as far as it is known before the first sample. */
function startOf(bundle: ExportedBundle) {
  const { campaign, rows, source } = bundle;
  const { agent, surface, model_id: model } = firstOf(bundle);
  const ids = [...new Set(rows.map(sampleName))];
  const suites = [...new Set(rows.map(({ suite }) => suite))].join('+');
  const name = `${source.plan_hash}/${source.campaign_id}/${agent}/${surface}`;
  const eval_id = createHash('sha256').update(name).digest('hex').slice(0, 22);
  return {
    version: 2,
    status: 'started',
    eval: {
      eval_id,
      run_id: source.campaign_id,
      created: isoOf(campaign.created_at),
      task: suites,
      task_id: eval_id,
      task_version: 0,
      task_attribs: {},
      task_args: {},
      task_args_passed: {},
      solver: `${agent}/${surface}`,
      dataset: { name: suites, samples: ids.length, sample_ids: ids, shuffled: false },
      model: model ?? `touchstone/${agent}`,
      model_generate_config: {},
      model_args: {},
      config: { epochs: campaign.plan.iterations, epochs_reducer: ['mean'] },
      packages: { touchstone: campaign.pins.bench_version },
      metadata: { agent, surface, bench_commit: campaign.pins.bench_commit, ...source },
      scorers: [{ name: CONTRACT, metrics: [{ name: 'accuracy' }, { name: 'stderr' }] }],
    },
    plan: {
      name: 'plan',
      steps: [{ solver: `${agent}/${surface}`, params: {}, params_passed: {} }],
      config: {},
    },
  };
}

function endOf({ rows, campaign, source }: ExportedBundle, reduced: ReturnType<typeof reducedOf>): object {
  const values = reduced.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  const metric = (name: string, value: number) => ({
    name,
    value: n === 0 ? UNSCORED : value,
    params: {},
  });
  const metrics = {
    accuracy: metric('accuracy', mean),
    stderr: metric('stderr', n > 1 ? Math.sqrt(variance / n) : 0),
  };
  const score = { name: CONTRACT, scorer: CONTRACT, reducer: 'mean', params: {}, metrics };
  const counts = { scored_samples: n, unscored_samples: reduced.length - n };
  const ended = rows.flatMap(({ ended_at: at }) => at ?? []).toSorted();
  const completed = ended.at(-1) ?? campaign.created_at;
  return {
    status: source.seal_hash === null ? 'cancelled' : 'success',
    invalidated: false,
    tags: [],
    metadata: {},
    results: {
      total_samples: rows.length,
      completed_samples: rows.length,
      scores: [{ ...score, ...counts }],
    },
    stats: {
      started_at: isoOf(campaign.created_at),
      completed_at: isoOf(completed),
      model_usage: usageByModel(rows),
      role_usage: {},
      connection_limit_history: [],
    },
  };
}

/** The mean of the scored repetitions of each sample. */
function reducedOf(rows: readonly Row[]) {
  return [...groupBy(rows, sampleName)].map(([sample_id, repetitions]) => {
    const scored = repetitions.flatMap((row) => passedOf(row) ?? []);
    const value = scored.length === 0 ? UNSCORED : scored.filter(Boolean).length / scored.length;
    return { sample_id, value, history: [] };
  });
}

const MAX_SUMMARY = 1_000;

/** A sample without what makes it long. */
function summaryOf(whole: Sample): object {
  const {
    messages,
    output: _output,
    store: _store,
    events: _events,
    attachments: _attachments,
    limit,
    ...sample
  } = whole;
  const { [CONTRACT]: score } = sample.scores;
  const explanation = score.explanation.slice(0, MAX_SUMMARY);
  return {
    ...sample,
    input: sample.input.slice(0, MAX_SUMMARY),
    scores: { [CONTRACT]: { ...score, explanation } },
    ...(limit === undefined ? {} : { limit: limit.type }),
    completed: true,
    message_count: messages.length,
  };
}

/** In Python's form. */
function isoOf(time: string): string {
  return time.replace(/Z$/, '+00:00');
}
