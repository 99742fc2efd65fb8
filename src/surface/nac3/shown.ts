import { z } from 'zod';
import {
  type DeclaredVerb,
  type DescribedElement,
  type Description,
  given,
  type Manifest,
  ShownTable,
} from './described.ts';

const ShownVerb = z.object({
  verb: z.string(),
  label: z.string().optional(),
  args: z.record(z.string(), z.looseObject({ enum: z.array(z.json()).optional() })).optional(),
});
type ShownVerb = z.infer<typeof ShownVerb>;

const ShownElement = z.object({
  nac_id: z.string(),
  role: z.string(),
  label: z.string().optional(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  state: z.string().optional(),
  field_type: z.string().optional(),
  action: z.string().optional(),
  error: z.string().optional(),
  checked: z.boolean().optional(),
  hidden: z.literal(true).optional(),
  disabled: z.literal(true).optional(),
  /** Listed in the manifest and absent from the page: its host may be asked. */
  not_in_page: z.literal(true).optional(),
  hints: z.array(z.string()).optional(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  verbs: z.array(ShownVerb).optional(),
});
export type ShownElement = z.infer<typeof ShownElement>;

const ShownPlugin = z.object({
  plugin: z.string(),
  instance: z.string().optional(),
  state: z.string().optional(),
  elements: z.array(ShownElement),
});
export type ShownPlugin = z.infer<typeof ShownPlugin>;

/** A page as shown to an agent: the result of `describe()`, in one language, without flags that are off. */
export const NacShown = z.object({
  active: z.string().optional(),
  plugins: z.array(ShownPlugin),
  /** Data tables, if its runtime has any. */
  tables: z.array(ShownTable).optional(),
});
export type NacShown = z.infer<typeof NacShown>;

/** @param language of the page, for the labels of verbs */
export function shownOf(description: Description, manifests: readonly Manifest[], language: string): NacShown {
  const plugins = description.plugins.map(({ plugin, plugin_instance_id: instance, plugin_state: state, elements }) => {
    const manifest = manifests.find(({ plugin_slug: slug }) => slug === plugin);
    const inPage = elements
      .filter((element) => !belongsElsewhere(element, plugin, description))
      .map((element) => shownElement(element, verbsOf(manifest, element.nac_id, { label: element.label, language })));
    return {
      plugin,
      ...given('instance', instance),
      ...given('state', state),
      elements: [...inPage, ...onlyDeclared(manifest, inPage, language)],
    };
  });
  return { ...given('active', description.active), plugins: withoutHiddenTwins(plugins) };
}

/** Removes hidden elements with the id of a visible one: runtimes list what one of several roots of a plugin lacks as hidden there. */
function withoutHiddenTwins(plugins: ShownPlugin[]): ShownPlugin[] {
  return plugins.map((plugin) => {
    const roots = plugins.filter(({ plugin: slug }) => slug === plugin.plugin);
    const seen = new Set(roots.flatMap(({ elements }) => elements.filter(isSeen)).map(({ nac_id: id }) => id));
    const elements = plugin.elements.filter((element) => isSeen(element) || !seen.has(element.nac_id));
    return { ...plugin, elements };
  });
}

function isSeen({ hidden, not_in_page: absent }: ShownElement): boolean {
  return hidden !== true && absent !== true;
}

/** Runtimes list the elements of a nested root under the outer one, too. */
function belongsElsewhere(element: DescribedElement, plugin: string, { plugins }: Description): boolean {
  if (element.plugin === null || element.plugin === undefined || element.plugin === plugin) return false;
  return plugins.some(
    (other) => other.plugin === element.plugin && other.elements.some(({ nac_id: nacId }) => nacId === element.nac_id),
  );
}

function shownElement(element: DescribedElement, verbs: ShownVerb[]): ShownElement {
  const { nac_id: nacId, role, label, value, state, action, error, field_type: type, checked } = element;
  return {
    nac_id: nacId,
    role,
    ...given('label', label),
    ...given('value', value),
    ...given('state', state),
    ...given('field_type', type),
    ...given('action', action),
    ...given('error', error),
    ...given('checked', checked),
    ...(element.visible === false ? { hidden: true as const } : {}),
    ...(element.disabled === true ? { disabled: true as const } : {}),
    ...given('hints', element.a11y_hint),
    ...given('options', element.options),
    ...given('verbs', verbs),
  };
}

/** Actions of a host that need no element of their own. */
function onlyDeclared(
  manifest: Manifest | undefined,
  inPage: readonly ShownElement[],
  language: string,
): ShownElement[] {
  const ids = new Set(inPage.map(({ nac_id: nacId }) => nacId));
  return (manifest?.elements ?? []).flatMap(({ id, role, label_i18n: labels }) => {
    const label = inLanguage(labels, language);
    const verbs = verbsOf(manifest, id, { label, language });
    if (ids.has(id) || verbs.length === 0) return [];
    return [{ nac_id: id, role, ...given('label', label), not_in_page: true as const, verbs }];
  });
}

/** The verbs of an element. The label is left out if it is the element's own. */
function verbsOf(
  manifest: Manifest | undefined,
  id: string,
  { label, language }: { label: string | null | undefined; language: string },
): ShownVerb[] {
  if (manifest === undefined) return [];
  const declared: DeclaredVerb[] = [
    ...manifest.actions.filter(({ nac_id: nacId }) => nacId === id),
    ...manifest.elements.filter((element) => element.id === id).flatMap(({ actions }) => actions),
  ];
  return declared.map(({ verb, label_i18n: labels, args_schema: args, payload_schema: payload }) => {
    const own = inLanguage(labels, language);
    return { verb, ...given('label', own === label ? null : own), ...given('args', args ?? payload) };
  });
}

function inLanguage(labels: Record<string, string> | undefined, language: string): string | undefined {
  return labels?.[language] ?? labels?.['en'] ?? Object.values(labels ?? {})[0];
}

/** Reads the description in a reply; null if it has none. */
export function shownIn(text: string): NacShown | null {
  const json = text.slice(text.lastIndexOf('\n\n') + 2);
  if (!json.startsWith('{')) return null;
  try {
    return NacShown.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

/** Keeps a page's text on one line, so that it cannot imitate a line of ours. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
