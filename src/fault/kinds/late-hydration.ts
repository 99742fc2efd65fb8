import { pageKind } from '../page-kind.ts';

export const lateHydration = pageKind('late_hydration', 'the element is there, and takes no events for a time', {
  script: 'swallow',
});
