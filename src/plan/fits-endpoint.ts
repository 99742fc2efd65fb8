import { isThisMachine } from '../contract/this-machine.ts';
import type { ModelFacts } from '../agent/model-facts.ts';

/** Whether a model's name, its host and the kind of its endpoint can be of one endpoint: a model that is asked has no others. */
export function fitsEndpoint({
  model_id: id,
  model_endpoint: host,
  endpoint_kind: kind,
}: Pick<ModelFacts, 'model_id' | 'model_endpoint' | 'endpoint_kind'>): boolean {
  if (kind === 'cassette') return host === null;
  if (host === null || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  if (isThisMachine(hostname) !== (kind === 'mock')) return false;
  return kind === 'provider' ? !id.startsWith('custom:') : id.startsWith('custom:') && id.endsWith(`@${hostname}`);
}
