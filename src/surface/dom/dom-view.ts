import type { Page } from 'playwright-core';
import { type Act, actOfTab } from '../page/act.ts';
import { chooseOption } from '../page/choose-option.ts';
import type { ElementNames, View } from '../page/view.ts';
import { bindDom } from './bind-dom.ts';
import { find, sighting } from './elements.ts';
import { serialise } from './serialise.ts';
import type { ShownHtml } from './shown-html.ts';
import { TabReader } from './tab-reader.ts';
import { DOM_TOOLS, type DomTool } from './tools.ts';

/** Shows HTML; calls name elements by CSS selectors. */
export class DomView implements View<ShownHtml> {
  readonly tools = DOM_TOOLS;
  readonly kind = 'html';
  readonly bind = bindDom;
  readonly elements: ElementNames<ShownHtml> = { sighting, find };
  readonly #reader = new TabReader();

  async show(page: Page): Promise<ShownHtml> {
    const tab = await this.#reader.read(page);
    const { html, written } = serialise(tab);
    return { text: html, tab, written };
  }

  act(tool: Exclude<DomTool, 'wait' | 'tabs' | 'dialog'>, args: unknown): Act {
    switch (tool) {
      case 'navigate':
      case 'back':
      case 'press':
      case 'scroll':
        return actOfTab(tool, args);
      case 'snapshot':
        return { on: 'tab', run: () => Promise.resolve() };
      case 'click': {
        const { selector: name } = DOM_TOOLS.click.args.parse(args);
        return { on: 'element', name, run: (element, timing) => element.click(timing) };
      }
      case 'fill': {
        const { selector: name, text } = DOM_TOOLS.fill.args.parse(args);
        return { on: 'element', name, run: (element, timing) => element.fill(text, timing) };
      }
      case 'select': {
        const { selector: name, option } = DOM_TOOLS.select.args.parse(args);
        return { on: 'element', name, run: (element, timing) => chooseOption(element, option, timing) };
      }
    }
  }
}
