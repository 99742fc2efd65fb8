import type { ProviderName } from '../model/providers.ts';
import type { OwnModel } from './model/setup.ts';

/** Prefixes on the command line: `openai:gpt-5.2`. A constant, since a run without a model loads no code of models. */
const PREFIXES: readonly ProviderName[] = ['openai-compatible', 'anthropic', 'openai', 'google', 'deepseek'];

/** The model of a name with such a prefix; null for any other name. */
export function ownModelIn(name: string): OwnModel | null {
  const provider = PREFIXES.find((each) => name.startsWith(`${each}:`));
  if (provider === undefined) return null;
  const model = name.slice(provider.length + 1);
  const plain = model.replaceAll(/[^A-Za-z0-9.]+|\.{2,}/g, '-').replaceAll(/[-.]*-[-.]*/g, '-');
  const trimmed = plain.replaceAll(/^[-.]+|[-.]+$/g, '');
  return trimmed === '' ? null : { name, agent: `${provider}-${trimmed}`, provider, model };
}

export function modelNames(models: Readonly<Record<string, { model_id: string }>>): string[] {
  return Object.entries(models).map(([agent, { model_id: pinned }]) => {
    // Cassettes that were recorded at another endpoint have its host in the id.
    const id = pinned.replace(/^custom:(.+)@[^@]*$/, '$1');
    return PREFIXES.map((each) => `${each}:${id}`).find((name) => ownModelIn(name)?.agent === agent) ?? agent;
  });
}
