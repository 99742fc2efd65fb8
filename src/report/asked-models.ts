import type { OutcomeLine } from '../claim/outcome-tables.ts';
import { codeSpan } from './code-span.ts';

/** The model that an entrant asked, and what its replies call it. */
interface AskedModel {
  /** `a through s` */
  entrant: string;
  asked: string;
  /** Empty where no reply named one. */
  returned: readonly string[];
}

/** Model names of those entrants who asked any. */
export function askedModels(entrants: readonly OutcomeLine[]): AskedModel[] {
  return entrants.flatMap(({ agent, surface, model_id: asked, models_returned: returned }) =>
    asked === null ? [] : [{ entrant: `${agent} through ${surface}`, asked, returned }],
  );
}

/** The same as Markdown; nothing where nobody asked one. */
export function modelLines(entrants: readonly OutcomeLine[]): string[] {
  const lines = askedModels(entrants).map(
    ({ entrant, asked, returned }) =>
      `- ${entrant}: ${codeSpan(asked)}; in its replies: ${returned.map(codeSpan).join(', ') || 'no name'}.`,
  );
  return lines.length === 0 ? [] : ['Models that were asked:', '', ...lines, ''];
}
