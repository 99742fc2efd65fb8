import { SelectorType, type PseudoSelector, AttributeAction, type AttributeSelector } from 'css-what';
import { parentElement, type CapturedElement, type CapturedFrame } from './captured-tree.ts';
import { isChecked, isDisabled, isEnabled, isOptional, isRequired } from './form-state.ts';
import { isNth, isPlainPseudoClass, parseNth, type PlainPseudoClass } from './pseudo-class-rules.ts';
import { argumentOf, type Combinator, type ComplexSelector, type SimpleSelector } from './parse-selector.ts';
import { SiblingIndex } from './sibling-index.ts';

/** Attributes whose values are compared without regard to case (HTML standard, "case-sensitivity of selectors"). */
const CASE_INSENSITIVE: ReadonlySet<string> = new Set(
  (
    'accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir ' +
    'direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref ' +
    'noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype vlink'
  ).split(' '),
);

/** Attributes that the HTML parser puts into a namespace, where plain attribute selectors miss them. */
const NAMESPACED = /^(?:xlink|xml|xmlns)(?::|$)/;

/** Whether an element has the attribute of a simple selector; classes and ids are attributes too. */
function matchesAttribute(element: CapturedElement, selector: AttributeSelector, quirks: boolean): boolean {
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

/** Camel-cased attributes, such as `viewBox`, are compared without regard to case too. */
function foreignAttribute({ attributes }: CapturedElement, wanted: string): string | undefined {
  for (const [name, value] of attributes) if (lower(name) === wanted && !NAMESPACED.test(name)) return value;
  return undefined;
}

/** ASCII letters only, as CSS compares them. */
function lower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

type Match = (element: CapturedElement) => boolean;

/**
 * Compiles selectors for one frame, over css-what's parser. The matcher is our own because its work must be bounded: each
 * question "does this element, or any before it in that direction, match" is answered once per element. And a capture knows the
 * state of controls, shadow trees and quirks mode otherwise than a document does.
 */
export class SelectorMatcher {
  readonly #frame: CapturedFrame;
  readonly #siblings: SiblingIndex;
  readonly #previous = (element: CapturedElement) => this.#siblings.previous(element);
  readonly #plain: Readonly<Record<PlainPseudoClass, Match>>;

  constructor(frame: CapturedFrame) {
    this.#frame = frame;
    this.#siblings = new SiblingIndex(frame);
    this.#plain = plainPseudoClasses(this.#siblings);
  }

  any(selectors: readonly ComplexSelector[]): Match {
    const matches = selectors.map((selector) => this.#complex(selector));
    return (element) => matches.some((match) => match(element));
  }

  #complex(selector: ComplexSelector): Match {
    let match: Match | null = null;
    for (const { combinator, compound } of selector) {
      const own = this.#compound(compound);
      const left: Match | null = match === null ? null : this.#related(combinator, match);
      match = left === null ? own : (element) => own(element) && left(element);
    }
    return match ?? (() => false);
  }

  #related(combinator: Combinator, left: Match): Match {
    const next = isVertical(combinator) ? parentElement : this.#previous;
    return isFar(combinator) ? anyAlong(next, left, this.#frame.size) : nextOne(next, left);
  }

  #compound(compound: readonly SimpleSelector[]): Match {
    const matches = compound.map((simple) => this.#simple(simple));
    return (element) => matches.every((match) => match(element));
  }

  #simple(simple: SimpleSelector): Match {
    if (simple.type === SelectorType.Pseudo) return this.#pseudoClass(simple);
    if (simple.type === SelectorType.Attribute)
      return (element) => matchesAttribute(element, simple, this.#frame.quirks);
    if (simple.type !== SelectorType.Tag) return () => simple.type === SelectorType.Universal;
    const wanted = simple.name.toLowerCase();
    return ({ html, name }) => (html ? name : name.toLowerCase()) === wanted;
  }

  #pseudoClass(pseudo: PseudoSelector): Match {
    if (isPlainPseudoClass(pseudo.name)) return this.#plain[pseudo.name];
    const selectors = argumentOf(pseudo);
    switch (pseudo.name) {
      case 'not': {
        const match = this.any(selectors);
        return (element) => !match(element);
      }
      case 'has': {
        const matches = selectors.map((selector) => this.#relative(selector));
        return (element) => matches.some((match) => match(element));
      }
      case 'is':
      case 'where':
        return this.any(selectors);
      default:
        return this.#nth(pseudo);
    }
  }

  /** A selector of `:has()`, followed from the element to what it has. */
  #relative(selector: ComplexSelector): Match {
    let rest: Match | null = null;
    for (const { combinator, compound } of selector.toReversed()) {
      const own = this.#compound(compound);
      const after: Match | null = rest;
      rest = this.#has(combinator, after === null ? own : (element) => own(element) && after(element));
    }
    return rest ?? (() => false);
  }

  /** Whether an element in that relation matches; all answers are found in one pass from the end. */
  #has(combinator: Combinator, match: Match): Match {
    let found: Uint8Array | null = null;
    return (element) => (found ??= this.#passBack(combinator, match))[element.index] === 1;
  }

  #passBack(combinator: Combinator, match: Match): Uint8Array {
    const found = new Uint8Array(this.#frame.size);
    const next = isVertical(combinator) ? parentElement : this.#previous;
    for (const element of this.#frame.elements.toReversed()) {
      const target = next(element);
      if (target === null) continue;
      if ((isFar(combinator) && found[element.index] === 1) || match(element)) found[target.index] = 1;
    }
    return found;
  }

  #nth({ name, data }: PseudoSelector): Match {
    const nth = parseNth(typeof data === 'string' ? data : '');
    if (nth === null) return () => false;
    const ofType = name.endsWith('of-type');
    const fromEnd = name.startsWith('nth-last');
    return (element) => isNth(nth, this.#siblings.position(element, ofType, fromEnd));
  }
}

