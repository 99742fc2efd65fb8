import type { Situation } from './situation.ts';
import { content } from './situations/content.ts';
import { nac3, webmcp } from './situations/described.ts';
import { dialogs } from './situations/dialogs.ts';
import { downloads } from './situations/downloads.ts';
import { files } from './situations/files.ts';
import { forms } from './situations/forms.ts';
import { frames } from './situations/frames.ts';
import { keyboard } from './situations/keyboard.ts';
import { network } from './situations/network.ts';
import { pointer } from './situations/pointer.ts';
import { shadow } from './situations/shadow.ts';
import { tabs } from './situations/tabs.ts';
import { time } from './situations/time.ts';
import { trust } from './situations/trust.ts';

export const groups: Record<string, Situation[]> = {
  frames,
  shadow,
  dialogs,
  tabs,
  forms,
  files,
  downloads,
  pointer,
  keyboard,
  content,
  time,
  network,
  trust,
  webmcp,
  nac3,
};
