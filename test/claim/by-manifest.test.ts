import { describe, expect, it } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { apartByManifest } from '../../src/claim/by-manifest.ts';
import type { FiguredRow } from '../../src/claim/figured-row.ts';
import { entrantAxes } from '../../src/claim/axes.ts';
import { entrantScores } from '../../src/claim/scores.ts';
import { drawClaims } from '../../src/claim/claims.ts';
import { drawnReport } from '../report/drawn-report.ts';
import { pooled } from '../../src/claim/pooled.ts';
import { ofTask, SAMPLE } from '../bundle/sample-row.ts';
import { completionOf, eligibleFacts, FIRST, SECOND } from './eligible-facts.ts';

const ENTRANT = { agent: SAMPLE.agent, surface: SAMPLE.surface };
const OURS = 'aaaaaaaaaaaa';
const THEIRS = 'bbbbbbbbbbbb';
const APART = [`${ENTRANT.surface}-manifest-${OURS}`, `${ENTRANT.surface}-manifest-${THEIRS}`];

function rowsWith(...manifests: (string | null)[]) {
  return manifests.map((manifest, at) =>
    finishRow({
      ...SAMPLE,
      instance: `seed-${at}`,
      plan_index: at,
      episode_id: String(at).padStart(16, '0'),
      manifest_checksum: manifest,
    }),
  );
}

function surfacesIn(lines: readonly { surface: string }[]): string[] {
  return lines.map(({ surface }) => surface);
}

describe('rows whose pages had another NAC3 manifest', () => {
  const { tables, entrants, claims } = drawnReport(3, rowsWith(OURS, THEIRS, THEIRS), [ENTRANT]);

  it('are separate lines in every table and in the claims', () => {
    for (const lines of [tables.entrants, tables.tasks, entrants, claims.entrants]) {
      expect(surfacesIn(lines)).toEqual(APART);
    }
    expect(tables.entrants.map(({ passed }) => passed.of)).toEqual([1, 2]);
    expect(claims.entrants.map(({ success }) => success.passed.trials)).toEqual([1, 2]);
  });

  it('are separate over several bundles too', () => {
    const bundles = [OURS, THEIRS].map((manifest) => ({
      name: manifest,
      campaign_id: manifest,
      planned: 1,
      entrants: [ENTRANT],
      rows: rowsWith(manifest),
    }));
    const [part] = pooled(bundles).parts;
    expect(surfacesIn(part?.tables.entrants ?? [])).toEqual(APART);
    expect(part?.tables.tasks.map(({ passed }) => passed.of)).toEqual([1, 1]);
  });

  it('are separate in scores and on the diagnostic axes', () => {
    for (const [second, surfaces] of [
      [THEIRS, APART],
      [OURS, [ENTRANT.surface]],
    ] as const) {
      const rows = rowsWith(OURS, second);
      const tasks = rows.map(({ suite, task, instance }) => ({ suite, task, instance, isSeed: false }));
      expect(surfacesIn(entrantScores(rows, tasks, [ENTRANT]))).toEqual(surfaces);
      const timed = rows.map((row) => ({ row, callMs: [1] }));
      expect(surfacesIn(entrantAxes(timed, [ENTRANT]))).toEqual(surfaces);
    }
  });

  it('keep the name of their surface if all manifests are the same or missing', () => {
    for (const rows of [rowsWith(OURS, OURS), rowsWith(OURS, null), rowsWith(null, null)]) {
      expect(apartByManifest(rows, [ENTRANT])).toEqual({ rows, entrants: [ENTRANT] });
      expect(surfacesIn(drawnReport(2, rows, [ENTRANT]).tables.entrants)).toEqual([ENTRANT.surface]);
    }
  });

  it('include episodes lost before a manifest was served if their cell shows which; else those get a line', () => {
    const rows = rowsWith(OURS, THEIRS, null, null).map((row, at) => (at === 2 ? { ...row, instance: 'seed-1' } : row));
    const apart = apartByManifest(rows, [ENTRANT]);
    expect(surfacesIn(apart.rows)).toEqual([APART[0], APART[1], APART[1], ENTRANT.surface]);
    expect(surfacesIn(apart.entrants)).toEqual([ENTRANT.surface, ...APART]);
  });
});

describe('a claim', () => {
  /** Facts that bar no claim, in which the first entrant had this manifest on one task in two. */
  function claimsWith(manifest: string) {
    const facts = eligibleFacts({ won: 18 });
    const rows = facts.rows.map((row) =>
      row.agent === FIRST.agent && Number(row.task.slice('task-'.length)) % 2 === 0
        ? finishRow({ ...draftOf(row), manifest_checksum: manifest })
        : row,
    );
    return drawClaims(completionOf({ ...facts, rows }), 1);
  }

  function draftOf({ agent, surface, task, iteration, status, goal_verdict }: FiguredRow): Row {
    return { ...SAMPLE, agent, surface, ...ofTask(task), iteration, status, goal_verdict, faults: [], recovered: null };
  }

  it('is refused for an entrant that met two manifests, with the reason', () => {
    const { claims, eligible } = claimsWith(THEIRS);
    expect(eligible).toEqual([]);
    expect(surfacesIn(claims.entrants)).toEqual([
      `aria-manifest-${SAMPLE.manifest_checksum}`,
      `aria-manifest-${THEIRS}`,
      SECOND.surface,
    ]);
    expect(claims.entrants[1]?.aggregate).toMatchObject({
      grade: 'diagnostic',
      reasons: [
        {
          code: 'cells_missing',
          params: expect.objectContaining({ split: true }),
        },
      ],
    });
  });

  it('is made for one that met the same manifest throughout', () => {
    expect(claimsWith(SAMPLE.manifest_checksum ?? '').eligible).toHaveLength(1);
  });
});
