import type { ProviderName } from '../model/providers.ts';
import type { OwnModel } from './model/setup.ts';

/** A prefix on the command line: `openai-compatible:qwen2.5:7b`. A constant, since a run without a model loads no code of models. */
const COMPATIBLE = 'openai-compatible' satisfies ProviderName;

/** The model of a name with that prefix; null for any other name. */
export function ownModelIn(name: string): OwnModel | null {
  const model = name.startsWith(`${COMPATIBLE}:`) ? name.slice(COMPATIBLE.length + 1) : '';
  const plain = model.replaceAll(/[^A-Za-z0-9.]+|\.{2,}/g, '-').replaceAll(/[-.]*-[-.]*/g, '-');
  const trimmed = plain.replaceAll(/^[-.]+|[-.]+$/g, '');
  return trimmed === '' ? null : { name, agent: `${COMPATIBLE}-${trimmed}`, model };
}

export function modelNames(models: Readonly<Record<string, { model_id: string }>>): string[] {
  return Object.entries(models).map(([agent, { model_id: pinned }]) => {
    // Cassettes that were recorded at another endpoint have its host in the id.
    const name = `${COMPATIBLE}:${pinned.replace(/^custom:(.+)@[^@]*$/, '$1')}`;
    return ownModelIn(name)?.agent === agent ? name : agent;
  });
}
