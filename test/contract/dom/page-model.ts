import fc from 'fast-check';

/** A generated element; built with the DOM, so that any nesting is possible. A string is a text node. */
export interface ModelElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly ModelNode[];
  readonly shadow?: { readonly mode: 'open' | 'closed'; readonly children: readonly ModelNode[] } | undefined;
}
export type ModelNode = string | ModelElement;

const WORDS = [
  'a',
  'Bc',
  'straße',
  'x y',
  'é',
  'e\u0301',
  '\u05e9\u05dc',
  '&<>',
  '12',
  'a\u00adb',
  'q\u200bq',
  '\u4e2d',
];
const SPACES = ['', '', ' ', '  ', '\n', '\t ', '\u00a0', ' \n '];

const text = fc
  .tuple(fc.constantFrom(...SPACES), fc.constantFrom(...WORDS, ''), fc.constantFrom(...SPACES))
  .map((parts) => parts.join(''));

const STYLES = 'none contents block inline inline-block flex grid inline-flex table inline-table list-item flow-root'
  .split(' ')
  .map((display) => `display:${display}`)
  .concat(
    `
    visibility:hidden visibility:visible visibility:collapse white-space:pre white-space:pre-line
    white-space:pre-wrap white-space:nowrap text-transform:uppercase text-transform:capitalize float:left
    position:absolute direction:rtl opacity:0 overflow:hidden;width:0;height:0 columns:2 width:1em word-spacing:1em
  `
      .trim()
      .split(/\s+/),
  );

const attributes = fc
  .record(
    {
      style: fc.constantFrom(...STYLES),
      class: fc.constantFrom('a', 'b', 'a b', 'A'),
      id: fc.constantFrom('i', 'j', 'I'),
      title: fc.constantFrom('t', 'T', 't u', 't-u', ''),
      lang: fc.constantFrom('en', 'EN', 'en-GB'),
      hidden: fc.constant(''),
    },
    { requiredKeys: [] },
  )
  .map((given): Record<string, string> => ({ ...given }));

const attributesOfPart = attributes.map(({ style, ...given }) =>
  style === undefined || style.startsWith('display') ? given : { ...given, style },
);

const BLOCKS = ['div', 'p', 'section', 'h2', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'pre', 'blockquote', 'center', 'form'];
const INLINES = ['span', 'b', 'a', 'em', 'label', 'button', 'code', 'q', 'bdo', 'font'];

const element = (tag: string, extra: Record<string, string>, children: readonly ModelNode[]): ModelElement => ({
  tag,
  attributes: extra,
  children,
});

const leaf = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: attributes.map((given) => element('br', given, [])) },
  { weight: 1, arbitrary: attributes.map((given) => element('img', given, [])) },
  { weight: 1, arbitrary: attributes.map((given) => element('hr', given, [])) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(attributes, fc.constantFrom('text', 'checkbox', 'RADIO', 'hidden', 'submit'), flags())
      .map(([given, type, flag]) => element('input', { ...given, ...flag, type, value: 'v' }, [])),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(attributes, text, text)
      .map(([given, one, two]) =>
        element('svg', given, [element('g', {}, [element('text', {}, [one, element('tspan', {}, [two])])])]),
      ),
  },
  { weight: 1, arbitrary: fc.tuple(attributes, text).map(([given, value]) => element('textarea', given, [value])) },
  {
    weight: 1,
    arbitrary: fc.tuple(attributes, text).map(([given, value]) => element('script', { ...given, type: 'x' }, [value])),
  },
);

function flags(): fc.Arbitrary<Record<string, string>> {
  return fc
    .record({ disabled: fc.constant(''), checked: fc.constant(''), required: fc.constant('') }, { requiredKeys: [] })
    .map((given): Record<string, string> => ({ ...given }));
}

const option = fc
  .tuple(attributes, text, fc.record({ selected: fc.constant(''), disabled: fc.constant('') }, { requiredKeys: [] }))
  .map(([given, value, flag]) => element('option', { ...given, ...flag }, [value]));
const optgroup = fc
  .tuple(fc.array(option, { maxLength: 2 }), flags())
  .map(([options, flag]) => element('optgroup', { label: 'g', ...flag }, options));
const select = fc
  .tuple(
    attributes,
    fc.array(fc.oneof(option, option, optgroup), { minLength: 1, maxLength: 3 }),
    fc.constantFrom({}, { multiple: '' }, { size: '3' }),
  )
  .map(([given, options, kind]) => element('select', { ...given, ...kind }, options));

export const plainTree = fc.letrec<{ node: ModelNode; nodes: ModelNode[]; cell: ModelElement; row: ModelElement }>(
  (tie) => ({
    nodes: fc.array(tie('node'), { maxLength: 4, depthIdentifier: 'tree' }),
    cell: fc
      .tuple(fc.constantFrom('td', 'th'), attributesOfPart, tie('nodes'))
      .map(([tag, given, children]) => element(tag, given, children)),
    row: fc
      .tuple(attributesOfPart, fc.array(tie('cell'), { maxLength: 3 }))
      .map(([given, cells]) => element('tr', given, cells)),
    node: fc.oneof(
      { depthSize: 'small', depthIdentifier: 'tree' },
      { weight: 6, arbitrary: leaf },
      { weight: 2, arbitrary: select },
      {
        weight: 7,
        arbitrary: fc
          .tuple(fc.constantFrom(...BLOCKS), attributes, tie('nodes'))
          .map(([tag, given, children]) => element(tag, given, children)),
      },
      {
        weight: 7,
        arbitrary: fc
          .tuple(fc.constantFrom(...INLINES), attributes, tie('nodes'))
          .map(([tag, given, children]) => element(tag, tag === 'a' ? { ...given, href: '#' } : given, children)),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(
            attributesOfPart,
            fc.array(tie('row'), { maxLength: 3 }),
            fc.constantFrom('tbody', 'thead', 'tfoot'),
            text,
          )
          .map(([given, rows, group, caption]) =>
            element('table', given, [element('caption', {}, [caption]), element(group, {}, rows)]),
          ),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(attributesOfPart, tie('nodes'), tie('nodes'), fc.boolean())
          .map(([given, summary, children, open]) =>
            element('details', open ? { ...given, open: '' } : given, [element('summary', {}, summary), ...children]),
          ),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(flags(), tie('nodes'), tie('nodes'))
          .map(([flag, legend, children]) => element('fieldset', flag, [element('legend', {}, legend), ...children])),
      },
    ),
  }),
);

/** Gives each element a number of its own, so that it is found again in the page and in the capture. */
export function numbered(list: readonly ModelNode[], next = { number: 0 }): ModelNode[] {
  return list.map((node) => {
    if (typeof node === 'string') return node;
    const withNumber = { ...node.attributes, 'data-n': String(next.number++) };
    const shadow = node.shadow && { ...node.shadow, children: numbered(node.shadow.children, next) };
    return { ...node, attributes: withNumber, shadow, children: numbered(node.children, next) };
  });
}
