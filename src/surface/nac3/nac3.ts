import path from 'node:path';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { idOfFileName } from '../../task/instance.ts';
import type { Surface } from '../surface.ts';
import type { Differences } from '../traits.ts';
import { pageSurface } from '../page/page-session.ts';
import { tool, type Tools, PAGE_TOOLS } from '../page/tools.ts';
import { type Act, LOOK, type View } from '../page/view.ts';
import { onTable } from './act-on-table.ts';
import { onNac } from './act.ts';
import { NAC_ACTIONS, TABLE_ACTIONS } from './actions.ts';
import { bindNac3 } from './bind.ts';
import { isLeft } from '../page/playwright-errors.ts';
import { type NacTab, nacTabOf } from './nac-tab.ts';

const NO_POINTER = 'NAC3 has no call for it';
const DIFFERENCES: Differences = {
  lacks: { double_click: NO_POINTER, right_click: NO_POINTER, hover: NO_POINTER, drag: NO_POINTER, upload: NO_POINTER },
  sight: ['what a page does not say by NAC3, and what stands in frames, is not there'],
  shortcut: {
    what: 'a verb, a payload or words may have the page do what takes a user several actions: that is the page’s own choice',
    tools: ['click_by_verb', 'invoke', 'utter'],
  },
};

/** The page as its own NAC3 runtime describes it; actions name what it describes, and its runtime carries them out. */
export const nac3Surface = pageSurface({ id: 'nac3', differences: DIFFERENCES }, () => new Nac3View());
export const nac3 = nac3Surface();

const { navigate, back, press, scroll, wait, tabs, dialog } = PAGE_TOOLS;

const WITH_MANIFEST = /^nac3:(.+)$/;

/** The file of a surface `nac3:<file>`; null for any other surface. */
export function manifestFileOf(name: string): string | null {
  return WITH_MANIFEST.exec(name)?.[1] ?? null;
}

/** The surface for a manifest of its own: `nac3-made` for `nac3:./made.json`. Null if the file's name gives no id. */
export function nac3With(file: string, manifest: Uint8Array): Surface | null {
  const id = idOfFileName(path.parse(file).name);
  return id === null ? null : { ...nac3, id: `nac3-${id}`, manifest };
}

/** The tools of a page whose runtime has these calls on tables. */
function toolsWith(calls: readonly string[]): Tools<Act<NacTab>> {
  const onElements = Object.entries(NAC_ACTIONS).map(([name, { description, args }]) => [
    name,
    tool(description, args, onNac),
  ]);
  const onTables = Object.entries(TABLE_ACTIONS)
    .filter(([name]) => calls.includes(name))
    .map(([name, { description, args }]) => [name, tool(description, args, onTable)]);
  return {
    describe: tool('Look at the current tab: what its page says of itself by NAC3.', z.strictObject({}), () => LOOK),
    ...Object.fromEntries([...onElements, ...onTables]),
    navigate,
    back,
    press,
    scroll,
    wait,
    tabs,
    dialog,
  };
}

class Nac3View implements View<NacTab> {
  readonly kind = 'snapshot';
  readonly loaded = 'load';
  readonly bind = bindNac3;
  readonly isLeft = isLeft;
  #calls: readonly string[] = [];
  #tools = toolsWith([]);
  #runtimeVersion: string | null = null;

  /** Those for tables are offered if the runtime of the last page seen has them. */
  get tools(): Tools<Act<NacTab>> {
    return this.#tools;
  }

  /** The last name of a page's runtime; null if no page had one. */
  get runtimeVersion(): string | null {
    return this.#runtimeVersion;
  }

  async show(page: Page): Promise<NacTab> {
    const { tab, runtime } = await nacTabOf(page);
    if (runtime !== null) {
      this.#runtimeVersion = runtime.version;
      if (runtime.calls.join() !== this.#calls.join()) {
        this.#calls = runtime.calls;
        this.#tools = toolsWith(runtime.calls);
      }
    }
    return tab;
  }
}
