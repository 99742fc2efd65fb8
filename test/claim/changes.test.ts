import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { changesBetween, recoveryBetween } from '../../src/claim/changes.ts';
import { type ChangesReport, changesSections, gateProblems, onlyControls } from '../../src/report/changes-report.ts';
import { movesIn } from '../../src/report/moved-tasks.ts';
import { markdownSections } from '../../src/report/markdown.ts';
import { CONTROL, FIRED, ofTask, PASSED, sampleRows, UNAVAILABLE } from '../bundle/sample-row.ts';

function textOf(report: ChangesReport, { gate = true, controls = new Set<string>() } = {}): string {
  return markdownSections(changesSections(report, { gate, controls }));
}

/** Repetitions of a task, of which some pass. */
function rowsOf(task: string, passed: number, episodes: number, more: Partial<Row> = {}): Row[] {
  const edits = Array.from({ length: episodes }, (_, iteration) => (iteration < passed ? PASSED : {}));
  return sampleRows(...edits.map((edit, iteration) => ({ ...ofTask(task), iteration, ...edit, ...more })));
}

const tasks = (passed: number, episodes: number) =>
  ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((task) => rowsOf(task, passed, episodes));

const reportOf = (before: readonly Row[], after: readonly Row[]) => {
  const changes = changesBetween(before, after);
  const recovery = recoveryBetween(before, after);
  const problems = gateProblems(changes, recovery);
  const names = { schema_version: 1 as const, before: 'monday', after: 'tuesday', sentence: '1 of 2 passed.' };
  const compared = [changes, ...(recovery === null ? [] : [recovery])];
  const moves = {
    ...movesIn(compared, { rows: after, state: new Map() }, onlyControls([...before, ...after])),
    differs: [],
    files: { changed: [], same: ['model'] },
  };
  return { ...names, moves, differences: [], ...changes, recovery, problems };
};

