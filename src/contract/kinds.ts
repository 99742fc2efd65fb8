import { answer } from './assertions/answer.ts';
import { appState } from './assertions/app-state.ts';
import { download } from './assertions/download.ts';
import { domCount } from './assertions/dom-count.ts';
import { domText } from './assertions/dom-text.ts';
import { fieldValue } from './assertions/field-value.ts';
import { network } from './assertions/network.ts';
import { noDialog } from './assertions/no-dialog.ts';
import { screenshotClass } from './assertions/screenshot-class.ts';
import { unchanged } from './assertions/unchanged.ts';
import { url } from './assertions/url.ts';

/** In the order in which messages name them. */
export const KINDS = [
  url,
  domText,
  domCount,
  network,
  screenshotClass,
  noDialog,
  answer,
  appState,
  unchanged,
  download,
  fieldValue,
] as const;
