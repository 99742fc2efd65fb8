/**
 * One captured frame. `elements` holds every element of it, those in shadow trees too, in shadow-including
 * document order (DOM standard, "shadow-including tree order").
 */
export interface CapturedFrame {
  readonly url: string;
  readonly frameId: string;
  /** Whether class and id names match without regard to case, as in a document without a doctype. */
  readonly quirks: boolean;
  /** Number of nodes that the capture held; every `index` of a node of this frame is less. */
  readonly size: number;
  readonly document: CapturedRoot;
  readonly elements: readonly CapturedElement[];
}

/** The root of a tree scope: a document, or an author shadow root. User-agent shadow roots are not captured. */
export interface CapturedRoot {
  readonly kind: 'document' | 'open' | 'closed';
  readonly host: CapturedElement | null;
  readonly children: readonly CapturedNode[];
}

/** An element, with what the browser knew of it at the moment of the capture. */
export interface CapturedElement {
  readonly kind: 'element';
  readonly index: number;
  readonly backendNodeId: number;
  /** In lower case for an HTML element of an HTML document, else as written. */
  readonly name: string;
  /** Whether it is an HTML element of an HTML document. */
  readonly html: boolean;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: CapturedElement | CapturedRoot;
  /** The children in its own tree scope. */
  readonly children: readonly CapturedNode[];
  /** The children in the flat tree (CSS Scoping): what is rendered inside it, slots filled. */
  readonly flatChildren: readonly CapturedNode[];
  readonly shadowRoot: CapturedRoot | null;
  /** Null when it has no box of its own: not rendered, or `display: contents`. What is skipped has none either. */
  readonly layout: CapturedLayout | null;
  /** The state of a checkbox or radio button, whatever its attributes say. */
  readonly checked: boolean;
  /** The state of an option, whatever its attributes say. */
  readonly selected: boolean;
}

/** A piece of text. That of a `::first-letter` has no value of its own, only layout. */
export interface CapturedText {
  readonly kind: 'text';
  readonly value: string;
  /** Null when it is not rendered. `text` is after `text-transform`, before white space is collapsed. */
  readonly layout: (CapturedLayout & { readonly text: string }) | null;
}

export type CapturedNode = CapturedElement | CapturedText;

/** Computed values of the styles that rendered text depends on. */
export interface CapturedLayout {
  readonly display: string;
  readonly visibility: string;
  readonly whiteSpace: string;
  readonly contentVisibility: string;
}

/** The parent, when it is an element of the same tree scope. */
export function parentElement(element: CapturedElement): CapturedElement | null {
  return element.parent.kind === 'element' ? element.parent : null;
}

/** Whether an element that stands for something, as a list box or the owner of a frame, shows it. */
export function showsContent({ layout }: CapturedElement): boolean {
  return layout !== null && layout.visibility === 'visible' && layout.contentVisibility !== 'hidden';
}
