import { describe, expect, test } from 'vitest';
import { ScriptCalls } from '../../../src/browser/gateway/script-calls.ts';
import type { JsonObject } from '../../../src/contract/json.ts';

const SCRIPT = '() => { document.title = "Done"; }';
/** As Playwright calls a function of its own in the page, with a value. */
const PLAYWRIGHT = '(utilityScript, ...args) => utilityScript.evaluate(...args)';
const EVALUATING = 'async (expr) => { const value = eval(`(${expr})`); return value(); }';

type Sent = [method: string, params: JsonObject];

function stepsOf(...calls: { args: JsonObject; sends: Sent[] }[]): readonly number[] {
  const steps: number[] = [];
  const scripts = new ScriptCalls((step) => steps.push(step));
  for (const { args, sends } of calls) {
    scripts.callBegins(args);
    for (const [index, [method, params]] of sends.entries()) scripts.note({ id: index, method, params });
  }
  return steps;
}

function evaluated(expression: string): Sent {
  return ['Runtime.evaluate', { expression }];
}

function called(functionDeclaration: string, ...values: JsonObject[string][]): Sent {
  return ['Runtime.callFunctionOn', { functionDeclaration, arguments: values.map((value) => ({ value })) }];
}

describe('a call whose script comes back counts', () => {
  const args = { function: SCRIPT };
  test.each<[string, Sent]>([
    ['as it is', evaluated(SCRIPT)],
    ['between blanks and brackets', evaluated(`(\n${SCRIPT}\n)\n//# sourceURL=tool.js`)],
    ['as a function that is called', called(SCRIPT)],
    ['in another function', evaluated(`(async () => { const run = ${SCRIPT}; return run(); })()`)],
    ['in a string that is evaluated', evaluated(`eval(${JSON.stringify(SCRIPT)})()`)],
    ['as a string for a helper that evaluates', called(EVALUATING, SCRIPT)],
    ['by way of Playwright', called(PLAYWRIGHT, true, true, SCRIPT, 1)],
    ['for a helper of Playwright that evaluates', called(PLAYWRIGHT, true, true, EVALUATING, 1, SCRIPT)],
    [
      'under a telling key of what Playwright sends',
      called(PLAYWRIGHT, true, true, EVALUATING, 1, { o: [{ k: 'expression', v: SCRIPT }], id: 1 }),
    ],
    ['for every document to come', ['Page.addScriptToEvaluateOnNewDocument', { source: `(${SCRIPT})(undefined)` }]],
  ])('%s', (_how, sent) => {
    expect(stepsOf({ args, sends: [sent] })).toEqual([1]);
  });

  test('with no function around it', () => {
    expect(stepsOf({ args: { code: 'document.title' }, sends: [evaluated('document.title')] })).toEqual([1]);
  });

  test('once, however often it is sent', () => {
    expect(stepsOf({ args, sends: [evaluated(SCRIPT), evaluated(SCRIPT), called(SCRIPT)] })).toEqual([1]);
  });

  test('and again when it is called again', () => {
    const once = { args, sends: [evaluated(SCRIPT), evaluated(SCRIPT)] };
    expect(stepsOf(once, { args: {}, sends: [] }, once)).toEqual([1, 3]);
  });

  test('when a script that the tool runs by itself sends a piece of it, even during the next call', () => {
    const code = "async (page) => { await page.evaluate(() => { document.title = 'Done'; }); }";
    const piece = called(PLAYWRIGHT, true, true, "() => { document.title = 'Done'; }", 1);
    expect(stepsOf({ args: { code }, sends: [piece] })).toEqual([1]);
    expect(stepsOf({ args: { code }, sends: [] }, { args: {}, sends: [piece] })).toEqual([1]);
  });

  test('when it is markup that is written into the page', () => {
    const html = '<h1>It is done</h1>';
    expect(stepsOf({ args: { html }, sends: [called('(e, html) => { e.innerHTML = html; }', html)] })).toEqual([1]);
    const code = `async (page) => { await page.setContent("${html}"); }`;
    const writes = 'function ({ html }) { document.write(html); }';
    const sent = called(PLAYWRIGHT, true, true, writes, 1, { o: [{ k: 'html', v: html }], id: 1 });
    expect(stepsOf({ args: { code }, sends: [sent] })).toEqual([1]);
  });
});

describe('a call does not count', () => {
  const args = { target: 'e5', text: SCRIPT };
  test.each<[string, Sent[]]>([
    ['that has sent nothing', []],
    ['whose script came as text for a field', [called('(input, value) => { input.value = value; }', SCRIPT)]],
    [
      'whose script Playwright has filled in',
      [
        called(PLAYWRIGHT, true, true, '(injected, node, { value }) => injected.fill(node, value)', 1, {
          o: [{ k: 'value', v: SCRIPT }],
          id: 1,
        }),
      ],
    ],
    ['whose script was typed', [['Input.insertText', { text: SCRIPT }]]],
    [
      'whose script was typed, and is by chance what the tool sends then',
      [['Input.insertText', { text: SCRIPT }], evaluated(SCRIPT)],
    ],
    [
      'whose script stands in a string of the tool’s own',
      [evaluated(`document.activeElement.value = ${JSON.stringify(SCRIPT)}`)],
    ],
    ['whose script stands in a comment', [evaluated(`document.title /* ${SCRIPT} */`)]],
    [
      'while the tool sends scripts of its own',
      [evaluated('() => document.title'), called(PLAYWRIGHT, true, true, EVALUATING, 1, '1 + 1')],
    ],
  ])('%s', (_what, sends) => {
    expect(stepsOf({ args, sends })).toEqual([]);
  });

  test.each(
    'document | title | value | Total (EUR) | Hello, world | text=alert(1) | www.example.com | x | <'.split(' | '),
  )('that contains "%s", a word of the tool’s scripts too', (text) => {
    const helper = '(value) => { const title = document.title; alert(1); return [title, value, "x", "<"]; }';
    expect(stepsOf({ args: { text }, sends: [called(helper, text), evaluated(helper)] })).toEqual([]);
  });

  test('that selects by a text given to a helper that evaluates', () => {
    const helper = '({ info, functionText }) => { const run = globalThis.eval(functionText); return run(info); }';
    const given = {
      o: [
        { k: 'body', v: 'alert(1)' },
        { k: 'source', v: 'alert(1)' },
        { k: 'functionText', v: '(e) => e[0]' },
      ],
    };
    expect(
      stepsOf({ args: { target: 'alert(1)' }, sends: [called(PLAYWRIGHT, true, true, helper, 2, given)] }),
    ).toEqual([]);
  });

  test('that only names what the tool has sent before', () => {
    const own = called(PLAYWRIGHT, true, true, '() => document.title', 1);
    expect(stepsOf({ args: {}, sends: [own] }, { args: { text: '() => document.title' }, sends: [own] })).toEqual([]);
  });
});

test('a call with a great many texts, or a long one, is not searched for long', () => {
  const steps: number[] = [];
  const scripts = new ScriptCalls((step) => steps.push(step));
  for (let step = 1; step <= 20; step += 1) {
    scripts.callBegins({
      many: Array.from({ length: 20_000 }, (_, index) => `f(${index})`),
      long: `f("${'x'.repeat(4_000_000)}")`,
    });
  }
  scripts.callBegins({ code: SCRIPT });
  scripts.note({ id: 1, method: 'Runtime.evaluate', params: { expression: SCRIPT } });
  expect(steps).toEqual([21]);
});
