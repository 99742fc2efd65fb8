import type { Page } from 'playwright-core';
import { z } from 'zod';
import type { Differences } from '../differences.ts';
import { PageSession } from '../page/page-session.ts';
import { playwrightVersion } from '../page/playwright-words.ts';
import { ACTION_TIMEOUT_MS } from '../page/stage.ts';
import { tool, type Tools } from '../page/tool.ts';
import { PAGE_TOOLS } from '../page/tools.ts';
import { type Act, LOOK, type View } from '../page/view.ts';
import type { ContextSurface } from '../surface.ts';
import { onTable } from './act-on-table.ts';
import { onNac } from './act.ts';
import { NAC_ARGS, TABLE_ARGS } from './actions.ts';
import { bindNac3 } from './bind.ts';
import { isLeft } from './call-page.ts';
import { type NacTab, nacTabOf } from './nac-tab.ts';

const DIFFERENCES: Differences = {
  lacks: {},
  sight: ['what a page does not say by NAC3, and what stands in frames, is not there'],
  shortcut: {
    what: 'a verb, a payload or words may have the page do what takes a user several actions: that is the page’s own choice',
    tools: ['click_by_verb', 'invoke', 'utter'],
  },
};

/** Built in: the page as its own NAC3 runtime describes it; actions name what it describes, and its runtime carries them out. */
export const nac3 = nac3Surface(ACTION_TIMEOUT_MS);

/** The surface with another patience: how long one action of the browser may take, in ms. */
export function nac3Surface(timeoutMs: number): ContextSurface {
  return {
    id: 'nac3',
    needs: 'context',
    takesScript: false,
    differences: DIFFERENCES,
    version: playwrightVersion(),
    interaction: 'multi-turn',
    unavailable: null,
    open: (seat) => PageSession.open(new Nac3View(), seat, timeoutMs),
  };
}

const { navigate, back, press, scroll, wait, tabs, dialog } = PAGE_TOOLS;

const ON_ELEMENTS: Tools<Act<NacTab>> = {
  describe: tool('Look at the current tab: what its page says of itself by NAC3.', z.strictObject({}), () => LOOK),
  click: tool('Click an element.', NAC_ARGS.click, (args) => onNac({ tool: 'click', ...args })),
  click_by_verb: tool(
    'Do what a verb says: click the one element that has it, or, with "args", ask its host with them.',
    NAC_ARGS.click_by_verb,
    (args) => onNac({ tool: 'click_by_verb', ...args }),
  ),
  fill: tool('Replace the content of a field.', NAC_ARGS.fill, (args) => onNac({ tool: 'fill', ...args })),
  select: tool('Choose an option of a field.', NAC_ARGS.select, (args) => onNac({ tool: 'select', ...args })),
  tab: tool('Open a tab of the page by its key.', NAC_ARGS.tab, (args) => onNac({ tool: 'tab', ...args })),
  tab_by_label: tool('Open a tab of the page by its label.', NAC_ARGS.tab_by_label, (args) =>
    onNac({ tool: 'tab_by_label', ...args }),
  ),
  invoke: tool('Ask the host of an element for its action, with a payload.', NAC_ARGS.invoke, (args) =>
    onNac({ tool: 'invoke', ...args }),
  ),
  utter: tool('Say something to an element; its host hears the words.', NAC_ARGS.utter, (args) =>
    onNac({ tool: 'utter', ...args }),
  ),
};

const ON_TABLES: Tools<Act<NacTab>> = {
  dt_add_row: tool('Add a row to a table.', TABLE_ARGS.dt_add_row, (args) => onTable({ tool: 'dt_add_row', ...args })),
  dt_remove_row: tool('Remove a row of a table.', TABLE_ARGS.dt_remove_row, (args) =>
    onTable({ tool: 'dt_remove_row', ...args }),
  ),
  dt_edit_cell: tool('Give a cell of a table another value.', TABLE_ARGS.dt_edit_cell, (args) =>
    onTable({ tool: 'dt_edit_cell', ...args }),
  ),
  dt_set_cell: tool('Give a cell of a matrix a value.', TABLE_ARGS.dt_set_cell, (args) =>
    onTable({ tool: 'dt_set_cell', ...args }),
  ),
  dt_select: tool('Select rows of a table, and no others.', TABLE_ARGS.dt_select, (args) =>
    onTable({ tool: 'dt_select', ...args }),
  ),
  dt_commit: tool('Keep what was changed in a table.', TABLE_ARGS.dt_commit, (args) =>
    onTable({ tool: 'dt_commit', ...args }),
  ),
  dt_discard: tool('Undo what was changed in a table.', TABLE_ARGS.dt_discard, (args) =>
    onTable({ tool: 'dt_discard', ...args }),
  ),
};

/** The tools of a page whose runtime has these calls on tables. */
function toolsWith(calls: readonly string[]): Tools<Act<NacTab>> {
  const onTables = Object.entries(ON_TABLES).filter(([name]) => calls.includes(name));
  return { ...ON_ELEMENTS, ...Object.fromEntries(onTables), navigate, back, press, scroll, wait, tabs, dialog };
}

class Nac3View implements View<NacTab> {
  readonly kind = 'snapshot';
  readonly loaded = 'load';
  readonly bind = bindNac3;
  readonly isLeft = isLeft;
  #calls: readonly string[] = [];
  #tools = toolsWith([]);
  #runtimeVersion: string | null = null;

  /** Those for tables are there where the runtime of the page that was seen last has them. */
  get tools(): Tools<Act<NacTab>> {
    return this.#tools;
  }

  /** As the page's runtime called itself last; null when no page had one. */
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
