import { z } from 'zod';

// Pages describe themselves: members of another form are left out.
const Text = z.string().nullish().catch(null);
const Flag = z.boolean().nullish().catch(null);

const ArgRule = z.looseObject({
  type: z.string().optional().catch(undefined),
  required: z.boolean().optional().catch(undefined),
  enum: z.array(z.json()).optional().catch(undefined),
});
const Labels = z.record(z.string(), z.string()).optional().catch(undefined);
const Verb = z.object({
  verb: z.string(),
  label_i18n: Labels,
  args_schema: z.record(z.string(), ArgRule).optional().catch(undefined),
  payload_schema: z.record(z.string(), ArgRule).optional().catch(undefined),
});
export type DeclaredVerb = z.infer<typeof Verb>;

/** A list without the items of another form. */
export function listOf<T extends z.ZodType>(item: T) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((values) => values.flatMap((value) => [item.safeParse(value)].flatMap((read) => read.data ?? [])));
}

/** A field, unless its value is empty. */
export function given<K extends string, V>(name: K, value: V | null | undefined): { [key in K]?: V } {
  const fields: { [key in K]?: V } = {};
  const isEmpty = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  if (!isEmpty) fields[name] = value;
  return fields;
}

/** An element as `describe()` of NAC3 2.3 has it; `options` is what some runtimes add. */
const Element = z.object({
  nac_id: z.string(),
  plugin: Text,
  role: z.string().catch('action'),
  state: Text,
  field_type: Text,
  action: Text,
  error: Text,
  label: Text,
  value: z.union([z.string(), z.number(), z.boolean()]).nullish().catch(null),
  visible: Flag,
  disabled: Flag,
  checked: Flag,
  a11y_hint: listOf(z.string()),
  options: listOf(z.object({ value: z.string(), label: z.string().catch('') })),
});
export type DescribedElement = z.infer<typeof Element>;

/** The value of `describe()` of NAC3 2.3. */
export const Description = z.object({
  url: Text,
  active: Text,
  plugins: z.array(
    z.object({
      plugin: z.string(),
      plugin_instance_id: Text,
      plugin_state: Text,
      elements: listOf(Element),
    }),
  ),
});
export type Description = z.infer<typeof Description>;

const Manifest = z.object({
  plugin_slug: z.string(),
  elements: listOf(z.object({ id: z.string(), role: z.string(), label_i18n: Labels, actions: listOf(Verb) })),
  actions: listOf(Verb.extend({ nac_id: z.string() })),
});
export type Manifest = z.infer<typeof Manifest>;

/** The value of `manifest()` for all plugins: by slug, or as a list. */
export const Manifests = z
  .unknown()
  .transform((value) => (Array.isArray(value) ? value : Object.values(z.looseObject({}).catch({}).parse(value))))
  .pipe(listOf(Manifest));
