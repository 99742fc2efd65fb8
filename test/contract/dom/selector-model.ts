import fc from 'fast-check';

const names = fc.constantFrom(
  '*',
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
  ...[':root', ':scope', ':empty', ':first-child', ':last-child', ':only-child', ':first-of-type', ':last-of-type'],
  ...[':only-of-type', ':checked', ':disabled', ':enabled', ':required', ':optional', ':link', ':any-link'],
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

function complex(compound: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(compound, fc.array(fc.tuple(combinators, compound), { maxLength: 2 }))
    .map(([first, rest]) => first + rest.flat().join(''));
}

const leafCompound = fc.oneof(
  names,
  fc.tuple(names, leafPart).map((parts) => parts.join('')),
  fc.array(leafPart, { minLength: 1, maxLength: 2 }).map((parts) => parts.join('')),
);
const inner = complex(leafCompound);
/** `:scope` may not stand in `:has()`. */
const innerOfHas = fc
  .tuple(fc.constantFrom('', '> ', '+ ', '~ '), inner)
  .map((parts) => parts.join('').replaceAll(':scope', ':root'));

const nesting = fc
  .tuple(fc.constantFrom('not', 'is', 'where'), fc.array(inner, { minLength: 1, maxLength: 2 }))
  .map(([name, list]) => `:${name}(${list.join(', ')})`);
const has = fc.array(innerOfHas, { minLength: 1, maxLength: 2 }).map((list) => `:has(${list.join(', ')})`);

function lists(part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const compound = fc.oneof(
    names,
    fc.tuple(names, part).map((parts) => parts.join('')),
    fc.array(part, { minLength: 1, maxLength: 2 }).map((parts) => parts.join('')),
  );
  return fc
    .array(complex(compound), { minLength: 1, maxLength: 2 })
    .map((list) => list.join(', '))
    .filter((selector) => selector.length <= 512);
}

/** Selector lists that are sound. */
export const selectors = lists(
  fc.oneof({ weight: 6, arbitrary: leafPart }, { weight: 3, arbitrary: nesting }, { weight: 1, arbitrary: has }),
);
/** The same without `:has()`, which Chromium gets wrong in shadow trees. */
export const selectorsWithoutHas = lists(
  fc.oneof({ weight: 3, arbitrary: leafPart }, { weight: 2, arbitrary: nesting }),
);
