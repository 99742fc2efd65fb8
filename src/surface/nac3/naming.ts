import type { NacAction } from './actions.ts';
import type { NacNamed } from './on-named.ts';
import type { NacShown, ShownElement, ShownPlugin } from './shown.ts';

const MAX_LISTED = 30;

export interface NacMatch {
  plugin: ShownPlugin;
  element: ShownElement;
}

/**
 * Returns why an action may not be sent, and what could have been named instead: the description that the agent saw last lacks something
 * that it names. Null when it may.
 */
export function whyUnsafe(shown: NacShown | null, action: NacAction): string | null {
  if (shown === null) return 'you have not seen a description of this page yet; call "describe" first';
  const { matches, invented } = targetOf(shown, action);
  const [first] = matches;
  const name = `"${targetName(action)}"`;
  if (first === undefined)
    return `${name} is not in the description that you saw last; there is ${listed(namingOf(action).offered(shown))}`;
  if (matches.length > 1)
    return `${name} is ${matches.length} elements: ${listed(matches.map(({ element }) => element.nac_id))}`;
  if (invented.length === 0) return null;
  const choices = listed(choicesOf(first.element, shown, action));
  return `${invented.join(', ')}: not in the description that you saw last; ${name} has ${choices}`;
}

/** Finds the elements of a description that an action names: one rule for all tools. */
export function targetOf(shown: NacShown, action: NacAction): NacNamed<NacMatch> {
  const matches = namingOf(action).matches(shown);
  const [first] = matches;
  return { matches, invented: first === undefined ? [] : inventedIn(first.element, shown, action) };
}

export function targetName(action: NacAction): string {
  return namingOf(action).name;
}

interface ElementNaming {
  name: string;
  matches: (shown: NacShown) => NacMatch[];
  offered: (shown: NacShown) => string[];
}

function namingOf(action: NacAction): ElementNaming {
  if ('nac_id' in action) return byId(action.nac_id);
  switch (action.tool) {
    case 'click_by_verb':
      return byVerb(action.verb, action.plugin);
    case 'tab':
      return {
        name: action.tab_key,
        matches: (shown) =>
          tabsIn(shown, action.plugin).filter(({ element }) => isKeyOf(action.tab_key, element.nac_id)),
        offered: (shown) => tabsIn(shown, action.plugin).map(({ element }) => element.nac_id),
      };
    case 'tab_by_label':
      return {
        name: action.label,
        matches: (shown) => labelled(tabsIn(shown, action.plugin), action.label),
        offered: (shown) => tabsIn(shown, action.plugin).map(({ element }) => element.label ?? element.nac_id),
      };
  }
}

/** An id of the active plugin comes before the same id of others. */
function byId(name: string): ElementNaming {
  return {
    name,
    matches: (shown) => {
      const all = elementsIn(shown).filter(({ element }) => element.nac_id === name);
      const active = all.filter(({ plugin }) => plugin.plugin === shown.active);
      return active.length > 0 ? active : all;
    },
    offered: (shown) => elementsIn(shown).map(({ element }) => element.nac_id),
  };
}

/** A verb that the manifest declares comes before an element's own action of that name. */
function byVerb(name: string, plugin: string | undefined): ElementNaming {
  return {
    name,
    matches: (shown) => {
      const all = inPlugin(shown, plugin);
      const declared = all.filter(({ element }) => (element.verbs ?? []).some(({ verb }) => verb === name));
      return declared.length > 0 ? declared : all.filter(({ element }) => element.action === name);
    },
    offered: (shown) =>
      inPlugin(shown, plugin).flatMap(({ element: { verbs = [], action } }) => [
        ...verbs.map(({ verb }) => verb),
        ...(action === undefined ? [] : [action]),
      ]),
  };
}

function elementsIn({ plugins }: Pick<NacShown, 'plugins'>): NacMatch[] {
  return plugins.flatMap((plugin) => plugin.elements.map((element) => ({ plugin, element })));
}

/** The elements of the plugin that is named; if none is, of the active one. */
function inPlugin({ active, plugins }: NacShown, named: string | undefined): NacMatch[] {
  const slug = named ?? active ?? plugins.at(-1)?.plugin;
  return elementsIn({ plugins: plugins.filter(({ plugin }) => plugin === slug) });
}

function tabsIn(shown: NacShown, plugin: string | undefined): NacMatch[] {
  return inPlugin(shown, plugin).filter(({ element }) => element.role === 'tab');
}

/** A tab's key is its id, with or without the prefix that marks tabs. */
function isKeyOf(key: string, nacId: string): boolean {
  return nacId === key || nacId === `tab.${key}` || key === `tab.${nacId}`;
}

