import { expect, test } from 'vitest';
import { qualificationPins } from '../../src/plan/qualification.ts';
import { mutantsOf } from '../../src/contract/mutants.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import { taskName } from '../../src/task/instance.ts';
import { builtIn } from '../suite-files.ts';

/** The tasks of each suite that do not qualify, as in docs/qualify.md. */
const NOT_QUALIFIED: Record<string, string[]> = {
  account: [],
  basics: ['example-h1'],
  protocols: [],
  realapps: [],
  stress: [],
  web: ['canvas', 'consent-first', 'details-closed', 'frame-endless', 'hover-menu', 'moving', 'shadow-closed'],
  webvoyager: [
    'task-01-example-com-title',
    'task-02-mdn-fetch-syntax',
    'task-03-wikipedia-eiffel-height',
    'task-04-rfc-9110-section-9-title',
    'task-05-w3c-html-section-definition',
    'task-06-arxiv-2401-13919-abstract',
    'task-07-rust-string-trim-method',
    'task-08-mdn-array-map-return',
    'task-09-wikipedia-speed-of-light',
    'task-10-tc39-ecma262-strict-mode',
  ],
};

test.each(Object.entries(NOT_QUALIFIED))(
  'every task of %s has a current proof and qualifies, unless it is named here',
  async (id, others) => {
    const suite = await builtIn(id);
    const world = await loadSuiteWorld(suite);
    const pins = await qualificationPins(suite, world.appHash);
    const names = suite.tasks.map(({ task }) => taskName(task));
    const untried = names.filter((name) => !Object.hasOwn(pins, `${id}/${name}`));
    expect(untried).toEqual([]);
    // A kind whose mutants are others has another version, and so no proof that is current; this notices one that has not.
    const changed = suite.tasks.flatMap(({ task }) => {
      const proof = pins[`${id}/${taskName(task)}`];
      // Without a correct end no mutant is tried.
      if (proof?.reference.passed === 0) return [];
      const tried = proof?.mutants.map(({ mutant }) => mutant) ?? [];
      const now = mutantsOf(task).map(({ name }) => name);
      return tried.join('\n') === now.join('\n') ? [] : [taskName(task)];
    });
    expect(changed).toEqual([]);
    const failed = Object.entries(pins).flatMap(([name, { verdict }]) => (verdict === 'qualified' ? [] : [name]));
    expect(failed.map((name) => name.slice(id.length + 1)).toSorted()).toEqual(others);
    const { world: place } = suite;
    const hasTools = place.kind === 'local' && place.sites.some(({ mcp }) => mcp !== undefined);
    const byTools = suite.tasks.flatMap(({ task }) =>
      hasTools && task.solutions?.some((each) => each.for === 'tools') === true ? [`${id}/${taskName(task)}`] : [],
    );
    expect(byTools.filter((name) => pins[name]?.other_routes.of === 0)).toEqual([]);
  },
);