describe('changes between two campaigns', () => {
  it('are empty if both had the same results', () => {
    const { entrants, problems } = reportOf(tasks(1, 2), tasks(1, 2));
    expect(entrants[0]?.all).toMatchObject({ difference: 0, direction: 'not significant' });
    expect(entrants[0]?.tasks).toHaveLength(8);
    expect(problems).toEqual([]);
  });

  it('are a regression over all tasks if the interval excludes 0, and an improvement the other way round', () => {
    const { entrants, problems } = reportOf(tasks(2, 2), tasks(0, 2));
    expect(entrants[0]?.all).toMatchObject({ difference: -1, direction: 'regressed' });
    expect(entrants[0]?.all?.interval?.high).toBeLessThan(0);
    expect(problems).toContain('model through aria regressed over its tasks');
    expect(reportOf(tasks(0, 2), tasks(2, 2))).toMatchObject({
      entrants: [{ all: { direction: 'improved' } }],
      problems: [],
    });
  });

  it('in one task need repetitions: one failure after one pass shows nothing', () => {
    const [once] = reportOf(rowsOf('a', 1, 1), rowsOf('a', 0, 1)).entrants;
    expect(once?.tasks[0]).toMatchObject({ difference: -1, direction: 'not significant' });
    expect(once?.all).toMatchObject({ interval: null, direction: null });
    const often = reportOf(rowsOf('a', 10, 10), rowsOf('a', 2, 10));
    expect(often.problems).toEqual(['model through aria regressed on basics/a']);
  });

  it('name a task that is missing after, or could not run, and fail for it', () => {
    const { missing, problems } = reportOf(
      [...rowsOf('a', 1, 1), ...rowsOf('b', 1, 1), ...rowsOf('c', 1, 1)],
      [...rowsOf('a', 1, 1), ...rowsOf('c', 0, 1, UNAVAILABLE)],
    );
    expect(missing.map(({ task, why }) => [task, why])).toEqual([
      ['basics/b/default', 'no episode of it is there'],
      ['basics/c/default', 'it is unavailable: it is not installed'],
    ]);
    expect(problems).toHaveLength(2);
  });

  it('name an entrant that is missing after, task by task', () => {
    const { missing, added } = reportOf(rowsOf('a', 1, 1), rowsOf('a', 1, 1, { surface: 'dom' }));
    expect(missing).toMatchObject([{ agent: 'model', surface: 'aria', task: 'basics/a/default' }]);
    expect([missing[0]?.why, added[0]?.why]).toEqual(['the entrant is not there', 'the entrant was not there before']);
  });

  it('report that no entrant is in both, not that no task is, if two versions have two names', () => {
    const own = (agent: string) => rowsOf('a', 1, 1, { agent, surface: 'own' });
    const text = textOf(reportOf(own('signer'), own('lazy')));
    expect(text).toContain('No entrant is in both: `signer through own` only before, `lazy through own` only after.');
    expect(text).toContain('give both the same `id` in a YAML file');
    expect(text).not.toMatch(/no task ran in both/i);
    expect(text).not.toContain('No task passes more or less often');
  });

  it('name entrants that are in one bundle only, unless all are in both', () => {
    const withRowsOf = (agent: string) => [...rowsOf('a', 1, 1), ...rowsOf('a', 1, 1, { agent, surface: 'own' })];
    const text = textOf(reportOf(withRowsOf('signer'), withRowsOf('lazy')));
    expect(text).toContain('Not every entrant is in both: `signer through own` only before');
    expect(text).toContain('No task passes more or less often than before.');
    expect(textOf(reportOf(withRowsOf('signer'), withRowsOf('signer')))).not.toContain('entrant is in both');
    expect(textOf(reportOf(withRowsOf('signer'), rowsOf('b', 1, 1)))).toContain('No task ran in both.');
  });

  it('have the verdict of its repetitions for a single task, and no “nothing significant” above a regression', () => {
    const text = textOf(reportOf(rowsOf('a', 5, 5), rowsOf('a', 0, 5)));
    expect(text).toContain('| model through aria | 5 of 5 | 0 of 5 | -100.0 | – | one task: regressed |');
    expect(text).not.toContain('not significant');
    expect(textOf(reportOf(rowsOf('a', 1, 1), rowsOf('a', 0, 1)))).toContain('| one task: not significant |');
  });

  it.each([
    ['contract_hash', 'it is judged by another contract (contract_hash)'],
    ['task_hash', 'it is another task (task_hash)'],
  ])('compare no task that has another %s, report it, and fail for it', (field, why) => {
    const other = { [field]: 'f'.repeat(64) };
    const report = reportOf(
      [...rowsOf('a', 1, 1), ...rowsOf('b', 1, 1)],
      [...rowsOf('a', 0, 1, other), ...rowsOf('b', 1, 1)],
    );
    expect(report.other_contract).toMatchObject([{ task: 'basics/a/default', why }]);
    expect(report.entrants[0]?.tasks.map(({ task }) => task)).toEqual(['basics/b/default']);
    expect(report.problems).toHaveLength(1);
  });

  it('pair a task whose hashes are the same before and after, whatever they are', () => {
    const other = { task_hash: 'e'.repeat(64), contract_hash: 'f'.repeat(64) };
    const report = reportOf(rowsOf('a', 1, 1, other), rowsOf('a', 1, 1, other));
    expect(report.other_contract).toEqual([]);
    expect(report.entrants[0]?.tasks.map(({ task }) => task)).toEqual(['basics/a/default']);
  });

  it('list a new task, which fails nothing', () => {
    const { added, problems } = reportOf(rowsOf('a', 1, 1), [...rowsOf('a', 1, 1), ...rowsOf('b', 0, 1)]);
    expect(added).toMatchObject([{ task: 'basics/b/default' }]);
    expect(problems).toEqual([]);
  });

  it('are drawn as Markdown, with the changes and what fails the gate', () => {
    const text = textOf(reportOf([...tasks(2, 2), ...rowsOf('gone', 1, 1)], tasks(0, 2)));
    expect(text).toContain('| model through aria | 16 of 16 | 0 of 16 | -100.0 |');
    expect(text).toContain('- basics/gone by model through aria: no episode of it is there');
    expect(text).toContain('Gate: not met (');
    expect(textOf(reportOf(tasks(2, 2), tasks(2, 2)))).toContain('Gate: met.');
  });

  it('mention no gate if none was asked for', () => {
    const report = reportOf(tasks(2, 2), tasks(0, 2));
    expect(textOf(report, { gate: true })).toContain('Gate: not met (');
    expect(textOf(report, { gate: false })).not.toContain('Gate');
  });

  it('report a control that was left out or passes less often, without failing for it', () => {
    const own = rowsOf('a', 1, 1);
    const without = changesBetween([...own, ...rowsOf('a', 0, 1, CONTROL)], own);
    expect(gateProblems(without, null, new Set(['null']))).toEqual([]);
    expect(gateProblems(without, null, new Set())).toHaveLength(1);
    expect(without.missing).toMatchObject([{ agent: 'null' }]);
    const rarer = changesBetween(rowsOf('a', 10, 10, CONTROL), rowsOf('a', 0, 10, CONTROL));
    expect(gateProblems(rarer, null, new Set(['null']))).toEqual([]);
    expect(gateProblems(rarer, null, new Set())).toHaveLength(1);
  });

  it('do not name a control that only one bundle has as an entrant or task that is missing', () => {
    const own = rowsOf('a', 1, 1);
    const report = reportOf(
      [...own, ...rowsOf('a', 0, 1, CONTROL)],
      [...own, ...rowsOf('a', 1, 1, { surface: 'dom' })],
    );
    const text = textOf(report, { controls: new Set(['null']) });
    expect(text).toContain('| null through aria |');
    expect(text).not.toMatch(/entrant is in both|Missing after/);
    expect(textOf(report)).toMatch(/Not every entrant is in both: `null through aria` only before.*### Missing after/s);
  });

  it('fail for an agent that is a control in only one of the two bundles', () => {
    const control = { agent: 'mine', decider: 'control' } as const;
    expect(onlyControls([control, control])).toEqual(new Set(['mine']));
    expect(onlyControls([{ ...control, decider: 'process' }, control])).toEqual(new Set());
  });

  it('add to a gate that is met which changes it could not tell from chance, and how to', () => {
    const text = textOf(reportOf(rowsOf('a', 1, 1), rowsOf('a', 0, 1)));
    expect(text).toMatch(/1 task passed less often than before, and .* run both with more \(`-n`\)\.\n\nGate: met\./);
    expect(textOf(reportOf(rowsOf('a', 10, 10), rowsOf('a', 0, 10)))).not.toContain('may be chance');
    expect(textOf(reportOf(rowsOf('a', 1, 1), rowsOf('a', 1, 1)))).not.toContain('may be chance');
  });
});

function faultyRows(task: string, recovered: number, episodes: number, fired = true): Row[] {
  const faults = [{ ...FIRED, fired, cleared: fired }];
  const faulty = Array.from({ length: episodes }, (_, iteration) => {
    const passes = iteration < recovered;
    return { ...ofTask(task), iteration, faults, recovered: fired ? passes : null, ...(passes ? PASSED : {}) };
  });
  return [...rowsOf(task, episodes, episodes), ...sampleRows(...faulty)];
}

describe('changes of recovery', () => {
  it('are apart from those of episodes without planned faults', () => {
    const report = reportOf(faultyRows('a', 10, 10), faultyRows('a', 2, 10));
    expect(report.entrants).toMatchObject([{ tasks: [{ task: 'basics/a/default', difference: 0 }] }]);
    expect(report.recovery?.entrants).toMatchObject([
      { tasks: [{ task: 'basics/a/default + lost', direction: 'regressed', after: { passed: 2, episodes: 10 } }] },
    ]);
    expect(report.problems).toEqual(['recovery: model through aria regressed on basics/a + lost']);
    const markdown = textOf(report);
    expect(markdown).toContain('## Recovery');
    expect(markdown).toContain('### Tasks that changed');
    expect(markdown).toContain('Gate: not met (1).');
  });

  it('are empty if both had the same results', () => {
    const { recovery, problems } = reportOf(faultyRows('a', 2, 10), faultyRows('a', 2, 10));
    expect(recovery?.entrants).toMatchObject([{ tasks: [{ difference: 0 }] }]);
    expect(problems).toEqual([]);
  });

  it('name a fault that is missing after, or that did not fire, and fail for it', () => {
    const before = [...faultyRows('a', 1, 1), ...faultyRows('b', 1, 1)];
    const { recovery, problems } = reportOf(before, [...rowsOf('a', 1, 1), ...faultyRows('b', 1, 1, false)]);
    expect(recovery?.missing.map(({ task, why }) => [task, why])).toEqual([
      ['basics/a/default + lost', 'no episode of it is there'],
      ['basics/b/default + lost', 'it is void: its fault did not fire, or the task was not passed without it'],
    ]);
    expect(problems).toHaveLength(2);
  });

  it('are empty if no faults were planned', () => {
    const report = reportOf(tasks(1, 2), tasks(1, 2));
    expect(report.recovery).toBeNull();
    expect(textOf(report)).not.toContain('## Recovery');
  });
});
