import type { CapturedNode } from '../../contract/dom/captured-tree.ts';
import type { Shown } from '../page/view.ts';
import type { TabDocument } from './tab-reader.ts';

export interface ShownHtml extends Shown {
  /** The whole document, whatever of it the HTML holds. */
  tab: TabDocument;
  /** The elements whose tag the HTML holds, and the texts. */
  written: ReadonlySet<CapturedNode>;
}
