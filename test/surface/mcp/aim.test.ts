import { expect, test } from 'vitest';
import { BindingFile } from '../../../src/surface/mcp/binding-file.ts';
import { ServerAim } from '../../../src/surface/mcp/aim.ts';
import { targetClass, type TargetReport } from '../../../src/task/target.ts';

const BINDING = BindingFile.parse({
  look: { tool: 'look' },
  elements: 'aria',
  click: { tool: 'click', args: { what: '{{name}}', target: '{{ref}}' } },
  fill: { tool: 'form', args: { fields: { '{{name}}': '{{text}}' } } },
  press: { tool: 'key', args: { key: '{{key}}' } },
});
const refsOf = (text: string) => new Set(text.match(/e\d+/g) ?? []);
const reply = (ok: boolean, text = '') => ({ ok, text, kind: ok ? 'text' : 'error' });

function classOf(report: TargetReport | null): string | null {
  if (report === null) return 'none';
  return 'untold' in report ? 'untold' : targetClass(report);
}

function aimAfter(text: string): ServerAim {
  const aim = new ServerAim(BINDING, refsOf);
  aim.reportOf({ tool: 'look', args: {} }, reply(true, text));
  return aim;
}

test.each([
  ['a reference that was shown, and a call that went through', 'click', { target: 'e1' }, true, 'resolved'],
  [
    'a reference that was shown, and a call that failed for reasons of the server',
    'click',
    { target: 'e1' },
    false,
    null,
  ],
  ['a reference that was made up', 'click', { target: 'e7' }, false, 'phantom'],
  ['one that was made up, of a tool that no step is bound to', 'hover', { target: 'e7' }, false, 'phantom'],
  ['a tool that names nothing', 'key', { key: 'Enter' }, true, 'none'],
  ['a tool that names a field otherwise than by a reference', 'form', { fields: { Name: 'Ada' } }, true, 'untold'],
  ['a tool that takes free text', 'evaluate', { function: '() => 1' }, true, 'untold'],
])('%s', (_what, tool, args, ok, expected) => {
  expect(classOf(aimAfter('button "Send" [ref=e1]').reportOf({ tool, args }, reply(ok)))).toBe(expected);
});

test('before anything was shown, every reference is made up', () => {
  const aim = new ServerAim(BINDING, refsOf);
  expect(classOf(aim.reportOf({ tool: 'click', args: { target: 'e1' } }, reply(false)))).toBe('phantom');
});

test('what is no longer shown is stale and not made up, and a reply that shows nothing takes nothing away', () => {
  const aim = aimAfter('e1');
  aim.reportOf({ tool: 'key', args: { key: 'Enter' } }, reply(true, 'pressed'));
  expect(classOf(aim.reportOf({ tool: 'click', args: { target: 'e1' } }, reply(true, 'now e2')))).toBe('resolved');
  expect(classOf(aim.reportOf({ tool: 'click', args: { target: 'e1' } }, reply(false)))).toBe('stale');
});
