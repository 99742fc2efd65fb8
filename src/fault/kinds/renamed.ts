import { pageKind } from '../page-kind.ts';

export const renamed = pageKind('renamed', 'the element has another name for a time', {
  text: 'Continue',
  script: `() => {
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== '');
    const before = texts.map((node) => node.data);
    const undo = attribute('aria-label', text);
    if (texts.length > 0) texts[0].data = text;
    return () => { undo(); texts.forEach((node, index) => { node.data = before[index]; }); };
  }`,
});
