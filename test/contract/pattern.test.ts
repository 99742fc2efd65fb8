import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGroups, compilePattern, patternProblem } from '../../src/contract/pattern.ts';

describe('no pattern stalls the judge', () => {
  it('nor a binding: of the matches in a text, the first 1,000 count, empty ones included', () => {
    const groupsIn = compileGroups('(?:\\[(?<ref>\\d+)\\])?');
    expect(groupsIn(`${' '.repeat(999)}[1]`)).toEqual([{ ref: '1' }]);
    expect(groupsIn(`${' '.repeat(1_000)}[1]`)).toEqual([]);
  });

  it.each([
    ['(a|aa)+$', `${'a'.repeat(38)}b`],
    ['(a|aa)+$', `${'a'.repeat(100_000)}b`],
    ['^(a|a)*$', `${'a'.repeat(100_000)}b`],
    ['(a{1,})+$', `${'a'.repeat(100_000)}b`],
    ['([a-z]+){10,}$', `${'a'.repeat(100_000)}1`],
    ['(x+x+)+y', 'x'.repeat(100_000)],
    ['a{1,400}$', `${'a'.repeat(100_000)}b`],
  ])('%s', (pattern, text) => {
    // Backtracking would take minutes to centuries, and the test run into its time limit.
    expect(compilePattern(pattern)(text)).toBe(false);
  });
});

describe('an unsound pattern is refused, with a remedy', () => {
  it.each(['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', String.raw`(a)\1`, String.raw`(?<x>a)\k<x>`, String.raw`\\\k<x>`])(
    'look-around or back-reference: %s',
    (pattern) => {
      expect(patternProblem(pattern)).toMatchObject({ code: 'pattern_invalid', params: { linear: false } });
    },
  );

  it.each(['(', '[a', 'a**', '*', 'a{2,1}', String.raw`\p{Nope}`, 'x{1001}', '\\'])('syntax: %s', (pattern) => {
    expect(patternProblem(pattern)).toMatchObject({ code: 'pattern_invalid', params: { linear: true } });
  });

  it('a pattern whose counts multiply', () => {
    expect(patternProblem('[ab]{1,400}')).toBeNull();
    expect(patternProblem('(?:a[ab]{1,600}|b[ab]{1,600})$')).toMatchObject({ code: 'pattern_too_large' });
  });

  it('a literal as long as a pattern may be is sound', () => {
    expect(patternProblem('x'.repeat(512))).toBeNull();
  });
});

describe('patterns mean what they mean in JavaScript', () => {
  const URLS = [
    '',
    'https://en.wikipedia.org/wiki/Eiffel_Tower',
    'http://en.wikipedia.org/wiki/Eiffel_Tower?x=1',
    'https://arxiv.org/abs/2401.13919',
    'https://arxiv.org/abs/2401.13919v2/',
    'https://arxiv.org/abs/2401x13919',
    'https://doc.rust-lang.org/std/primitive.str.html#method.trim',
    'https://doc.rust-lang.org/std/primitive.str.html#method.trim_end',
    'https://shop.test/caf\u00e9?q=a+b&page=12',
    'about:blank',
    'line one\nline two',
    '$5.00 (incl. tax) [net]',
    'C:\\temp',
  ];

  it.each([
    '^https?://[^/]+/wiki/Eiffel_Tower$',
    String.raw`^https://arxiv\.org/abs/2401\.13919(?:v\d+)?/?$`,
    String.raw`#method\.trim$`,
    String.raw`#method\.trim\b`,
    String.raw`^https:\/\/shop\.test\/`,
    String.raw`[?&]q=[^&]*(&|$)`,
    String.raw`page=\d{1,3}$`,
    String.raw`^(about:blank|https?://.*)$`,
    'caf\u00e9',
    String.raw`caf\u00e9`,
    String.raw`caf[\u00e0-\u00ff]\?`,
    String.raw`caf\xe9`,
    String.raw`^[^]*two$`,
    'one$',
    '^line.*two$',
    String.raw`^[\s\S]*$`,
    String.raw`\$5\.00\s\(incl`,
    String.raw`[\w.-]+\.(org|test)\b`,
    String.raw`\D\d\D`,
    String.raw`^C:\\temp$`,
    String.raw`[\[\]]`,
    String.raw`\[net]`,
    '(?<host>[a-z.]+)/abs',
    'a{,2}|b{',
    '^$',
  ])('%s', (pattern) => {
    const [ours, theirs] = [compilePattern(pattern), new RegExp(pattern)];
    expect(URLS.map(ours)).toEqual(URLS.map((url) => theirs.test(url)));
  });

  it('for every pattern of a small grammar', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '_', '-', ' ', '\n', '.'), maxLength: 12 });
    fc.assert(
      fc.property(PATTERN, text, (pattern, sample) => {
        expect(compilePattern(pattern)(sample)).toBe(new RegExp(pattern).test(sample));
      }),
      { numRuns: 1_000 },
    );
  });
});

const PLAIN_ATOMS = ['a', 'b', 'c', '1', '.', '[ab]', '[^a]', '[a-c1]', '[^-_]', '^', '$'];
const ESCAPES = ['\\d', '\\w', '\\s', '\\D', '\\W', '\\b', '\\.', '[\\w-]'];
const ATOM = fc.constantFrom(...PLAIN_ATOMS, ...ESCAPES);

const PATTERN: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: 'medium' },
    ATOM,
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
    fc.tuple(tie('node'), tie('node')).map(([left, right]) => `(${left}|${right})`),
    fc
      .tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}'), fc.constantFrom('', '?'))
      .map(([inner, count, lazy]) => `(?:${inner})${count}${lazy}`),
  ),
})).node;
