import { expect, test } from 'vitest';
import { terminalPage } from '../../scripts/terminal-page.ts';

function shown(...lines: string[]): string {
  return /<pre>(.*)<\/pre>/s.exec(terminalPage(lines))?.[1] ?? '';
}

test('our colours are classes, up to their end', () => {
  expect(shown('\u001B[1mbold \u001B[32mand green\u001B[39m\u001B[22m plain')).toBe(
    '<span class="bold">bold </span><span class="bold green">and green</span><span class=""> plain</span>\n',
  );
});

test('text is text, and no markup', () => {
  expect(shown('<script>1</script>')).toBe('<span class="">&lt;script&gt;1&lt;/script&gt;</span>\n');
});

test('a foreign colour is refused, not left out', () => {
  expect(() => shown('\u001B[45mpink')).toThrow('no colour of ours has the code 45');
});
