/** One captured frame; `elements` has those in shadow trees too, in shadow-including tree order (DOM standard). */
export interface CapturedFrame {
  readonly url: string;
  /** Whether class and id names match without regard to case, as in a document without a doctype. */
  readonly quirks: boolean;
  /** Number of captured nodes, above every `index`. */
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

export interface CapturedElement {
  readonly kind: 'element';
  readonly index: number;
  readonly backendNodeId: number;
  /** In lower case for an HTML element of an HTML document, else as written. */
  readonly name: string;
  readonly html: boolean;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: CapturedElement | CapturedRoot;
  readonly children: readonly CapturedNode[];
  /** The children in the flat tree (CSS Scoping), slots filled. */
  readonly flatChildren: readonly CapturedNode[];
  readonly shadowRoot: CapturedRoot | null;
  /** Null if it has no box of its own: not rendered, skipped, or `display: contents`. */
  readonly layout: CapturedLayout | null;
  /** The current state of a checkbox or radio button, not its attribute. */
  readonly checked: boolean;
  /** The same for an option. */
  readonly selected: boolean;
  /** The current value of an input or a text area; null for other elements, and if none were captured. */
  readonly value: string | null;
}

/** A piece of text. A `::first-letter` has only layout. */
export interface CapturedText {
  readonly kind: 'text';
  readonly value: string;
  /** Null if not rendered. `text` is after `text-transform`, before white space is collapsed. */
  readonly layout: (CapturedLayout & { readonly text: string }) | null;
}

export type CapturedNode = CapturedElement | CapturedText;

/** Computed styles that rendered text depends on. */
export interface CapturedLayout {
  readonly display: string;
  readonly visibility: string;
  readonly whiteSpace: string;
  readonly contentVisibility: string;
}

export function parentElement(element: CapturedElement): CapturedElement | null {
  return element.parent.kind === 'element' ? element.parent : null;
}

/** Whether a list box, or the owner of a frame, shows its content. */
export function showsContent({ layout }: CapturedElement): boolean {
  return layout !== null && layout.visibility === 'visible' && layout.contentVisibility !== 'hidden';
}
