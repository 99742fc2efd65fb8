import { pageKind } from '../page-kind.ts';

export const moved = pageKind('moved', 'the element is shown elsewhere for a time', {
  script: `() => {
    const before = element.style.cssText;
    element.style.setProperty('transform', 'translate(30px, 60px)', 'important');
    return () => { element.style.cssText = before; };
  }`,
});
