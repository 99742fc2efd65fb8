import { AttributeAction, type AttributeSelector } from 'css-what';
import type { CapturedElement } from './captured-tree.ts';

/** Attributes whose values are compared without regard to case (HTML standard, "case-sensitivity of selectors"). */
const CASE_INSENSITIVE: ReadonlySet<string> = new Set(
  (
    'accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir ' +
    'direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref ' +
    'noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype vlink'
  ).split(' '),
);

/** Attributes that the HTML parser puts into a namespace on foreign elements, where plain attribute selectors miss them. */
const NAMESPACED = /^(?:xlink|xml|xmlns)(?::|$)/;

/** Whether an element has the attribute that a simple selector asks for; classes and ids are attributes too. */
export function matchesAttribute(element: CapturedElement, selector: AttributeSelector, quirks: boolean): boolean {
  const name = lower(selector.name);
  const actual = element.html ? element.attributes.get(name) : foreignAttribute(element, name);
  if (actual === undefined) return false;
  const anyCase =
    selector.ignoreCase === 'quirks' ? quirks : (selector.ignoreCase ?? (element.html && CASE_INSENSITIVE.has(name)));
  const compare = COMPARISONS[selector.action];
  return anyCase ? compare(lower(actual), lower(selector.value)) : compare(actual, selector.value);
}

const COMPARISONS: Readonly<Record<AttributeAction, (actual: string, wanted: string) => boolean>> = {
  [AttributeAction.Exists]: () => true,
  [AttributeAction.Equals]: (actual, wanted) => actual === wanted,
  [AttributeAction.Not]: (actual, wanted) => actual !== wanted,
  [AttributeAction.Start]: (actual, wanted) => wanted !== '' && actual.startsWith(wanted),
  [AttributeAction.End]: (actual, wanted) => wanted !== '' && actual.endsWith(wanted),
  [AttributeAction.Any]: (actual, wanted) => wanted !== '' && actual.includes(wanted),
  [AttributeAction.Hyphen]: (actual, wanted) => actual === wanted || actual.startsWith(`${wanted}-`),
  [AttributeAction.Element]: (actual, wanted) => wanted !== '' && actual.split(/[ \t\n\f\r]+/).includes(wanted),
};

/** The browser compares the names of camel-cased attributes, such as `viewBox`, without regard to case too. */
function foreignAttribute({ attributes }: CapturedElement, wanted: string): string | undefined {
  for (const [name, value] of attributes) if (lower(name) === wanted && !NAMESPACED.test(name)) return value;
  return undefined;
}

/** ASCII letters only, as CSS compares them. */
function lower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
