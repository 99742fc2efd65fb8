import fc from 'fast-check';

const names = fc.constantFrom(
  'div',
  'DIV',
  'p',
  'span',
  'a',
  'li',
  'td',
  'option',
  'input',
  'svg',
  'slot',
  'x-host',
  'button',
);

const attributeTests = fc
  .tuple(
    fc.constantFrom('title', 'lang', 'type', 'LANG', 'class', 'id', 'hidden', 'data-n', 'missing'),
    fc.constantFrom('=', '~=', '|=', '^=', '$=', '*='),
    fc.constantFrom('t', 'T', 'en', 'EN', 'radio', 'a', '1', ''),
    fc.constantFrom('', '', ' i'),
  )
  .map(([name, operator, value, flag]) => `[${name}${operator}"${value}"${flag}]`);

const plainPseudo = fc.constantFrom(
  ':root',
  ':scope',
  ':empty',
  ':first-child',
  ':last-child',
  ':only-child',
  ':first-of-type',
  ':last-of-type',
  ':only-of-type',
  ':checked',
  ':disabled',
  ':enabled',
  ':required',
  ':optional',
  ':link',
  ':any-link',
);
const nth = fc
  .tuple(
    fc.constantFrom('nth-child', 'nth-last-child', 'nth-of-type', 'nth-last-of-type'),
    fc.constantFrom('1', '2', 'odd', 'even', '2n+1', '-n+2', 'n', '3n - 1', '0', '-1', '+n'),
  )
  .map(([name, position]) => `:${name}(${position})`);

const leafPart = fc.oneof(
  fc.constantFrom('.a', '.b', '.A', '#i', '#I', '[title]', '[hidden]', '[style]', '[lang]', '[DATA-N]'),
  attributeTests,
  plainPseudo,
  nth,
);

const combinators = fc.constantFrom(' ', ' ', '>', '+', '~', ' > ', ' + ');

/** Selector lists that are sound, of these names, with the pseudo-classes of `nested` around selectors of their own. */
function lists(name: fc.Arbitrary<string>, nested: readonly ('not' | 'is' | 'where' | 'has')[]): fc.Arbitrary<string> {
  const inner = complex(compound(name, leafPart));
  const nesting = fc.tuple(fc.constantFrom(...nested), fc.array(inner, { minLength: 1, maxLength: 2 }), relation);
  const part = fc.oneof(
    { weight: 2, arbitrary: leafPart },
    { weight: 1, arbitrary: nesting.map(([pseudo, list, start]) => `:${pseudo}(${around(pseudo, list, start)})`) },
  );
  return fc
    .array(complex(compound(name, part)), { minLength: 1, maxLength: 2 })
    .map((list) => list.join(', '))
    .filter((selector) => selector.length <= 512);
}

const relation = fc.constantFrom('', '> ', '+ ', '~ ');

function around(pseudo: string, list: readonly string[], start: string): string {
  // `:scope` may not stand in `:has()`, and only there may a selector start with a combinator.
  return pseudo === 'has' ? start + list.join(', ').replaceAll(':scope', ':root') : list.join(', ');
}

function compound(name: fc.Arbitrary<string>, part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    name,
    fc.tuple(name, part).map((parts) => parts.join('')),
    fc.array(part, { minLength: 1, maxLength: 2 }).map((parts) => parts.join('')),
  );
}

function complex(each: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(each, fc.array(fc.tuple(combinators, each), { maxLength: 2 }))
    .map(([first, rest]) => first + rest.flat().join(''));
}

export const selectors = lists(fc.oneof(fc.constant('*'), names), ['not', 'is', 'where', 'has']);
/** Those that Chromium gets right in shadow trees too. */
export const selectorsInShadow = lists(names, ['not', 'is', 'where']);