function plainPseudoClasses(siblings: SiblingIndex): Record<PlainPseudoClass, Match> {
  const at = (ofType: boolean, fromEnd: boolean) => (element: CapturedElement) =>
    siblings.position(element, ofType, fromEnd) === 1;
  const alone = (ofType: boolean) => (element: CapturedElement) =>
    at(ofType, false)(element) && at(ofType, true)(element);
  return {
    root: isRoot,
    scope: isRoot,
    empty: isEmpty,
    'first-child': at(false, false),
    'last-child': at(false, true),
    'only-child': alone(false),
    'first-of-type': at(true, false),
    'last-of-type': at(true, true),
    'only-of-type': alone(true),
    checked: isChecked,
    disabled: isDisabled,
    enabled: isEnabled,
    required: isRequired,
    optional: isOptional,
    link: isLink,
    'any-link': isLink,
  };
}

/** Whether it leads to parents, not to siblings. */
function isVertical(combinator: Combinator): boolean {
  return combinator === SelectorType.Descendant || combinator === SelectorType.Child;
}

/** Whether it leads to any of them, not to the nearest only. */
function isFar(combinator: Combinator): boolean {
  return combinator === SelectorType.Descendant || combinator === SelectorType.Sibling;
}

/** The root element; `:scope` means it too. */
function isRoot(element: CapturedElement): boolean {
  return element.parent.kind === 'document';
}

function isEmpty(element: CapturedElement): boolean {
  return element.children.every((child) => child.kind === 'text' && child.value === '');
}

function isLink({ name, attributes }: CapturedElement): boolean {
  return (name === 'a' || name === 'area') && (attributes.has('href') || attributes.has('xlink:href'));
}

function nextOne(next: (element: CapturedElement) => CapturedElement | null, match: Match): Match {
  return (element) => {
    const other = next(element);
    return other !== null && match(other);
  };
}

/** Whether any element in that direction matches; remembers the answer for each element on the way. */
function anyAlong(next: (element: CapturedElement) => CapturedElement | null, match: Match, size: number): Match {
  const YES = 2;
  const NO = 1;
  const known = new Uint8Array(size);
  return (start) => {
    const path: CapturedElement[] = [];
    let found = false;
    for (let element = next(start); element !== null && !found; element = next(element)) {
      const answer = known[element.index];
      found = answer === YES;
      if (answer === NO) break;
      path.push(element);
      found ||= match(element);
    }
    for (const element of path) known[element.index] = found ? YES : NO;
    return found;
  };
}
