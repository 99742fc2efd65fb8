import { BUILT_IN } from '../surface/built-in.ts';
import { hasAppTools } from './possible-pair.ts';

export function surfacesOfApps(): string[] {
  return BUILT_IN.filter(({ toolsOf }) => toolsOf !== undefined && hasAppTools({ tools_of: toolsOf })).map(
    ({ id }) => id,
  );
}