/** As in the standard: the same label, apart from parentheses; else one that contains the other. */
function labelled(tabs: NacMatch[], label: string): NacMatch[] {
  const wanted = normal(label);
  if (wanted === '') return [];
  const labels = tabs.map((match) => ({ match, label: normal(match.element.label ?? '') }));
  const same = labels.filter((each) => each.label === wanted);
  const near = labels.filter(
    (each) => each.label !== '' && (each.label.includes(wanted) || wanted.includes(each.label)),
  );
  return (same.length > 0 ? same : near).map(({ match }) => match);
}

function normal(label: string): string {
  return withoutParentheses(label.toLowerCase()).replaceAll(/\s+/g, ' ').trim();
}

/** Removes what stands between an opening parenthesis and the next closing one. A page may open any number, and close none. */
export function withoutParentheses(text: string): string {
  const parts = text.split(')');
  const last = parts.pop() ?? '';
  const kept = parts.map((part) => (part.includes('(') ? part.slice(0, part.indexOf('(')) : `${part})`));
  return kept.join('') + last;
}

/** The arguments that name nothing which the description has. One without options does not limit them. */
function inventedIn(element: ShownElement, shown: NacShown, action: NacAction): string[] {
  if (action.tool === 'select') {
    return hasOptions(shown, element) && optionOf(shown, element, action.value) === null ? ['value'] : [];
  }
  const place = action.tool === 'invoke' ? 'payload' : 'args';
  const rules = rulesOf(element, action);
  return Object.entries(payloadOf(action)).flatMap(([name, value]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const isKnown = rule !== undefined && (rule.enum === undefined || rule.enum.some((each) => each === value));
    return isKnown ? [] : [`${place}.${name}`];
  });
}

function payloadOf(action: NacAction): Record<string, unknown> {
  if (action.tool === 'invoke') return action.payload;
  return action.tool === 'click_by_verb' ? (action.args ?? {}) : {};
}

type Rules = NonNullable<NonNullable<ShownElement['verbs']>[number]['args']>;

function rulesOf(element: ShownElement, action: NacAction): Rules {
  const { verbs = [] } = element;
  const wanted = action.tool === 'click_by_verb' ? action.verb : element.action;
  const declared = verbs.find(({ verb }) => verb === wanted);
  // An element is invoked for its own verb, or else for the first that is declared.
  return (declared ?? (action.tool === 'invoke' ? verbs[0] : undefined))?.args ?? {};
}

/** Returns the page's value of an option that an agent names by value or label; null when the description has none. */
export function optionOf(
  shown: NacShown,
  { nac_id: nacId, options = [] }: ShownElement,
  wanted: string,
): string | null {
  const option = options.find(({ value }) => value === wanted) ?? options.find(({ label }) => label === wanted);
  if (option !== undefined) return option.value;
  const prefix = `${nacId}.`;
  const elements = optionElements(shown, nacId);
  const element =
    elements.find((each) => each.nac_id === `${prefix}${wanted}` || each.nac_id === wanted) ??
    elements.find((each) => each.nac_id.startsWith(prefix) && each.label === wanted);
  if (element === undefined) return null;
  return element.nac_id.startsWith(prefix) ? element.nac_id.slice(prefix.length) : element.nac_id;
}

function hasOptions(shown: NacShown, { nac_id: nacId, options = [] }: ShownElement): boolean {
  return options.length > 0 || optionElements(shown, nacId).some((each) => each.nac_id.startsWith(`${nacId}.`));
}

function optionElements(shown: NacShown, nacId: string): ShownElement[] {
  return shown.plugins
    .filter(({ elements }) => elements.some((each) => each.nac_id === nacId))
    .flatMap(({ elements }) => elements.filter(({ role }) => role === 'option'));
}

function choicesOf(element: ShownElement, shown: NacShown, action: NacAction): string[] {
  if (action.tool === 'select') {
    const own = (element.options ?? []).map(({ value }) => value);
    return [...own, ...optionElements(shown, element.nac_id).map(({ nac_id: id }) => id)];
  }
  return Object.entries(rulesOf(element, action)).map(([name, { enum: values }]) =>
    values === undefined ? name : `${name} (${values.map(String).join(' | ')})`,
  );
}

function listed(names: string[]): string {
  const all = [...new Set(names)];
  if (all.length === 0) return 'none';
  const more = all.length > MAX_LISTED ? ` and ${all.length - MAX_LISTED} more` : '';
  return `${all.slice(0, MAX_LISTED).join(', ')}${more}`;
}
