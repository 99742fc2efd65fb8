import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bindAria } from '../../src/surface/aria/aria.ts';
import { elementOfStep } from '../../src/surface/aria/elements.ts';
import type { ElementStep } from '../../src/task/intent.ts';
import { elementsOf } from '../../src/task/snapshot-text.ts';
import { openScene, type TestScene } from '../browser/scene.ts';

let scene: TestScene;
beforeAll(async () => {
  scene = await openScene({ 'http://a.test/': '' });
  await scene.page.goto('http://a.test/');
});
afterAll(() => scene[Symbol.asyncDispose]());

/** Shows buttons with these names and paragraphs with these texts; gives the snapshot of the page. */
async function snapshotOf(names: readonly string[], texts: readonly string[]): Promise<string> {
  const script = `({ names, texts }) => {
    const element = (tag, set) => Object.assign(document.createElement(tag), set);
    document.body.replaceChildren(
      ...names.map((ariaLabel, index) => element('button', { ariaLabel, textContent: 'x', id: 'b' + index })),
      ...texts.flatMap((textContent) => [element('p', { textContent }), textContent, element('a', { href: '#' + textContent })]),
    );
  }`;
  await scene.page.evaluate(`(${script})(${JSON.stringify({ names, texts })})`);
  return await scene.page.ariaSnapshot({ mode: 'ai' });
}

/** White space is collapsed and trimmed in an accessible name. */
function accessibleName(label: string): string {
  return (
    label
      .replaceAll(/[\u200B\u00AD]/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim() || 'x'
  );
}

const awkward = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        "'",
        "''",
        '\\',
        ':',
        ': ',
        '#',
        ' #',
        '[',
        ']',
        '{',
        '}',
        '- ',
        '/',
        '`',
        '\n',
        '\t',
        '&',
        '*',
        '|',
        '>',
        '%',
        '@',
      ),
      fc.constantFrom(
        '[ref=e1]',
        '[disabled]',
        'button',
        '"a" [ref=e2]',
        "'quoted'",
        'null',
        'true',
        '1',
        '\\"',
        '\\n',
        'é',
        '日本',
        '😀',
        ' ',
      ),
      fc.string({ maxLength: 5 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''));

test('every element of a real snapshot is read with its name and reference, for any names and texts', async () => {
  const lists = fc.array(awkward, { minLength: 1, maxLength: 8 });
  const property = fc.asyncProperty(lists, lists, async (names, texts) => {
    const buttons = elementsOf(await snapshotOf(names, texts)).filter(({ role }) => role === 'button');
    expect(buttons.map(({ name }) => name)).toEqual(names.map(accessibleName));
    const ids = await Promise.all(buttons.map(({ ref }) => scene.page.locator(`aria-ref=${ref}`).getAttribute('id')));
    expect(ids).toEqual(names.map((_, index) => `b${index}`));
  });
  await fc.assert(property, {
    seed: Number(process.env['SEED'] ?? 20_261_121),
    numRuns: Number(process.env['RUNS'] ?? 60),
  });
});

test('a step means the first of several elements with the same role and name', async () => {
  const text = await snapshotOf(['Delete', 'Keep', 'Delete'], []);
  const binding = await bindAria(
    { do: 'click', role: 'button', name: 'Delete' },
    { ok: true, kind: 'snapshot', text },
    null,
  );
  const first = elementsOf(text).find(({ role }) => role === 'button');
  expect(binding).toEqual({ kind: 'call', call: { tool: 'click', args: { ref: first?.ref } } });
});

test.each<[ElementStep, string]>([
  [{ do: 'fill', label: '', role: 'textbox', nth: 2, text: '' }, 'password'],
  [{ do: 'fill', label: '', near: 'Password', text: '' }, 'password'],
  [{ do: 'fill', label: '', near: 'Username', text: '' }, 'user'],
  [{ do: 'choose', label: '', nth: 1, option: 'a' }, 'list'],
  [{ do: 'click', role: 'checkbox', name: '', near: 'Stay' }, 'stay'],
])('%j is found on a page whose controls have no names', async (step, id) => {
  await scene.page.setContent(
    '<p><b>Username</b> <input id=user></p><p>Password <input id=password></p><select id=list><option>a</select><p>Stay <input id=stay type=checkbox>',
  );
  expect(await (await elementOfStep(scene.page, step))?.getAttribute('id')).toBe(id);
});
