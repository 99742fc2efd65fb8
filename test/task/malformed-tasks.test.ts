import { describe, expect, it } from 'vitest';
import { fixtureNames, problemsIn } from './problems-in.ts';

const FIELDS =
  'id, title, startUrl, goal, maxSteps, maxDurationMs, maxTurns, maxTokens, maxUsd, kinds, success, guards, setup, tags, category, world, instances, auth, faults, solutions, nearMisses';
const MISSING = 'is missing; give an assertion, for example { kind: no_dialog }';

const EXPECTED: Record<string, string[]> = {
  'bad-ids.yaml': ['bad-ids.yaml:1:1 id: is not an id; write letters and digits joined by single "-" or "_"'],
  'caps-as-text.yaml': [
    'caps-as-text.yaml:5:1 maxSteps: must be a number, not "30"; write it without quotes',
    'caps-as-text.yaml:6:1 maxDurationMs: must be a whole number, not 1.5',
  ],
  'caps-out-of-range.yaml': [
    'caps-out-of-range.yaml:5:1 maxSteps: must be at least 1, not 0',
    'caps-out-of-range.yaml:6:1 maxDurationMs: must be at most 600000, not 600001',
    'caps-out-of-range.yaml:7:1 maxTurns: must be at least 1, not -1',
    'caps-out-of-range.yaml:8:1 maxUsd: must be more than 0, not 0',
  ],
  'caps-raised.yaml': [
    'caps-raised.yaml:5:1 maxTurns: must be at most 50, not 51',
    'caps-raised.yaml:6:1 maxUsd: must be at most 0.5, not 0.51',
  ],
  'category-unknown.yaml': [
    'category-unknown.yaml:5:1 category: must be one of "info_retrieval", "multi_step_navigation", "form_fill", "transactional_mock", "recovery", "dynamic_ui", "long_horizon", not "forms"',
    'category-unknown.yaml:6:13 tags[1]: is empty; say it in words',
  ],
  'empty-list.yaml': ['empty-list.yaml:1:1: is an empty list; write at least one task'],
  'everything-missing.yaml': [
    'everything-missing.yaml:1:1 title: is missing; give text',
    'everything-missing.yaml:1:1 startUrl: is missing; give text',
    'everything-missing.yaml:1:1 goal: is missing; give text',
    `everything-missing.yaml:1:1 success: ${MISSING}`,
  ],
  'goal-blank.yaml': ['goal-blank.yaml:4:1 goal: is empty; say it in words'],
  'id-with-separator.yaml': [
    'id-with-separator.yaml:1:1 id: is not an id; write letters and digits joined by single "-" or "_"',
  ],
  'instance-parameter-a-list.yaml': [
    'instance-parameter-a-list.yaml:9:5 instance.parameters.items: must be a number, or text of at most 1000 characters',
  ],
  'near-miss-without-reason.yaml': ['near-miss-without-reason.yaml:7:5 nearMisses[0].why: is missing; give text'],
  'not-a-map.yaml': ['not-a-map.yaml:1:1: must be a task (a map of fields), not "just a line of text"'],
  'prototype-field.yaml': [`prototype-field.yaml:5:1 __proto__: unknown field; allowed: ${FIELDS}`],
  'script-task.ts': [
    'script-task.ts [0].success.pattern: is not a pattern we can run: error parsing regexp: missing closing ): `(`; write an RE2 pattern (JavaScript syntax without look-around and back-references)',
    'script-task.ts [1].maxSteps: must be a number, not NaN',
    `script-task.ts [1].success: ${MISSING}`,
  ],
  'second-of-a-list.yaml': ['second-of-a-list.yaml:10:3 [1].success.pattern: is missing; give text'],
  'setup-wrong.yaml': [
    'setup-wrong.yaml:6:3 setup.clearCookies: must be true or false, not "yes"',
    'setup-wrong.yaml:7:15 setup.viewport.width: must be at least 1, not 0',
    'setup-wrong.yaml:7:25 setup.viewport.heigth: unknown field; did you mean "height"?',
  ],
  'start-url-of-a-file.yaml': [
    'start-url-of-a-file.yaml:3:1 startUrl: starts with file:; use http:, https: or about:blank',
  ],
  'start-url-relative.yaml': [
    'start-url-relative.yaml:3:1 startUrl: is not a URL; write it whole, for example http://basics.localhost/form',
  ],
  'start-url-with-password.yaml': [
    'start-url-with-password.yaml:3:1 startUrl: holds a user name or password; leave them out',
  ],
  'steps-wrong.yaml': [
    'steps-wrong.yaml:8:11 solutions[0].steps[0].do: must be one of "go", "click", "fill", "choose", "press", "switch_tab", "dialog", "wait_for", "read", "settle", "call", "answer", "not_possible", not "clik"',
    'steps-wrong.yaml:9:9 solutions[0].steps[1].text: is missing; give text',
    'steps-wrong.yaml:10:40 solutions[0].steps[2].text: goes with "action: accept" only',
    'steps-wrong.yaml:11:23 solutions[0].steps[3].value: must be text or a number, the value that the goal asks for',
    'steps-wrong.yaml:12:9 solutions[0].steps[4]: must be a map of fields, not "click Send"',
    'steps-wrong.yaml:13:5 solutions[1].for: must be one of "page", "tools", not "humans"',
    'steps-wrong.yaml:14:5 solutions[1].steps: is empty; list at least one step',
  ],
  'unknown-field.yaml': [`unknown-field.yaml:5:1 maxstep: unknown field; did you mean "maxSteps"?`],
  'urls-with-control-characters.yaml': [
    'urls-with-control-characters.yaml:4:1 startUrl: holds a control character, a line break for example; leave it out',
    'urls-with-control-characters.yaml:8:19 solutions[0].steps[0].url: holds a control character, a line break for example; leave it out',
    'urls-with-control-characters.yaml:9:19 solutions[0].steps[1].url: holds a control character, a line break for example; leave it out',
  ],
};

describe('a malformed task is refused with place, path and remedy', () => {
  it.each(Object.entries(EXPECTED))('%s', async (name, expected) => {
    expect(await problemsIn(`malformed/task/${name}`)).toEqual(expected);
  });

  it('every fixture is in the table', async () => {
    expect(await fixtureNames('malformed/task')).toEqual(Object.keys(EXPECTED).toSorted());
  });
});
