import type { NacAction } from './actions.ts';
import type { NacNamed } from './on-named.ts';
import type { NacShown, ShownElement, ShownPlugin } from './shown.ts';

/** Most names that a refusal lists. */
const MAX_LISTED = 30;

/**
 * Whether an action may be sent: the description that the agent saw last has the one target that it names, and everything
 * else that it names. Null when it may; else what is wrong, and what there is.
 */
export function whyUnsafe(shown: NacShown | null, action: NacAction): string | null {
  if (shown === null) return 'you have not seen a description of this page yet; call "describe" first';
  const target = targetOf(shown, action);
  const matches = target.matches.map(({ element }) => element);
  const name = `"${targetName(action)}"`;
  if (matches.length === 0)
    return `${name} is not in the description that you saw last; there is ${listed(namesFor(shown, action))}`;
  if (matches.length > 1) return `${name} is ${matches.length} elements: ${listed(matches.map(idOf))}`;
  if (target.invented.length === 0) return null;
  return `${target.invented.join(', ')}: not in the description that you saw last; ${name} has ${listed(choicesOf(matches, shown, action))}`;
}

/** Finds the elements of a description that an action means: one rule, whatever its tool. */
export function targetOf(shown: NacShown, action: NacAction): NacNamed<NacMatch> {
  const matches = matchesOf(shown, action);
  const [first] = matches;
  return { matches, invented: first === undefined ? [] : inventedIn(first.element, shown, action) };
}

export function targetName(action: NacAction): string {
  switch (action.tool) {
    case 'click_by_verb':
      return action.verb;
    case 'tab':
      return action.tab_key;
    case 'tab_by_label':
      return action.label;
    case 'click':
    case 'fill':
    case 'select':
    case 'invoke':
    case 'utter':
      return action.nac_id;
  }
}

/** An element, and the plugin that it is in. */
export interface NacMatch {
  plugin: ShownPlugin;
  element: ShownElement;
}

function matchesOf(shown: NacShown, action: NacAction): NacMatch[] {
  switch (action.tool) {
    case 'click_by_verb': {
      const there = inPlugin(shown, action.plugin);
      const declared = there.filter(({ element }) => (element.verbs ?? []).some(({ verb }) => verb === action.verb));
      return declared.length > 0 ? declared : there.filter(({ element }) => element.action === action.verb);
    }
    case 'tab':
      return tabsIn(shown, action.plugin).filter(({ element }) => isKeyOf(action.tab_key, element.nac_id));
    case 'tab_by_label':
      return labelled(tabsIn(shown, action.plugin), action.label);
    case 'click':
    case 'fill':
    case 'select':
    case 'invoke':
    case 'utter': {
      const all = inPlugin(shown, undefined, 'all').filter(({ element }) => element.nac_id === action.nac_id);
      const active = all.filter(({ plugin }) => plugin.plugin === shown.active);
      return active.length > 0 ? active : all;
    }
  }
}

/** The elements of the plugin that is named; where none is, of the active one. */
function inPlugin(shown: NacShown, named: string | undefined, unnamed: 'active' | 'all' = 'active'): NacMatch[] {
  const slug = named ?? (unnamed === 'active' ? (shown.active ?? shown.plugins.at(-1)?.plugin) : undefined);
  return shown.plugins
    .filter(({ plugin }) => slug === undefined || plugin === slug)
    .flatMap((plugin) => plugin.elements.map((element) => ({ plugin, element })));
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

/** A text without what stands between an opening parenthesis and the next closing one. A page may open any number, and close none. */
export function withoutParentheses(text: string): string {
  const parts = text.split(')');
  const last = parts.pop() ?? '';
  const kept = parts.map((part) => (part.includes('(') ? part.slice(0, part.indexOf('(')) : `${part})`));
  return kept.join('') + last;
}

function inventedIn(element: ShownElement, shown: NacShown, action: NacAction): string[] {
  switch (action.tool) {
    case 'select':
      // A description without options does not limit them.
      return hasOptions(shown, element) && optionOf(shown, element, action.value) === null ? ['value'] : [];
    case 'click_by_verb':
      return inventedArgs('args', action.args ?? {}, rulesOf(element, action.verb));
    case 'invoke':
      return inventedArgs('payload', action.payload, rulesOf(element, ownVerb(element)));
    case 'click':
    case 'fill':
    case 'tab':
    case 'tab_by_label':
    case 'utter':
      return [];
  }
}

type Rules = NonNullable<NonNullable<ShownElement['verbs']>[number]['args']>;

function rulesOf({ verbs = [] }: ShownElement, verb: string | undefined): Rules {
  return verbs.find((each) => each.verb === verb)?.args ?? {};
}

/** Returns the verb that an element is invoked for: its own, or else the first that the manifest declares of it. */
function ownVerb({ action, verbs = [] }: ShownElement): string | undefined {
  return verbs.some(({ verb }) => verb === action) ? action : (verbs[0]?.verb ?? action);
}

function inventedArgs(place: string, given: Record<string, unknown>, rules: Rules): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) return [`${place}.${name}`];
    return rule.enum === undefined || rule.enum.some((each) => each === value) ? [] : [`${place}.${name}`];
  });
}

