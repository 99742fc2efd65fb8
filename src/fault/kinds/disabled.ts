import { pageKind } from '../page-kind.ts';

export const disabled = pageKind('disabled', 'the element can be used by nobody for a time', {
  script: `() => {
    if (!('disabled' in element)) { const undo = [attribute('aria-disabled', 'true'), swallow()]; return () => undo.forEach((each) => each()); }
    const before = element.disabled;
    element.disabled = true;
    return () => { element.disabled = before; };
  }`,
});
