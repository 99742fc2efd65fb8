import { pageKind } from '../page-kind.ts';

export const rerendered = pageKind('rerendered', 'the element is gone for a time', {
  script: `() => {
    const gap = page.createComment('');
    element.replaceWith(gap);
    return () => { if (gap.isConnected) gap.replaceWith(element); };
  }`,
});