function hasOptions(shown: NacShown, { nac_id: nacId, options = [] }: ShownElement): boolean {
  return options.length > 0 || optionElements(shown, nacId).some((each) => each.nac_id.startsWith(`${nacId}.`));
}

/** Returns the page's value of an option that an agent names by value or label; null when the description has none. */
export function optionOf(
  shown: NacShown,
  { nac_id: nacId, options = [] }: ShownElement,
  wanted: string,
): string | null {
  const option = options.find(({ value }) => value === wanted) ?? options.find(({ label }) => label === wanted);
  if (option !== undefined) return option.value;
  const elements = optionElements(shown, nacId);
  const element =
    elements.find((each) => each.nac_id === `${nacId}.${wanted}` || each.nac_id === wanted) ??
    elements.find((each) => each.nac_id.startsWith(`${nacId}.`) && each.label === wanted);
  if (element === undefined) return null;
  return element.nac_id.startsWith(`${nacId}.`) ? element.nac_id.slice(nacId.length + 1) : element.nac_id;
}

function optionElements(shown: NacShown, nacId: string): ShownElement[] {
  return shown.plugins
    .filter(({ elements }) => elements.some((each) => each.nac_id === nacId))
    .flatMap(({ elements }) => elements.filter(({ role }) => role === 'option'));
}

/** Lists what could have been named instead. */
function namesFor(shown: NacShown, action: NacAction): string[] {
  switch (action.tool) {
    case 'click_by_verb':
      return inPlugin(shown, action.plugin).flatMap(({ element }) => [
        ...(element.verbs ?? []).map(({ verb }) => verb),
        ...(element.action === undefined ? [] : [element.action]),
      ]);
    case 'tab':
      return tabsIn(shown, action.plugin).map(({ element }) => element.nac_id);
    case 'tab_by_label':
      return tabsIn(shown, action.plugin).map(({ element }) => element.label ?? element.nac_id);
    case 'click':
    case 'fill':
    case 'select':
    case 'invoke':
    case 'utter':
      return inPlugin(shown, undefined, 'all').map(({ element }) => element.nac_id);
  }
}

function choicesOf([element]: ShownElement[], shown: NacShown, action: NacAction): string[] {
  if (element === undefined) return [];
  if (action.tool === 'select') {
    const own = (element.options ?? []).map(({ value }) => value);
    return [...own, ...optionElements(shown, element.nac_id).map(idOf)];
  }
  const verb = action.tool === 'click_by_verb' ? action.verb : ownVerb(element);
  return Object.entries(rulesOf(element, verb)).map(([name, { enum: values }]) =>
    values === undefined ? name : `${name} (${values.map(String).join(' | ')})`,
  );
}

function idOf({ nac_id: nacId }: ShownElement): string {
  return nacId;
}

function listed(names: string[]): string {
  const all = [...new Set(names)];
  if (all.length === 0) return 'none';
  const more = all.length > MAX_LISTED ? ` and ${all.length - MAX_LISTED} more` : '';
  return `${all.slice(0, MAX_LISTED).join(', ')}${more}`;
}
